// JSON-RPC over the pipes of an agent, one message a line. The stream of the SDK is not used, for it answers each line
// of a log with an error and prints what strangers send to our terminal. Here such lines are skipped, and only what
// belongs to a call of ours goes on to the SDK. Updates of the session are handed over as they are read, in the order of
// the wire: before the answer that ends the turn is looked at, and though one of them is not of the form.

import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { printable } from '../core/printable.ts'
import type { ServerProcess } from '../sessions/processes/server-process.ts'
import { lineReader } from '../sessions/wire/message-lines.ts'
import { lookAtBeginning } from '../sessions/wire/message-look.ts'

export interface AcpWire {
  readonly stream: Stream
  /** Settles when nothing is read any more, with how that came: `exited with code 3`. */
  readonly over: Promise<string>
  /** The same, once it is so. */
  readonly ended: () => string | undefined
  /** The first line on standard output that was no message, printable and short. `''`: there was none. */
  readonly firstNoise: () => string
}

export interface AcpWireOptions {
  /** Bytes of one message. */
  readonly messageBytesMax: number
  /** The parameters of a notification `session/update`; nothing of them was looked at. */
  readonly onUpdate: (params: unknown) => void
}

/** Requests of the agent that are carried out at one time: each may hold a whole file. */
const openRequestsMax = 16
/** Time for a process that has closed its standard output to leave. */
const leaveMs = 300

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

export function acpWire(agent: ServerProcess, { messageBytesMax, onUpdate }: AcpWireOptions): AcpWire {
  const { stdin, stdout } = agent
  const asked = new Set<unknown>()
  const waiting: Message[] = []
  let openRequests = 0
  let noise = ''
  let ended: string | undefined
  let settle = (_how: string) => {}
  const over = new Promise<string>((resolve) => {
    settle = resolve
  })
  let receiver: ReadableStreamDefaultController<AnyMessage> | undefined

  const close = (how: string) => {
    if (ended !== undefined) return
    ended = how
    settle(how)
    stdout.off('data', read)
    stdout.resume()
    receiver?.error(new Error(how))
    receiver = undefined
  }
  const deliver = (message: Message) => receiver?.enqueue(message as AnyMessage)
  /** Hands on requests as long as there is room; while others wait, nothing more is read. */
  const flow = () => {
    while (openRequests < openRequestsMax && waiting.length > 0) {
      openRequests += 1
      deliver(waiting.shift() as Message)
    }
    if (waiting.length > 0) stdout.pause()
    else if (stdout.isPaused()) stdout.resume()
  }
  const sort = (message: Message) => {
    const { id, method, params } = message
    if (method === undefined) {
      // Nobody waits for any other.
      if (asked.delete(id)) deliver(message)
    } else if (id !== undefined) waiting.push(message)
    else if (method === 'session/update') onUpdate(params)
    else if (method === '$/cancel_request') deliver(message)
  }
  const lines = lineReader(
    {
      line: (line) => {
        const message = messageIn(line)
        if (message !== undefined) sort(message)
        else if (noise === '') noise = printable(line.toString('utf8', 0, 400).trim(), 200)
      },
      long: (head, bytes) => {
        if (lookAtBeginning(head).begins) close(`was ended, for it sent a message of over ${bytes - 1} bytes`)
        return 'skip'
      },
      skipped: () => {},
    },
    { askAt: messageBytesMax },
  )
  function read(chunk: Buffer): void {
    lines.feed(chunk)
    flow()
  }

  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      receiver = controller
    },
    cancel: () => {
      receiver = undefined
    },
  })
  const writable = new WritableStream<AnyMessage>({
    write: async (message) => {
      const isAnswer = !('method' in message)
      if (!isAnswer && 'id' in message) asked.add(message.id)
      await written(stdin, `${JSON.stringify(message)}\n`)
      if (!isAnswer) return
      openRequests -= 1
      flow()
    },
  })
  stdout.on('data', read)
  stdout.once('close', () => {
    setTimeout(() => close('closed its standard output'), leaveMs).unref()
  })
  void agent.gone.then(close)
  return { stream: { readable, writable }, over, ended: () => ended, firstNoise: () => noise }
}

/** The message of a line; nothing when it is none. */
function messageIn(line: Buffer): Message | undefined {
  if (!line.subarray(0, 64).toString('latin1').trimStart().startsWith('{')) return undefined
  try {
    const message = JSON.parse(line.toString('utf8')) as Message
    const { jsonrpc, id, method } = message
    const isKnown = id === undefined ? method !== undefined : typeof id === 'string' || Number.isFinite(id)
    return jsonrpc === '2.0' && isKnown && (method === undefined || typeof method === 'string') ? message : undefined
  } catch {
    return undefined
  }
}

/** Resolves when the agent has read it, or reads nothing any more: that is told by `over`. */
const written = (stdin: ServerProcess['stdin'], line: string): Promise<void> =>
  new Promise((resolve) => {
    if (!stdin.writable) resolve()
    else stdin.write(line, () => resolve())
  })
