// What comes in from a server, sorted before the SDK sees it: answers for whoever asked, signs of progress, changes of
// the list, and noise. The SDK would refuse a whole list for one bad tool, drop keys that it does not know, wait for
// ever for an answer that is not well-formed, and take the id "1" for 1. INVARIANT: an answer goes to the request that
// bears its id, of the same type, and once; and the SDK gets nothing of it but that there was one.

import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import type { CallProgress, RpcError } from '../session.ts'
import type { MessageId } from './message-look.ts'
import { paramsPassedOn } from './message-meta.ts'

/** What became of a request. */
export type Answer =
  /** As received. */
  | { readonly kind: 'result'; readonly value: unknown }
  /** `message` is printable. `status`: that of an HTTP response which is a refusal at the same time. */
  | {
      readonly kind: 'error'
      readonly code: number
      readonly message: string
      readonly rpc: RpcError
      readonly status?: number
    }
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'too-large'; readonly bytes: number; readonly bytesMax: number }
  /** HTTP: the request was refused as a whole. */
  | { readonly kind: 'refused'; readonly status: number; readonly words: string }
  /** The request did not leave, or reached nobody. */
  | { readonly kind: 'unreached'; readonly why: string }
  /** It was sent, and the connection ended before its answer. */
  | { readonly kind: 'lost'; readonly why: string }

/** A request whose answer we take ourselves. */
export interface Asked {
  readonly method: string
  /** Longest answer that is read. */
  readonly bytesMax: number
  readonly onProgress?: (progress: CallProgress) => void
  /** Present once it is on its way. */
  id?: MessageId
  answer?: Answer | undefined
  /** Set by a channel: called when nobody waits for the answer any more. */
  release?: () => void
}

/** A message that was not sent; nothing of it reached the server. */
export class Unsent extends Error {
  override readonly name = 'Unsent'
}

export interface Inbox {
  /** A request is about to be sent. Without `asked` its answer is the SDK's own business. */
  readonly expect: (id: MessageId, asked: Asked | undefined, method?: string) => void
  /** The result of the last handshake that was answered with one, as received. */
  readonly introduction: () => JsonObject
  readonly isExpected: (id: MessageId) => boolean
  readonly askedWith: (id: MessageId) => Asked | undefined
  /** Everything asked that has no answer yet. */
  readonly waiting: () => readonly Asked[]
  /** Nobody waits any more; an answer that still comes is no noise. */
  readonly abandon: (asked: Asked) => void
  /** Sorts one message: what the SDK is to get of it, if anything, or `noise` when it is no message or for nobody. */
  readonly sort: (message: unknown, bytes: number) => JSONRPCMessage | 'taken' | 'noise'
  /** Ends the waiting for an answer in another way than by one; gives what the SDK is to be told. */
  readonly settle: (id: MessageId, answer: Answer) => readonly [JSONRPCMessage] | undefined
}

export interface InboxOptions {
  readonly onListChanged: () => void
  /** Any other notification that the SDK does nothing with, in the order in which they come. */
  readonly onNotification?: (method: string, params: JsonObject | undefined, bytes: number) => void
  /** An answer came that nobody waits for, described in printable words. */
  readonly onUnknownAnswer: (words: string) => void
}

/** How many abandoned requests are remembered, so that their late answers are not taken for noise. */
const abandonedMax = 1000
const progressWordsMax = 1000
/** JSON-RPC 2.0. */
const internalError = -32603
export const methodNotFound = -32601

