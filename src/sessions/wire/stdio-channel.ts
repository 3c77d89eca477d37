// JSON-RPC over the pipes of a server process, one message a line. Lines that are no message are counted and
// skipped: many servers print a greeting. The channel outlives a transport, so that a second handshake can be tried
// on the process that answered the first.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { printable } from '../../core/printable.ts'
import type { ServerProcess } from '../processes/server-process.ts'
import type { SessionFinding } from '../session.ts'
import { type Inbox, Unsent } from './message-inbox.ts'
import { lineReader } from './message-lines.ts'
import { lookAtBeginning } from './message-look.ts'
import { oversize } from './message-oversize.ts'

export interface StdioChannel {
  /** A transport on this channel; the newest one receives. Closing it does not end the process. */
  readonly transport: () => Transport
  /** Bytes received so far. */
  readonly received: () => number
  /** An answer that nobody waits for is noise as well. */
  readonly noteUnknownAnswer: (words: string) => void
  readonly findings: () => readonly SessionFinding[]
  /** Settles when nothing is read any more, with how that came: `exited with code 3`. */
  readonly over: Promise<string>
  /** The same, once it is so. */
  readonly ended: () => string | undefined
  /** Reads nothing any more, for the reason given. */
  readonly close: (how: string) => void
}

/** What may be printed without one message in between. */
const noiseLinesMax = 1000
const noiseBytesMax = 1024 * 1024
/** What a server may leave unread before it is given no more requests. */
const unreadBytesMax = 8 * 1024 * 1024
/** A message so many times longer than any that is read has no end worth waiting for. */
const endlessFactor = 100
/** Time for a process that has closed its standard output to leave. */
const leaveMs = 300
const quotedBytes = 200

/** Reads the output of a process; a message for which nobody set another limit has at most `messageBytesMax`. */
export function stdioChannel(server: ServerProcess, inbox: Inbox, messageBytesMax: number): StdioChannel {
  let receiver: Transport | undefined
  let bytes = 0
  let ended: string | undefined
  let settle = (_how: string) => {}
  const over = new Promise<string>((resolve) => {
    settle = resolve
  })
  const close = (how: string) => {
    if (ended !== undefined) return
    ended = how
    settle(how)
    receiver?.onclose?.()
  }
  const noise = noiseCounter(close)
  const deliver = (message: JSONRPCMessage) => receiver?.onmessage?.(message)
  const tooLong = oversize({ inbox, bytesMax: messageBytesMax, deliver })

  const lines = lineReader(
    {
      line: (line) => {
        let any = false
        for (const message of valuesIn(line)) {
          const sorted = inbox.sort(message, line.length)
          if (sorted === 'noise') continue
          any = true
          if (sorted !== 'taken') deliver(sorted)
        }
        if (any) noise.messageCame()
        else noise.lineCame(line)
      },
      long: (head, length) => {
        const look = lookAtBeginning(head)
        if (look.begins) return tooLong.long(look, length)
        return noise.isTooMuch(length, head) ? 'skip' : noiseBytesMax
      },
      skipped: (tail, length) => {
        noise.messageCame()
        tooLong.ended(tail, length)
      },
    },
    { askAt: Math.min(noiseBytesMax, messageBytesMax) },
  )
  server.stdout.on('data', (chunk: Buffer) => {
    if (ended !== undefined) return
    bytes += chunk.length
    lines.feed(chunk)
    if (lines.skipping() > endlessFactor * messageBytesMax)
      close(`was ended, for a message of it has not ended after ${lines.skipping()} bytes`)
  })
  server.stdout.once('close', () => {
    setTimeout(() => close('closed its standard output'), leaveMs).unref()
  })
  void server.gone.then(close)

  return {
    transport: () => {
      const transport: Transport = {
        start: async () => {
          receiver = transport
          if (ended !== undefined) queueMicrotask(() => transport.onclose?.())
        },
        send: (message) => written(server, message),
        close: async () => {
          if (receiver !== transport) return
          receiver = undefined
          transport.onclose?.()
        },
      }
      return transport
    },
    received: () => bytes,
    noteUnknownAnswer: noise.answerCame,
    findings: noise.findings,
    over,
    ended: () => ended,
    close,
  }
}

/** The values of a line: one, or the several of a batch (revision 2025-03-26 had them); none when it is no JSON of that kind. */
function valuesIn(line: Buffer): readonly unknown[] {
  const text = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line
  // A message begins with a brace or a bracket; anything else need not be parsed to be known as noise.
  const start = text.subarray(0, 64).toString('latin1').trimStart()
  if (!start.startsWith('{') && !start.startsWith('[')) return []
  try {
    const value: unknown = JSON.parse(text.toString('utf8'))
    return Array.isArray(value) ? value : [value]
  } catch {
    return []
  }
}

function noiseCounter(close: (how: string) => void) {
  let lines = 0
  let first = ''
  /** Since the last message. */
  let unbroken = { lines: 0, bytes: 0, first: '' }
  let answerInLine = ''

  const count = (length: number, text: string) => {
    lines += 1
    if (lines === 1) first = text
    const { lines: before, bytes } = unbroken
    unbroken = { lines: before + 1, bytes: bytes + length, first: before === 0 ? text : unbroken.first }
    if (unbroken.lines >= noiseLinesMax || unbroken.bytes > noiseBytesMax) fail()
  }
  const fail = () =>
    close(
      `was ended, for it printed ${unbroken.lines} lines (${unbroken.bytes} bytes) to standard output without a message; the first: ${unbroken.first}`,
    )
  return {
    messageCame: () => {
      unbroken = { lines: 0, bytes: 0, first: '' }
      answerInLine = ''
    },
    answerCame: (words: string) => {
      answerInLine = words
    },
    lineCame: (line: Buffer) => {
      const text = answerInLine === '' ? quoted(line) : answerInLine
      answerInLine = ''
      if (text !== '') count(line.length, text)
    },
    /** A line that is no message has come to this length, and goes on. */
    isTooMuch: (length: number, head: Buffer) => {
      if (unbroken.bytes + length <= noiseBytesMax) return false
      count(length, quoted(head))
      return true
    },
    findings: (): readonly SessionFinding[] => (lines === 0 ? [] : [{ word: 'stdout-noise', times: lines, first }]),
  }
}

const quoted = (bytes: Buffer): string => printable(bytes.toString('utf8', 0, quotedBytes).trim(), quotedBytes)

/** Resolves when the line is handed over; rejects with Unsent when it is not. A server that leaves later is told by the channel's close. */
function written(server: ServerProcess, message: JSONRPCMessage): Promise<void> {
  const line = Buffer.from(`${JSON.stringify(message)}\n`)
  const unread = server.stdin.writableLength
  const isRequest = 'method' in message && 'id' in message
  if (isRequest && unread > 0 && unread + line.length > unreadBytesMax)
    return Promise.reject(new Unsent(`it does not read its input: ${unread} bytes are waiting for it`))
  return new Promise((resolve, reject) => {
    const unsent = () => (isRequest ? reject(new Unsent('it does not read its input any more')) : resolve())
    if (!server.stdin.writable) unsent()
    else server.stdin.write(line, (error) => (error === null || error === undefined ? resolve() : unsent()))
  })
}
