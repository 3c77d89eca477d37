// JSON-RPC over the pipes of a server process, one message a line. Lines that are no message are counted and
// skipped: many servers print a greeting. The channel outlives a transport, so that a second handshake can be tried
// on the process that answered the first.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { printable } from '../core/printable.ts'
import type { ServerProcess } from './server-process.ts'

export interface StdioChannel {
  /** A transport on this channel; the newest one receives. Closing it does not end the process. */
  readonly transport: () => Transport
  /** Bytes received so far. */
  readonly received: () => number
  /** Lines on standard output that are no messages, and the first of them. */
  readonly noise: () => { readonly lines: number; readonly first: string }
  /** True when a message was longer than a listing may be; nothing is read any more. */
  readonly overflowed: () => boolean
}

/** Reads the output of a process, at most `messageBytesMax` for one message. */
export function stdioChannel(server: ServerProcess, messageBytesMax: number): StdioChannel {
  let receiver: Transport | undefined
  let bytes = 0
  let noisy = 0
  let first = ''
  let overflow = false
  let closed = false
  let parts: Buffer[] = []
  let pending = 0

  const deliver = (line: Buffer) => {
    const messages = messagesIn(line)
    for (const message of messages) receiver?.onmessage?.(message)
    if (messages.length > 0) return
    const text = line.toString('utf8', 0, 400).trim()
    if (text === '') return
    noisy += 1
    if (noisy === 1) first = printable(text)
  }
  const close = () => {
    closed = true
    receiver?.onclose?.()
  }
  server.stdout.on('data', (chunk: Buffer) => {
    if (overflow) return
    bytes += chunk.length
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = pending === 0 ? chunk.subarray(from, end) : Buffer.concat([...parts, chunk.subarray(from, end)])
      parts = []
      pending = 0
      from = end + 1
      deliver(line)
    }
    if (from < chunk.length) {
      parts.push(chunk.subarray(from))
      pending += chunk.length - from
    }
    if (pending <= messageBytesMax) return
    overflow = true
    parts = []
    close()
  })
  void server.gone.then(close)

  return {
    transport: () => {
      const transport: Transport = {
        start: async () => {
          receiver = transport
          if (closed) queueMicrotask(() => transport.onclose?.())
        },
        send: (message) => written(server, `${JSON.stringify(message)}\n`),
        close: async () => {
          if (receiver !== transport) return
          receiver = undefined
          transport.onclose?.()
        },
      }
      return transport
    },
    received: () => bytes,
    noise: () => ({ lines: noisy, first }),
    overflowed: () => overflow,
  }
}

/** The messages of a line: one, or the several of a batch (revision 2025-03-26 had them); none when it is no JSON-RPC. */
function messagesIn(line: Buffer): readonly JSONRPCMessage[] {
  // A message begins with a brace or a bracket; anything else need not be parsed to be known as noise.
  const start = line.subarray(0, 64).toString('latin1').trimStart()
  if (!start.startsWith('{') && !start.startsWith('[')) return []
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.filter(isMessage)
  } catch {
    return []
  }
}

const isMessage = (value: unknown): value is JSONRPCMessage =>
  value !== null && typeof value === 'object' && 'jsonrpc' in value && value.jsonrpc === '2.0'

/** Resolves when the line is handed over. A server that is gone is told by the channel's close, not here. */
function written(server: ServerProcess, line: string): Promise<void> {
  return new Promise((resolve) => {
    if (!server.stdin.writable) resolve()
    else server.stdin.write(line, () => resolve())
  })
}
