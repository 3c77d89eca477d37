// One call of a tool on a session that is open: through the pool, and through the whole enforcement, next to the same
// call with the bare client SDK. The calls are made in turn, each on a server process of its own.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { built, builtRuntime } from './built.ts'
import { median, milliseconds, printRatios } from './ratios.ts'

const calls = 500
const warmUp = 50
const program = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/server-everything/dist/index.js')

const { loadConfig } = await built()
const { openToolbox, openSession, sessionPool } = await builtRuntime()
const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'))
const file = join(folder, 'toolgate.json')
const server = { command: process.execPath, args: [program, 'stdio'] }
writeFileSync(file, JSON.stringify({ version: 1, mcp_servers: { demo: { ...server, tool_name_prefix: false } } }))
const { config } = await loadConfig(file, { environment: process.env })
const [entry] = config?.mcpServers ?? []
if (config === undefined || entry === undefined) throw new Error('the configuration of the benchmark is not usable')

const owner = { user: 'bench', thread: 'bench' }
const args = { message: 'hello' }
const limits = { idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 }
const env = { PATH: process.env.PATH ?? '' }
const pool = sessionPool({
  open: ({ server: opened, signal }) =>
    openSession(opened, { env, cwd: folder, signal, timeoutMs: opened.startTimeoutMs }),
  max: 4,
  idleMs: 60_000,
})
const client = new Client({ name: 'bench', version: '1' })
await client.connect(new StdioClientTransport({ ...server, cwd: folder, stderr: 'ignore' }))
const toolbox = await openToolbox({ config, owner })
const through = await toolbox.callsOf(owner)
try {
  const ways = {
    bare: async () => (await client.callTool({ name: 'echo', arguments: args })).content,
    pool: async () => (await pool.use(entry, owner, (session) => session.call('echo', args, limits))).content,
    whole: async () => {
      const outcome = await through.call({ name: 'echo', args })
      if (outcome.kind !== 'result') throw new Error(outcome.message)
      return outcome.content
    },
  }
  const took = { bare: [] as number[], pool: [] as number[], whole: [] as number[] }
  for (let round = 0; round < warmUp + calls; round += 1) {
    for (const way of ['bare', 'pool', 'whole'] as const) {
      const begin = performance.now()
      const content = await ways[way]()
      const ms = performance.now() - begin
      if (!JSON.stringify(content).includes('hello')) throw new Error(`the ${way} call gave another answer`)
      if (round >= warmUp) took[way].push(ms)
    }
  }
  const peer = { peer: 'the bare SDK', peerValue: median(took.bare) }
  printRatios({
    title: 'call',
    about: [
      'echo of server-everything over stdio, each way on a process of its own',
      `medians of ${calls} calls in turn, after ${warmUp} that are not counted`,
    ],
    ratios: [
      { what: 'through the pool', value: median(took.pool), ...peer, most: 1.15 },
      { what: 'through the whole enforcement', value: median(took.whole), ...peer },
    ],
    figure: milliseconds,
  })
} finally {
  await Promise.all([client.close(), pool.close(0), toolbox.close()])
  rmSync(folder, { recursive: true, force: true })
}
