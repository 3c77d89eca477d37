// The two HTTP transports of MCP with the operator's headers, each answer bounded by itself. The messages are taken out
// of every response before the SDK reads it. Redirects to other origins are not followed (the SDK's own rule), and the
// headers are laid over nothing but requests of the protocol itself, so they go only where they were meant to.

import {
  type AuthProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { requestBeingSent } from './loose-transport.ts'
import { beginningWithin } from './message-bodies.ts'
import type { Inbox } from './message-inbox.ts'
import type { MessageId } from './message-look.ts'
import { networkWord, reachedNobody } from './message-network.ts'
import { type Exchange, mediaType, refusalIn, replaced, responseReader } from './message-responses.ts'

export interface HttpChannel {
  readonly transport: Transport
  /** Bytes received so far. */
  readonly received: () => number
  /** The system's word for why the last request reached nobody, such as ECONNREFUSED. */
  readonly unreachable: () => string | undefined
  /** HTTP status of the last request, when it was refused. */
  readonly refusedWith: () => number | undefined
  /** SSE: settles when the one stream of events has ended, with how that came. Otherwise never. */
  readonly over: Promise<string>
  /** Tells the server that the session is over, where there is one. */
  readonly leave: () => Promise<void>
}

export interface HttpSpec {
  readonly transport: 'http' | 'sse'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly auth?: AuthProvider
  /** Longest message for which nobody set another limit. */
  readonly messageBytesMax: number
}

/** What a refusal says beside its status is read so far. */
const refusalBytesMax = 64 * 1024
/** After a cancelled call, the time in which the server may still end its stream by itself. */
const cancelledMs = 1000
const bodiless = new Set([204, 205, 304])

/** A transport that has not been started. Throws a TypeError when the URL cannot be read. */
export function httpChannel(spec: HttpSpec, inbox: Inbox): HttpChannel {
  const isSse = spec.transport === 'sse'
  let bytes = 0
  let unreachable: string | undefined
  let refused: number | undefined
  let streamEnded = (_how: string) => {}
  const over = new Promise<string>((resolve) => {
    streamEnded = resolve
  })
  const reader = responseReader({
    inbox,
    messageBytesMax: spec.messageBytesMax,
    received: (more) => {
      bytes += more
    },
    deliver: (message) => transport.onmessage?.(message),
  })

  const carriedOut = async (target: string | URL, init: RequestInit, exchange: Exchange): Promise<Response> => {
    const isPost = init.method === 'POST'
    const { id } = exchange
    const asked = id === undefined ? undefined : inbox.askedWith(id)
    /** The stream of an answer cannot be taken up again after it broke; nobody else would fail the call. */
    const broken = (why: string) => {
      if (id === undefined || isPost || isSse) return
      for (const message of inbox.settle(id, { kind: 'lost', why }) ?? []) transport.onmessage?.(message)
    }
    if (asked !== undefined) asked.answer = undefined
    const headers = headersOver(init.headers, spec.headers)
    const response = await fetch(target, { ...init, headers, signal: exchange.signal }).catch((error: unknown) => {
      if (exchange.signal.aborted) throw error
      unreachable = networkWord(error)
      if (asked !== undefined) asked.answer = { kind: reachedNobody(error) ? 'unreached' : 'lost', why: unreachable }
      broken(unreachable)
      throw error
    })
    unreachable = undefined
    // A server may refuse the stream that a client opens beside its requests; that says nothing of the requests.
    if (isSse || isPost) refused = response.ok ? undefined : response.status
    if (!response.ok) {
      const text = await beginningWithin(response.body, refusalBytesMax)
      if (asked !== undefined && isPost) asked.answer = refusalIn(response, text)
      broken(`HTTP ${response.status}`)
      exchange.end()
      return replaced(response, bodiless.has(response.status) ? null : text)
    }
    if (mediaType(response) === 'text/event-stream')
      return reader.events(response, exchange, (how) => {
        if (isSse && !isPost) streamEnded(`closed its stream of events (${how})`)
      })
    if (isPost && id !== undefined && !isSse) return reader.answer(response, { ...exchange, id })
    await response.body?.cancel().catch(() => {})
    exchange.end()
    return replaced(response, null)
  }
  const fetched = async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    // The SDK follows redirects of the protocol itself, one by one; whatever else it fetches belongs to a login.
    if (init.redirect !== 'manual') return fetch(target, init)
    const exchange = exchangeFor(requestBeingSent(), init.signal)
    const asked = exchange.id === undefined || isSse ? undefined : inbox.askedWith(exchange.id)
    if (asked !== undefined) asked.release = () => setTimeout(exchange.abort, cancelledMs).unref()
    return carriedOut(target, init, exchange).catch((error: unknown) => {
      exchange.end()
      throw error
    })
  }

  const options = { fetch: fetched, ...(spec.auth === undefined ? {} : { authProvider: spec.auth }) }
  const url = new URL(spec.url)
  const streamable = isSse ? undefined : new StreamableHTTPClientTransport(url, options)
  const transport: Transport = streamable ?? new SSEClientTransport(url, options)
  return {
    transport,
    received: () => bytes,
    unreachable: () => unreachable,
    refusedWith: () => refused,
    over,
    leave: async () => {
      if (streamable?.sessionId !== undefined) await streamable.terminateSession()
    },
  }
}

/** Its signal follows another without leaving a trace at it: the other lives as long as the session. */
function exchangeFor(id: MessageId | undefined, signal: AbortSignal | null | undefined): Exchange {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return { id, signal: controller.signal, abort, end: () => signal?.removeEventListener('abort', abort) }
}

/** What the SDK says of a request stands above what the operator says of all. */
function headersOver(given: RequestInit['headers'], configured: HttpSpec['headers']): Headers {
  const headers = new Headers(given)
  for (const [name, value] of Object.entries(configured)) if (!headers.has(name)) headers.set(name, value)
  return headers
}
