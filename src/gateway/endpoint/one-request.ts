// The transport of a single HTTP request: one message in, one answer out, and what belongs to it in between. The SDK
// binds a server to 2026-07-28 by the class of its transport, which is why this is one.

import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server'
import type { Outcomes } from './protocol-server.ts'
import type { Reply } from './reply.ts'

/** Errors of the protocol itself, before a handler saw the request, have a status of their own in 2026-07-28. */
const statusOf = new Map([
  [-32700, 400],
  [-32600, 400],
  [-32601, 404],
  [-32602, 400],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
])

export class OneRequestTransport extends PerRequestHTTPServerTransport {
  readonly #reply: Reply
  readonly #outcomes: Outcomes | undefined
  readonly #modern: MessageClassification | undefined
  #id: string | number | undefined
  /** Nothing but the protocol itself answers before this returns. */
  #delivering = false
  #over = false

  constructor(reply: Reply, given: { readonly classification: MessageClassification; readonly outcomes?: Outcomes }) {
    super({ classification: given.classification })
    this.#reply = reply
    this.#outcomes = given.outcomes
    this.#modern = given.classification.era === 'modern' ? given.classification : undefined
  }

  deliver(message: JSONRPCRequest): void {
    this.#id = message.id
    this.#reply.onGone(() => void this.close())
    this.#delivering = true
    this.onmessage?.(message, this.#modern === undefined ? {} : { classification: this.#modern })
    this.#delivering = false
  }

  override async start(): Promise<void> {}

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#over) return
    if ('method' in message) {
      if (options?.relatedRequestId === this.#id) this.#reply.event(message)
      return
    }
    if (message.id !== this.#id) return
    const early = this.#delivering && 'error' in message ? statusOf.get(message.error.code) : undefined
    this.#reply.answer(this.#outcomes?.restored(message) ?? message, early)
    queueMicrotask(() => void this.close())
  }

  override async close(): Promise<void> {
    if (this.#over) return
    this.#over = true
    this.onclose?.()
  }
}
