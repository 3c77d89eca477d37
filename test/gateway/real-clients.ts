// Clients that other people made, as programs that list and call without anybody at the keyboard. None is a dependency:
// they are installed into the folder that TOOLGATE_MCP_CLIENTS names, with `npm install --ignore-scripts` and the words
// of `clientPackages`. All of them run on the oldest Node that is supported.

import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Absent: none is installed, and what needs one is skipped by its name. */
export const clientsFolder: string | undefined = process.env.TOOLGATE_MCP_CLIENTS

export const clientPackages = [
  '@modelcontextprotocol/inspector@0.15.0',
  '@modelcontextprotocol/sdk@1.32.2',
  '@modelcontextprotocol/client@2.4.0',
  'mcporter@0.9.0',
  'mcp-remote@0.15.1',
  '@langchain/mcp-adapters@1.1.4',
  // It asks for a newer Node, and runs on ours all the same.
  '@ai-sdk/mcp@2.0.99',
] as const

export type Reached = { readonly url: string } | { readonly words: readonly string[] }

export interface ClientCommand {
  readonly words: readonly string[]
  /** JSON that is written to it; its standard input stays open until it has printed its answer. */
  readonly input?: readonly string[]
}

export interface RealClient {
  readonly name: string
  /** The older handshake, or the one of 2026-07-28. */
  readonly era: 'legacy' | 'modern'
  readonly reaches: readonly ('stdio' | 'http')[]
  readonly list: (server: Reached) => ClientCommand
  readonly call: (server: Reached, tool: string, args: object) => ClientCommand
}

export interface ClientAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | string
}

const bin = (name: string): string => join('node_modules/.bin', name)
const json = (value: unknown): string => JSON.stringify(value)

/** What it is asked, as JSON in the environment of the program. */
type Asked = { readonly list: true } | { readonly tool: string; readonly args: object }

const inspector = (server: Reached, rest: readonly string[]): ClientCommand => {
  const where = 'url' in server ? [server.url, '--transport', 'http'] : server.words
  return { words: [bin('mcp-inspector'), '--cli', ...where, ...rest] }
}

/** It takes a command as one text, which it splits at spaces. */
const mcporter = (server: Reached, verb: 'list' | 'call', rest: readonly string[]): ClientCommand => {
  const where = 'url' in server ? ['--http-url', server.url, '--allow-http'] : ['--stdio', server.words.join(' ')]
  return { words: [bin('mcporter'), verb, ...where, ...rest] }
}

