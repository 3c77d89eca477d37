// A transport that tells the inbox of every request before it leaves, so that its answer is taken out on its way in,
// as it was sent. What belongs together travels with the asynchronous context: the SDK hands nothing of ours through.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client'
import type { Asked, Inbox } from './message-inbox.ts'
import type { MessageId } from './message-look.ts'

const asking = new AsyncLocalStorage<Asked>()
const sending = new AsyncLocalStorage<MessageId | undefined>()

/** Runs the SDK's part of a request; the request of this method that it sends meanwhile is the one that was asked. */
export const askingFor = <T>(asked: Asked, work: () => Promise<T>): Promise<T> => asking.run(asked, work)

/** The request on whose behalf this code runs: it is being sent, or its answer is being fetched once more. */
export const requestBeingSent = (): MessageId | undefined => sending.getStore()

/** Wraps a transport that has not been started. */
export function looseTransport(inner: Transport, inbox: Inbox): Transport {
  const outer: Transport = {
    start: () => {
      inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => outer.onmessage?.(message, extra)
      inner.onerror = (error) => outer.onerror?.(error)
      inner.onclose = () => outer.onclose?.()
      return inner.start()
    },
    send: (message, options) => {
      // Not on behalf of the request whose sign of life made somebody send this.
      if (!('method' in message && 'id' in message)) return sending.run(undefined, () => inner.send(message, options))
      const asked = asking.getStore()
      inbox.expect(message.id, asked?.method === message.method && asked.id === undefined ? asked : undefined)
      return sending.run(message.id, () => inner.send(message, options))
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