export function messageInbox({ onListChanged, onNotification, onUnknownAnswer }: InboxOptions): Inbox {
  /** By id. Nothing: the SDK takes the answer itself. */
  const expected = new Map<MessageId, Asked | undefined>()
  const abandoned = new Set<MessageId>()
  const shakingHands = new Set<MessageId>()
  let introduction: JsonObject = {}

  const forget = (id: MessageId) => {
    abandoned.add(id)
    for (const oldest of abandoned) {
      if (abandoned.size <= abandonedMax) break
      abandoned.delete(oldest)
    }
  }
  const settle: Inbox['settle'] = (id, answer) => {
    if (!expected.has(id)) return undefined
    const asked = expected.get(id)
    expected.delete(id)
    if (asked !== undefined) asked.answer = answer
    return [answer.kind === 'result' ? emptyAnswer(id) : errorAnswer(id, internalError, wordsOf(answer))]
  }
  const answered = (message: JsonObject, bytes: number): JSONRPCMessage | 'taken' | 'noise' => {
    const { id } = message
    if (!isId(id) || !expected.has(id)) {
      if (isId(id) && abandoned.delete(id)) return 'taken'
      onUnknownAnswer(`an answer to id ${printable(JSON.stringify(id) ?? 'none', 60)}, which nobody waits for`)
      return 'noise'
    }
    const asked = expected.get(id)
    if (asked === undefined) {
      expected.delete(id)
      if (shakingHands.delete(id) && isJsonObject(message.result)) introduction = message.result
      return forSdk(id, message)
    }
    const answer: Answer =
      bytes > asked.bytesMax ? { kind: 'too-large', bytes, bytesMax: asked.bytesMax } : answerIn(message)
    return settle(id, answer)?.[0] ?? 'taken'
  }
  const told = (message: JsonObject, method: string, bytes: number): JSONRPCMessage | 'taken' => {
    const { params } = message
    if (passed.has(method)) return rebuilt(message)
    if (method === 'notifications/progress') {
      const progress = progressIn(params)
      if (progress !== undefined) expected.get(progress.token)?.onProgress?.(progress.sign)
    } else if (method === 'notifications/tools/list_changed') onListChanged()
    else onNotification?.(method, isJsonObject(params) ? paramsPassedOn(params) : undefined, bytes)
    return 'taken'
  }
  return {
    introduction: () => introduction,
    expect: (id, asked, method) => {
      expected.set(id, asked)
      if (asked === undefined && method !== undefined && handshakes.has(method)) shakingHands.add(id)
      if (asked !== undefined) asked.id = id
    },
    isExpected: (id) => expected.has(id),
    askedWith: (id) => expected.get(id),
    waiting: () => [...expected.values()].filter((asked) => asked !== undefined),
    abandon: (asked) => {
      if (asked.id !== undefined && expected.get(asked.id) === asked) {
        expected.delete(asked.id)
        forget(asked.id)
        asked.release?.()
      }
    },
    sort: (message, bytes) => {
      if (!isJsonObject(message) || message.jsonrpc !== '2.0') return 'noise'
      if (message.method === undefined) return answered(message, bytes)
      if (typeof message.method !== 'string') return 'noise'
      if (message.id === undefined) return told(message, message.method, bytes)
      return isId(message.id) ? rebuilt(message) : 'noise'
    },
    settle,
  }
}

const isId = (value: unknown): value is MessageId => typeof value === 'string' || typeof value === 'number'

/** By which a server tells of itself, in one era or the other. */
const handshakes = new Set(['initialize', 'server/discover'])

/** The notifications that the SDK does something with. */
const passed = new Set(['notifications/cancelled', 'notifications/subscriptions/acknowledged'])

/** A request or notification without what the protocol does not know: one key too many, and the SDK drops it unanswered. */
const rebuilt = ({ id, method, params }: JsonObject): JSONRPCMessage =>
  ({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    method,
    ...(isJsonObject(params) ? { params } : {}),
  }) as JSONRPCMessage

function forSdk(id: MessageId, message: JsonObject): JSONRPCMessage {
  const answer = answerIn(message)
  if (answer.kind === 'result') return { jsonrpc: '2.0', id, result: answer.value } as JSONRPCMessage
  if (answer.kind !== 'error') return errorAnswer(id, internalError, wordsOf(answer))
  return { jsonrpc: '2.0', id, error: { ...answer.rpc, message: answer.message } }
}

function answerIn({ result, error }: JsonObject): Answer {
  if (result !== undefined && error !== undefined)
    return { kind: 'malformed', why: 'it holds both a result and an error, which is against the protocol' }
  if (error !== undefined) return errorIn(error)
  if (result === undefined) return { kind: 'malformed', why: 'it holds neither a result nor an error' }
  if (!isJsonObject(result)) return { kind: 'malformed', why: 'its result is no object' }
  return { kind: 'result', value: result }
}

/** An error of the protocol, however little of its form it has. */
export function errorIn(error: unknown): Extract<Answer, { readonly kind: 'error' }> {
  const { code, message, data } = isJsonObject(error) ? error : {}
  const words = typeof message === 'string' ? message : (JSON.stringify(error) ?? '')
  const number = typeof code === 'number' && Number.isInteger(code) ? code : internalError
  return answeredError(number, words, data)
}

export const answeredError = (code: number, words: string, data: Json | undefined) =>
  ({
    kind: 'error',
    code,
    message: printable(words, 400),
    rpc: { code, message: words, ...(data === undefined ? {} : { data }) },
  }) as const

function progressIn(params: unknown): { readonly token: MessageId; readonly sign: CallProgress } | undefined {
  if (!isJsonObject(params)) return undefined
  const { progressToken: token, progress, total, message, _meta: _, ...rest } = params
  if (!isId(token) || typeof progress !== 'number') return undefined
  const sign = {
    ...rest,
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message: message.slice(0, progressWordsMax) } : {}),
  }
  return { token, sign }
}

function wordsOf(answer: Exclude<Answer, { kind: 'result' }>): string {
  switch (answer.kind) {
    case 'error':
      return answer.message
    case 'too-large':
      return `the answer is over ${answer.bytesMax} bytes`
    case 'refused':
      return `HTTP ${answer.status}`
    case 'malformed':
      return `the answer is malformed: ${answer.why}`
    default:
      return answer.why
  }
}

/** An answer to what we ask. Where the SDK misses something in it, that changes nothing: ours is there already. */
const emptyAnswer = (id: MessageId): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', tools: [], content: [], ttlMs: 0, cacheScope: 'private' },
})

const errorAnswer = (id: MessageId, code: number, message: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
