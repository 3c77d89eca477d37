// Clients for the scripted server: the SDK's own, over each wire and in each era, and a bare one that sees bytes.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach } from 'vitest'
import { scriptedServer } from '../../src/testing/scripted-handles.ts'
import type { ReceivedMessage, ServerPlan } from '../../src/testing/scripted-plan.ts'
import { listening, scriptedProgram } from '../sources/scripted.ts'

const closers: (() => Promise<unknown>)[] = []

/** Done at the end of the test, last first. */
export const atEnd = (close: () => Promise<unknown>): void => void closers.push(close)

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

export const modern = '2026-07-28'

/** Every wire with each era that it knows. */
export const ways = [
  { wire: 'stdio', revision: '2025-06-18' },
  { wire: 'stdio', revision: '2025-11-25' },
  { wire: 'stdio', revision: modern },
  { wire: 'http', revision: '2025-06-18' },
  { wire: 'http', revision: '2025-11-25' },
  { wire: 'http', revision: modern },
  { wire: 'sse', revision: '2025-11-25' },
] as const

export type Way = (typeof ways)[number]

export interface Connected {
  readonly client: Client
  readonly received: () => readonly ReceivedMessage[]
}

/** A client of the SDK that is connected to a server with this plan. Both end with the test. */
export async function connected({ wire, revision }: Way, plan: ServerPlan): Promise<Connected> {
  const { transport, received } = await reached(wire, { discover: true, ...plan })
  const client = new Client(
    { name: 'tester', version: '1' },
    revision === modern
      ? { versionNegotiation: { mode: { pin: modern } }, capabilities: { sampling: {} } }
      : { supportedProtocolVersions: [revision], capabilities: { sampling: {} } },
  )
  atEnd(() => client.close())
  await client.connect(transport)
  return { client, received }
}

async function reached(
  wire: Way['wire'],
  plan: ServerPlan,
): Promise<{ readonly transport: Transport; readonly received: Connected['received'] }> {
  if (wire === 'stdio') {
    const { command, args, received } = scriptedServer(plan, { program: scriptedProgram })
    return { transport: new StdioClientTransport({ command, args: [...args] }), received }
  }
  const { url, received, close } = await listening(plan, { wire })
  atEnd(close)
  const transport =
    wire === 'sse' ? new SSEClientTransport(new URL(url)) : new StreamableHTTPClientTransport(new URL(url))
  return { transport, received }
}

export interface Bare {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly send: (message: object) => void
  /** The next line of its output, as text; undefined at the end. */
  readonly line: () => Promise<string | undefined>
  /** The next message of its output. */
  readonly answer: () => Promise<unknown>
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** A server over standard input and output with nothing between. It ends with the test. */
export function bare(plan: ServerPlan, place: { readonly cwd?: string; readonly program?: string } = {}): Bare {
  const { program = scriptedProgram, cwd = process.cwd() } = place
  const { command, args } = scriptedServer(plan, { program })
  const child: ChildProcess = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('no pipes')
  const exit = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  atEnd(() => {
    child.kill('SIGKILL')
    return exit
  })
  const lines = linesOf(stdout)
  const line = async () => (await lines.next()).value ?? undefined
  return {
    pid: child.pid ?? 0,
    stdin,
    stdout,
    send: (message) => void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    line,
    answer: async () => JSON.parse((await line()) ?? 'null'),
    exit,
  }
}

async function* linesOf(stream: Readable): AsyncGenerator<string, undefined> {
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** A call of a tool as a message. */
export const toolCall = (id: unknown, name: string, meta: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: meta },
})
