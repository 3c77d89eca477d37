import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { mcp } from '../../src/sources/mcp.ts'
import { config, freshFolder, input, root, serverConfig } from './scripted.ts'

const packages = join(root, 'node_modules/@modelcontextprotocol')
const script = (name: string) => join(packages, name, 'dist/index.js')

/** Real servers from npm, started as processes. */
describe('real MCP servers over stdio [S4, C-164]', () => {
  it('lists filesystem, memory and everything side by side, and leaves no process', async () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'papers'))
    writeFileSync(join(folder, 'papers/a.txt'), 'a')
    const lines: string[] = []
    const result = await mcp.collect(
      input({
        config: config({
          folder,
          mcpServers: [
            // The folder is relative: it is found only if the server starts in the configuration's folder.
            serverConfig('files', { args: [script('server-filesystem'), 'papers'], group: 'papers' }),
            serverConfig('memory', { args: [script('server-memory')] }),
            serverConfig('demo', { args: [script('server-everything'), 'stdio'], prefix: false }),
            serverConfig('calendar', { command: 'no-such-calendar-server' }),
          ],
        }),
        progress: (line) => lines.push(line),
      }),
    )
    expect(result.servers.map(({ name, state }) => [name, state])).toEqual([
      ['files', 'available'],
      ['memory', 'available'],
      ['demo', 'available'],
      ['calendar', 'failed-to-start'],
    ])
    const names = result.candidates.map((candidate) => candidate.name)
    expect(names).toContain('files__read_text_file')
    expect(names).toContain('memory__create_entities')
    expect(names).toContain('echo')
    expect(names).toContain('calendar__*')
    // A client without roots, sampling and elicitation is shown 13 tools (docs of the server, measured).
    expect(result.servers[2]?.tools).toBe(13)
    const read = result.candidates.find((candidate) => candidate.id === 'mcp:files/read_text_file')
    expect(read).toMatchObject({
      group: 'papers',
      server: 'files',
      originalName: 'read_text_file',
      effectsBy: 'assumed',
      availability: { state: 'available' },
    })
    expect(read?.definition.annotations).toMatchObject({ readOnlyHint: true })
    expect(read?.definition.inputSchema).toMatchObject({ type: 'object', required: ['path'] })
    expect(lines).toContain('files: starting')
    expect(lines.some((line) => /^files: \d+ tools in \d+\.\d s$/.test(line))).toBe(true)
    expect(result.servers.every((server) => server.state !== 'available' || (server.tookMs ?? 0) > 0)).toBe(true)
    expect(childrenLeft()).toEqual([])
  })
})

/** Processes that this one started and that are still there, but for the one that lists them. */
function childrenLeft(): readonly string[] {
  const lines = execFileSync('ps', ['-eo', 'ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('server-'))
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Waits until a stream has said something, and goes on reading it: a server whose output is closed may end. */
function said(stream: Readable, words: RegExp): Promise<void> {
  let text = ''
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (words.test(text)) resolve()
    })
  })
}

const stops: (() => void)[] = []
afterAll(() => {
  for (const stop of stops) stop()
})

describe.each([
  ['http', 'streamableHttp', 'mcp'],
  ['sse', 'sse', 'sse'],
] as const)('the real server-everything over %s [S4]', (transport, mode, path) => {
  it('lists the same tools as over stdio', async () => {
    const port = await freePort()
    const server = spawn(process.execPath, [script('server-everything'), mode], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    stops.push(() => server.kill('SIGKILL'))
    await said(server.stderr, /on port/)
    const entry = serverConfig('demo', {
      transport,
      command: undefined,
      url: `http://127.0.0.1:${port}/${path}`,
    } as never)
    const result = await mcp.collect(input({ config: config({ mcpServers: [entry] }) }))
    expect(result.servers[0]).toMatchObject({ state: 'available', tools: 13 })
    expect(result.candidates.map((candidate) => candidate.name)).toContain('demo__echo')
    expect(result.findings).toEqual([])
  })
})
