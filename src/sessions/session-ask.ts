// One request on an open connection, and what became of it as a value. The SDK carries it out and says when it is over;
// the inbox says with what.

import { ProtocolError, SdkError, SdkErrorCode, type Tool } from '@modelcontextprotocol/client'
import type { Definition } from '../core/candidate.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Connection } from './open-connection.ts'
import type { CallProgress, RpcError } from './session.ts'
import { Unavailable } from './unavailable.ts'
import { askingFor, askingWith } from './wire/loose-transport.ts'
import { type Answer, type Asked, answeredError, methodNotFound, Unsent } from './wire/message-inbox.ts'

export interface Question {
  readonly method: string
  readonly params: JsonObject
  /** Longest answer that is read. */
  readonly bytesMax: number
  /** Aborted: the server is told that nobody waits any more. Its reason goes along as a text. */
  readonly signal: AbortSignal
  /** tools/call: what headers of 2026-07-28 are made from. */
  readonly definition?: Definition | undefined
  readonly onProgress?: (progress: CallProgress) => void
}

export type Outcome =
  | Answer
  /** The signal was aborted. */
  | { readonly kind: 'stopped' }
  /** The login of the session stands in the way; nothing was sent, or it was refused. */
  | { readonly kind: 'barred'; readonly why: Unavailable }

export interface Replied {
  readonly outcome: Outcome
  /** False: nothing of the request was sent. */
  readonly sent: boolean
}

/** Never rejects. Time limits are the asker's. */
export async function ask(connection: Connection, question: Question): Promise<Replied> {
  const { method, bytesMax, signal, onProgress } = question
  const asked: Asked = { method, bytesMax, ...(onProgress === undefined ? {} : { onProgress }) }
  if (signal.aborted) return { outcome: { kind: 'stopped' }, sent: false }
  let failure: unknown
  try {
    await askingFor(asked, () => sent(connection, question, asked))
  } catch (error) {
    failure = error
  }
  connection.inbox.abandon(asked)
  const outcome = outcomeOf(asked, failure, signal)
  return { outcome, sent: asked.id !== undefined && outcome.kind !== 'unreached' && outcome.kind !== 'barred' }
}

function sent({ client }: Connection, question: Question, asked: Asked): Promise<unknown> {
  const { method, params, signal, definition, onProgress } = question
  // The SDK's own limit counts no total and hears of no progress that the inbox takes.
  const options = { signal, timeout: longestTimer }
  // That somebody listens is what makes the SDK ask for progress.
  const onprogress = () => {}
  const listening = onProgress === undefined ? options : { ...options, onprogress }
  // Headers are made from the definition in 2026-07-28 alone, and the rest of what `callTool` does is ours.
  if (method !== 'tools/call' || client.getProtocolEra() !== 'modern')
    return client.request({ method, params }, anyResult, listening)
  const {
    name,
    arguments: given,
    ...rest
  } = params as {
    readonly name: string
    readonly arguments: { [key: string]: unknown }
  }
  // An object of its own: the same arguments may be in two calls at one time.
  const args = { ...given }
  askingWith(args, asked)
  // Whatever is given here keeps the SDK from listing by itself and from calling a second time.
  const toolDefinition = { name, inputSchema: { type: 'object', ...definition?.inputSchema } } as Tool
  return client.callTool({ ...rest, name, arguments: args }, { ...listening, toolDefinition })
}

/** Milliseconds; Node's timers know no longer time. */
const longestTimer = 2 ** 31 - 1

/** A schema in the common interface of schema libraries that takes everything. */
const anyResult = {
  '~standard': { version: 1 as const, vendor: 'toolgate', validate: (value: unknown) => ({ value }) },
}

function outcomeOf(asked: Asked, failure: unknown, signal: AbortSignal): Outcome {
  const { answer } = asked
  if (failure instanceof Unavailable) return { kind: 'barred', why: failure }
  if (answer !== undefined && (answer.kind !== 'lost' || !signal.aborted)) return answer
  if (signal.aborted) return { kind: 'stopped' }
  if (failure instanceof Unsent) return { kind: 'unreached', why: failure.message }
  if (failure instanceof SdkError && failure.code === SdkErrorCode.ConnectionClosed)
    return { kind: 'lost', why: 'the connection was closed' }
  if (failure instanceof ProtocolError) return { ...errorOf(rpcOf(failure)), message: wordsOf(failure) }
  if (failure instanceof SdkError && failure.code === SdkErrorCode.MethodNotSupportedByProtocolVersion)
    return errorOf({ code: methodNotFound, message: 'the protocol revision of the session has no such method' })
  if (asked.id === undefined) return { kind: 'unreached', why: wordsOf(failure) }
  return { kind: 'malformed', why: wordsOf(failure) }
}

/** An error of the SDK as one of the protocol. */
export const rpcOf = ({ code, message, data }: ProtocolError): RpcError => ({
  code,
  message,
  ...(data === undefined ? {} : { data: data as Json }),
})

const errorOf = ({ code, message, data }: RpcError) => answeredError(code, message, data)

/** SDK messages of schema faults are long lists: the first line is enough. */
const wordsOf = (error: unknown): string =>
  printable((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '', 240)