/** A bridge: it speaks stdio to us, and to the server over HTTP. */
const mcpRemote = (server: Reached, method: string, params: object): ClientCommand => {
  const url = 'url' in server ? server.url : ''
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } }
  return {
    words: [bin('mcp-remote'), url, '--allow-http', '--transport', 'http-only'],
    input: [
      json({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello }),
      json({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      json({ jsonrpc: '2.0', id: 1, method, params }),
    ],
  }
}

/** A program of a few lines around a library; it is run in the folder of the clients, and finds the library there. */
const program = (code: string, server: Reached, asked: Asked): ClientCommand => ({
  words: [process.execPath, '--input-type=module', '-e', code, json({ server, asked })],
})

const sdk = (imports: string, options: string): string => `${imports}
const { server, asked } = JSON.parse(process.argv.at(-1))
const client = new Client({ name: 'by-hand', version: '1' }, ${options})
const [command, ...args] = server.words ?? []
await client.connect(
  server.url === undefined ? new StdioClientTransport({ command, args }) : new StreamableHTTPClientTransport(new URL(server.url)),
)
const answer = asked.list ? await client.listTools() : await client.callTool({ name: asked.tool, arguments: asked.args })
console.log(JSON.stringify(answer))
await client.close()`

const sdkOne = sdk(
  `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'`,
  '{}',
)

const sdkTwo = (mode: string): string =>
  sdk(
    `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'`,
    `{ versionNegotiation: { mode: ${mode} } }`,
  )

const langchain = `import { MultiServerMCPClient } from '@langchain/mcp-adapters'
const { server, asked } = JSON.parse(process.argv.at(-1))
const [command, ...args] = server.words ?? []
const entry = server.url === undefined ? { transport: 'stdio', command, args } : { transport: 'http', url: server.url }
const client = new MultiServerMCPClient({ mcpServers: { it: entry } })
const tools = await client.getTools()
const answer = asked.list
  ? { tools: tools.map(({ name, description }) => ({ name, description })) }
  : { content: await tools.find(({ name }) => name === asked.tool).invoke(asked.args) }
console.log(JSON.stringify(answer))
await client.close()`

const aiSdk = `import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
const { server, asked } = JSON.parse(process.argv.at(-1))
const [command, ...args] = server.words ?? []
const client = await createMCPClient({
  transport: server.url === undefined ? new Experimental_StdioMCPTransport({ command, args }) : { type: 'http', url: server.url },
})
const tools = await client.tools()
const answer = asked.list
  ? { tools: Object.entries(tools).map(([name, { description }]) => ({ name, description })) }
  : await tools[asked.tool].execute(asked.args, { toolCallId: '1', messages: [] })
console.log(JSON.stringify(answer))
await client.close()`

const library = (name: string, era: RealClient['era'], code: string): RealClient => ({
  name,
  era,
  reaches: ['stdio', 'http'],
  list: (server) => program(code, server, { list: true }),
  call: (server, tool, args) => program(code, server, { tool, args }),
})

export const realClients: readonly RealClient[] = [
  {
    name: 'MCP Inspector 0.15.0',
    era: 'legacy',
    reaches: ['stdio', 'http'],
    list: (server) => inspector(server, ['--method', 'tools/list']),
    call: (server, tool, args) => {
      const given = Object.entries(args).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`])
      return inspector(server, ['--method', 'tools/call', '--tool-name', tool, ...given])
    },
  },
  {
    name: 'mcporter 0.9.0',
    era: 'legacy',
    reaches: ['stdio', 'http'],
    list: (server) => mcporter(server, 'list', ['--json']),
    call: (server, tool, args) => mcporter(server, 'call', ['--tool', tool, '--args', json(args), '--output', 'json']),
  },
  {
    name: 'mcp-remote 0.15.1',
    era: 'legacy',
    reaches: ['http'],
    list: (server) => mcpRemote(server, 'tools/list', {}),
    call: (server, name, args) => mcpRemote(server, 'tools/call', { name, arguments: args }),
  },
  library('SDK 1.32.2', 'legacy', sdkOne),
  library('SDK 2.4.0, older handshake', 'legacy', sdkTwo("'legacy'")),
  library('SDK 2.4.0, newest first', 'modern', sdkTwo("'auto'")),
  library('SDK 2.4.0, 2026-07-28 only', 'modern', sdkTwo("{ pin: '2026-07-28' }")),
  library('LangChain adapters 1.1.4', 'legacy', langchain),
  library('AI SDK 2.0.99', 'modern', aiSdk),
]

/**
 * Runs it to its end. `home` becomes its home folder, so that it reads no configuration of the person at the machine. A
 * bridge is ended as soon as it has given its last answer.
 */
export function runClient({ words, input }: ClientCommand, folder: string, home: string): Promise<ClientAnswer> {
  const [command = '', ...args] = words
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home }
  const child = spawn(command, args, { cwd: folder, env, stdio: 'pipe', timeout: 60_000 })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    if (input !== undefined && stdout.split('\n').some((line) => line.includes('"id":1,') && line.endsWith('}')))
      child.stdin.end()
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.on('error', () => {})
  if (input === undefined) child.stdin.end()
  else child.stdin.write(`${input.join('\n')}\n`)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ stdout, stderr, exit: code ?? signal ?? 'unknown' }))
  })
}
