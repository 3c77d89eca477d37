// The SDK refuses a whole tools/list when one tool in it is malformed, and strips annotation keys that it does not
// know. So the answer to that one request is taken out on its way in, as it was sent, and the SDK is given an empty
// list in its place. Everything else passes untouched.

import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client'

export interface LooseTransport {
  readonly transport: Transport
  /** The result of the last answered tools/list, as received. Requests for it are made one after another. */
  readonly lastListing: () => unknown
}

/** An answer that every protocol revision accepts. */
const emptyListing = { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' }

/** Wraps a transport that has not been started. */
export function looseTransport(inner: Transport): LooseTransport {
  const asked = new Set<string | number>()
  let listing: unknown
  const outer: Transport = {
    start: () => {
      inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => outer.onmessage?.(taken(message), extra)
      inner.onerror = (error) => outer.onerror?.(error)
      inner.onclose = () => outer.onclose?.()
      return inner.start()
    },
    send: (message, options) => {
      if ('method' in message && message.method === 'tools/list' && 'id' in message) asked.add(message.id)
      return inner.send(message, options)
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
  const taken = (message: JSONRPCMessage): JSONRPCMessage => {
    if (!('result' in message) || !asked.delete(message.id)) return message
    listing = message.result
    return { ...message, result: { ...emptyListing } }
  }
  return { transport: outer, lastListing: () => listing }
}
