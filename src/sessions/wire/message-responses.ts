// Responses over HTTP on their way to the SDK: what messages they hold is taken out and sorted, each no longer than it
// may be. INVARIANT: the response to a request ends the waiting for its answer in any case, but where the SDK may still
// ask for the rest of a stream.

import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { bodyWithin, valuesOf } from './message-bodies.ts'
import { sortedEvents } from './message-events.ts'
import { type Answer, errorIn, type Inbox } from './message-inbox.ts'
import type { MessageId } from './message-look.ts'
import { networkWord } from './message-network.ts'
import { oversize } from './message-oversize.ts'

/** One HTTP request that is under way. */
export interface Exchange {
  /** The request of the protocol that it carries, or whose stream is taken up again. */
  readonly id: MessageId | undefined
  readonly signal: AbortSignal
  readonly abort: () => void
  /** Nothing more comes of it. */
  readonly end: () => void
}

export interface ResponseReader {
  /** The response to a request, as the SDK is to see it: JSON that holds what it is told of the answer. */
  readonly answer: (response: Response, exchange: Exchange & { readonly id: MessageId }) => Promise<Response>
  /** A stream of events. `ended` is told how it ended. */
  readonly events: (response: Response, exchange: Exchange, ended?: (how: string) => void) => Response
}

export interface ResponseOptions {
  readonly inbox: Inbox
  /** Longest message for which nobody set another limit. */
  readonly messageBytesMax: number
  readonly received: (bytes: number) => void
  /** Hands the SDK a message that comes beside its response. */
  readonly deliver: (message: JSONRPCMessage) => void
}

/** A message so many times longer than any that is read has no end worth waiting for. */
const endlessFactor = 100

export function responseReader({ inbox, messageBytesMax, received, deliver }: ResponseOptions): ResponseReader {
  const sorted = (values: readonly unknown[], length: number): readonly JSONRPCMessage[] =>
    values.flatMap((value) => {
      const message = inbox.sort(value, length)
      return typeof message === 'string' ? [] : [message]
    })
  const settled = (id: MessageId, answer: Answer): readonly JSONRPCMessage[] => inbox.settle(id, answer) ?? []

  const messagesIn = async (
    response: Response,
    { id, signal }: Exchange & { readonly id: MessageId },
  ): Promise<readonly JSONRPCMessage[]> => {
    const limit = inbox.askedWith(id)?.bytesMax ?? messageBytesMax
    const type = mediaType(response)
    if (type !== 'application/json') {
      await response.body?.cancel().catch(() => {})
      const as = printable(type === '' ? 'nothing' : type, 60)
      return settled(id, { kind: 'malformed', why: `it came with status ${response.status} as ${as}` })
    }
    try {
      const { text, over } = await bodyWithin(response.body, limit, received)
      if (over !== undefined) return settled(id, { kind: 'too-large', bytes: over, bytesMax: limit })
      const values = valuesOf(text)?.map((value) => withOwnId(value, id))
      if (values === undefined) return settled(id, { kind: 'malformed', why: 'it is no JSON' })
      const messages = sorted(values, text.length)
      if (!inbox.isExpected(id)) return messages
      return [...messages, ...settled(id, { kind: 'malformed', why: 'the response holds no answer to it' })]
    } catch (error) {
      if (signal.aborted) throw error
      return settled(id, { kind: 'lost', why: networkWord(error) })
    }
  }
  return {
    answer: async (response, exchange) => {
      try {
        const text = JSON.stringify(await messagesIn(response, exchange))
        const headers = new Headers(response.headers)
        headers.set('content-type', 'application/json')
        return new Response(text, { headers })
      } finally {
        exchange.end()
      }
    },
    events: (response, { id, abort, end }, ended = () => {}) => {
      const { body } = response
      if (body === null) return response
      const tooLong = oversize({
        inbox,
        bytesMax: messageBytesMax,
        owner: id,
        deliver: (message) => {
          deliver(message)
          // Nothing else comes on the stream of one answer.
          if (id !== undefined) setImmediate(abort)
        },
      })
      const stream = sortedEvents(body, {
        received,
        message: (data) => sorted(valuesOf(data) ?? [], data.length),
        long: tooLong.long,
        skipped: tooLong.ended,
        endlessBytes: endlessFactor * messageBytesMax,
        ended: (resumable, error) => {
          end()
          const how = error === undefined ? 'the stream ended' : networkWord(error)
          ended(how)
          if (id === undefined) return []
          // Otherwise the SDK would ask for the rest of a stream that nobody reads.
          if (!inbox.isExpected(id)) return resumable ? [{ jsonrpc: '2.0', id, result: {} }] : []
          return resumable ? [] : settled(id, { kind: 'lost', why: how })
        },
      })
      return replaced(response, stream)
    },
  }
}

/** The same response with another body. */
export const replaced = ({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array> | string | null) =>
  new Response(body, { status, statusText, headers })

/** Small letters, without parameters; empty when there is none. */
export const mediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/**
 * What a refusal means. It may bring an error of the protocol along (2026-07-28 asks for that); otherwise its words are
 * worth a line. `text` is the beginning of its body.
 */
export function refusalIn(response: Response, text: string): Answer {
  const { status } = response
  const type = mediaType(response)
  const [value] = type === 'application/json' ? (valuesOf(Buffer.from(text)) ?? []) : []
  const error = isJsonObject(value) ? value.error : undefined
  if (status !== 401 && status !== 403 && isJsonObject(error) && typeof error.code === 'number')
    return { ...errorIn(error), status }
  const isText = type === 'text/plain' || type === 'application/json'
  return { kind: 'refused', status, words: isText ? printable(text.trim(), 200) : '' }
}

/** A request that could not be read is answered without an id (JSON-RPC 2.0); in a response of its own it is clear whose. */
const withOwnId = (value: unknown, id: MessageId): unknown =>
  isJsonObject(value) && value.error !== undefined && (value.id === null || value.id === undefined)
    ? { ...value, id }
    : value
