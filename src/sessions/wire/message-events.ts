// A stream of server-sent events on its way to the SDK: the messages in it are taken out and sorted, and what the SDK
// is to get goes on in their place. What carries no message passes as it came. An event is held only while it is no
// longer than a message may be.

import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { lineReader } from './message-lines.ts'
import { type Look, lookAtBeginning } from './message-look.ts'

export interface EventSink {
  readonly received: (bytes: number) => void
  /** The text of an event that may hold a message. */
  readonly message: (data: Buffer) => readonly JSONRPCMessage[]
  /** As for a line: how long the text of an event may get. */
  readonly long: (look: Look, bytes: number) => number | 'skip'
  /** The text of an event that was let go by has ended. */
  readonly skipped: (end: Buffer, bytes: number) => void
  /** An event that is let go by is waited for so long; then the stream counts as ended. */
  readonly endlessBytes: number
  /** The stream ended, well or not; `resumable` when an event bore an id. What is given still reaches the SDK. */
  readonly ended: (resumable: boolean, error: unknown) => readonly JSONRPCMessage[]
}

const askAt = 1024 * 1024
/** Fields beside the text are short. */
const otherBytesMax = 16 * 1024
/** What a line of a text costs at least, however short it is. */
const lineBytesMin = 16

export function sortedEvents(body: ReadableStream<Uint8Array>, sink: EventSink): ReadableStream<Uint8Array> {
  const out: string[] = []
  let data: Buffer[] = []
  let dataBytes = 0
  let skips = false
  let id: string | undefined
  let type = ''
  let resumable = false
  let longIsText = false

  const asked = (text: Buffer, bytes: number) => sink.long(lookAtBeginning(text.subarray(0, 4096)), bytes)
  const send = (messages: readonly JSONRPCMessage[]) => {
    for (const message of messages) out.push(`data: ${JSON.stringify(message)}\n\n`)
  }
  const dispatch = () => {
    const text = Buffer.concat(data.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from('\n'), part])))
    const holdsMessage = text.length > 0 && (type === '' || type === 'message')
    if (id !== undefined) resumable = true
    // An event without text tells the SDK from where on the stream can be taken up again.
    if (id !== undefined) out.push(`id: ${id}\ndata:\n\n`)
    if (holdsMessage && !skips) send(sink.message(text))
    else if (type !== '' && !skips)
      out.push(`event: ${type}\ndata: ${text.toString('utf8').replaceAll('\n', '\ndata: ')}\n\n`)
    data = []
    dataBytes = 0
    skips = false
    id = undefined
    type = ''
  }
  const addText = (part: Buffer) => {
    if (skips) return
    data.push(part)
    dataBytes += Math.max(part.length + 1, lineBytesMin)
    // A text may be cut into lines; together they are held to the same limit.
    if (data.length === 1 || dataBytes <= askAt || asked(data[0] ?? part, dataBytes) !== 'skip') return
    skips = true
    data = []
    sink.skipped(part, dataBytes)
  }
  const lines = lineReader(
    {
      line: (line) => {
        if (line.length === 0) return dispatch()
        const text = textStart(line)
        if (text !== undefined) return addText(line.subarray(text))
        if (line.length > otherBytesMax) return
        const [, field, value = ''] = /^(id|event|retry)(?:: ?(.*))?$/s.exec(line.toString('utf8')) ?? []
        if (field === 'id' && !value.includes('\0')) id = value
        if (field === 'event') type = value
        if (field === 'retry') out.push(`retry: ${value}\n\n`)
      },
      long: (head, bytes) => {
        const text = textStart(head)
        longIsText = text !== undefined
        return text === undefined ? 'skip' : asked(head.subarray(text), bytes)
      },
      skipped: (tail, bytes) => {
        if (!longIsText) return
        skips = true
        sink.skipped(tail, bytes)
      },
    },
    { askAt, carriageReturns: true },
  )

  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      let open = true
      while (open && out.length === 0) {
        let error: unknown
        try {
          const { done, value } = await reader.read()
          if (value !== undefined) {
            sink.received(value.byteLength)
            lines.feed(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
          }
          if (lines.skipping() > sink.endlessBytes) throw new Error('an event without end')
          open = !done
        } catch (reason) {
          error = reason
          open = false
          await reader.cancel().catch(() => {})
        }
        if (!open) send(sink.ended(resumable, error))
      }
      if (out.length > 0) controller.enqueue(Buffer.from(out.splice(0).join('')))
      if (!open) controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Where the text of a `data` line begins; nothing when it is another line. */
function textStart(line: Buffer): number | undefined {
  if (line[0] !== 0x64 || line[1] !== 0x61 || line[2] !== 0x74 || line[3] !== 0x61) return undefined
  if (line.length === 4) return 4
  if (line[4] !== 0x3a) return undefined
  return line[5] === 0x20 ? 6 : 5
}
