// A transport that tells the inbox of every request before it leaves, so that its answer is taken out on its way in,
// as it was sent. The SDK hands nothing of ours through, so what was asked is recognised when it is sent: most requests
// leave before `client.request` returns, and a call made by `client.callTool` bears the very object of its arguments.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client'
import type { Asked, Inbox } from './message-inbox.ts'
import type { MessageId } from './message-look.ts'

/** What is being asked at this moment, within one synchronous step. */
let asking: Asked | undefined
const askedWith = new WeakMap<object, Asked>()
const sending = new AsyncLocalStorage<MessageId | undefined>()

/** Runs the SDK's part of a request; the request of this method that it sends at once is the one that was asked. */
export function askingFor<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
  asking = asked
  try {
    return work()
  } finally {
    asking = undefined
  }
}

/** The request that will be sent with this object as its arguments is the one that was asked. */
export const askingWith = (args: object, asked: Asked): void => void askedWith.set(args, asked)

/** The request on whose behalf this code runs: it is being sent, or its answer is being fetched once more. */
export const requestBeingSent = (): MessageId | undefined => sending.getStore()

/**
 * Wraps a transport that has not been started. With `follows`, `requestBeingSent` is known to the inner one: that costs
 * every promise of the program a little, so only HTTP asks for it.
 */
export function looseTransport(inner: Transport, inbox: Inbox, { follows }: { readonly follows: boolean }): Transport {
  const onBehalfOf = <T>(id: MessageId | undefined, work: () => T): T => (follows ? sending.run(id, work) : work())
  const outer: Transport = {
    start: () => {
      inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => outer.onmessage?.(message, extra)
      inner.onerror = (error) => outer.onerror?.(error)
      inner.onclose = () => outer.onclose?.()
      return inner.start()
    },
    send: (message, options) => {
      // Not on behalf of the request whose sign of life made somebody send this.
      if (!('method' in message && 'id' in message)) return onBehalfOf(undefined, () => inner.send(message, options))
      const asked = askedIn(message)
      inbox.expect(
        message.id,
        asked?.method === message.method && asked.id === undefined ? asked : undefined,
        message.method,
      )
      return onBehalfOf(message.id, () => inner.send(message, options))
    },
    close: () => inner.close(),
    get sessionId() {
      return inner.sessionId
    },
    get hasPerRequestStream() {
      return inner.hasPerRequestStream ?? false
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
  }
  return outer
}

function askedIn({ params }: { readonly params?: { readonly [key: string]: unknown } | undefined }): Asked | undefined {
  const args = params?.arguments
  return asking ?? (args !== null && typeof args === 'object' ? askedWith.get(args) : undefined)
}
