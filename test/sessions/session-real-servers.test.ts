import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import type { CallProgress } from '../../src/sessions/session.ts'
import { freshFolder, isAlive, root, serverConfig } from '../sources/scripted.ts'
import { call, textOf, until } from './session-wires.ts'

const script = (name: string) => join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js')

const ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function open(server: McpServerConfig, cwd = freshFolder()) {
  const session = await openSession(server, { env: { PATH: process.env.PATH ?? '' }, cwd, timeoutMs: 20_000 })
  ending.push(session.end)
  return session
}

/** The demonstration server of the protocol's authors over HTTP, on this port. */
async function everything(wire: 'streamableHttp' | 'sse', port: number) {
  const child = spawn(process.execPath, [script('server-everything'), wire], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGKILL')
    await exited
  }
  ending.push(close)
  const listens = async () => {
    for (let left = 200; left > 0; left -= 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/none`).catch(() => undefined)
      if (answer !== undefined) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the server does not listen')
  }
  await listens()
  return { close }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const longTool = 'trigger-long-running-operation'

describe.each(['stdio', 'http', 'sse'] as const)('the demonstration server over %s [S4, M1]', (transport) => {
  const start = async () => {
    if (transport === 'stdio') return open(serverConfig('demo', { args: [script('server-everything'), 'stdio'] }))
    const port = await freePort()
    await everything(transport === 'sse' ? 'sse' : 'streamableHttp', port)
    return open(
      serverConfig('demo', { transport, url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}` }),
    )
  }

  it('answers calls, tells its progress, and can be stopped in the middle', async () => {
    const session = await start()
    expect(session).toMatchObject({ era: 'legacy', hasTools: true })
    expect(textOf(await call(session, 'echo', {}, { message: 'hello' }))).toBe('Echo: hello')
    expect(await call(session, 'get-sum', {}, { a: 'x', b: 2 })).toMatchObject({ isError: true })

    const seen: CallProgress[] = []
    const done = await call(session, longTool, { onProgress: (sign) => seen.push(sign) }, { duration: 1, steps: 4 })
    expect(textOf(done)).toMatch(/completed/)
    expect(seen.map(({ progress, total }) => [progress, total])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
    ])

    const stop = new AbortController()
    const stopped = call(
      session,
      longTool,
      { signal: stop.signal, onProgress: () => stop.abort() },
      { duration: 20, steps: 40 },
    )
    await expect(stopped).rejects.toMatchObject({ code: 'call-cancelled', sent: true })
    expect(textOf(await call(session, 'echo', {}, { message: 'still here' }))).toBe('Echo: still here')
    expect([await session.ping(5000), session.isOpen(), session.findings()]).toEqual([true, true, []])
  })
})

it('ends the session of a real server that was started anew, so that the next one works [C-152]', async () => {
  const port = await freePort()
  const first = await everything('streamableHttp', port)
  const server = serverConfig('demo', { transport: 'http', url: `http://127.0.0.1:${port}/mcp` })
  const session = await open(server)
  await first.close()
  await expect(call(session, 'echo', {}, { message: 'a' })).rejects.toMatchObject({ sent: false })
  await everything('streamableHttp', port)
  await expect(call(session, 'echo', {}, { message: 'b' })).rejects.toThrow()
  expect(await until(() => !session.isOpen())).toBe(true)
  expect(textOf(await call(await open(server), 'echo', {}, { message: 'c' }))).toBe('Echo: c')
})

it('keeps what a real server knows from call to call [C-173]', async () => {
  const folder = freshFolder()
  writeFileSync(join(folder, 'a.txt'), 'first line')
  const files = await open(serverConfig('files', { args: [script('server-filesystem'), '.'] }), folder)
  expect(textOf(await call(files, 'read_text_file', {}, { path: join(folder, 'a.txt') }))).toBe('first line')
  expect(await call(files, 'read_text_file', {}, { path: '/etc/hostname' })).toMatchObject({ isError: true })
  await call(files, 'write_file', {}, { path: join(folder, 'b.txt'), content: 'x'.repeat(500_000) })
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toHaveLength(500_000)

  const memory = await open(serverConfig('memory', { args: [script('server-memory')], env: {} }), folder)
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }]
  await call(memory, 'create_entities', {}, { entities })
  expect(String(textOf(await call(memory, 'search_nodes', {}, { query: 'Ada' })))).toContain('first program')
  const pids = [files.pid ?? 0, memory.pid ?? 0]
  await files.end()
  await memory.end()
  expect(pids.filter(isAlive)).toEqual([])
})
