// The pool with real processes: as many as there should be, in the folder of their thread, and none left.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import type { PoolOptions, SessionPool } from '../../src/sessions/pool/pool.ts'
import { sessionPool } from '../../src/sessions/pool/session-pool.ts'
import { sessionPlace } from '../../src/sessions/processes/session-place.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import type { ThreadOwner } from '../../src/workspace/workspace.ts'
import { freshFolder, isAlive, markedPids, scripted } from '../sources/scripted.ts'
import { failureOf, owner } from './pool-stage.ts'

const folder = freshFolder()
const threadsFolder = join(folder, 'threads')
const pools: SessionPool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close(0)))
  rmSync(folder, { recursive: true, force: true })
})

function realPool(more: Partial<PoolOptions> = {}): SessionPool {
  mkdirSync(folder, { recursive: true })
  const pool = sessionPool({
    max: 8,
    idleMs: 60_000,
    open: async ({ server, owner, signal }) => {
      const workspace = await openWorkspace({ threadsFolder, owner })
      const place = sessionPlace(server, { workspace, configFolder: folder, environment: process.env })
      return openSession(place.server, { env: place.env, cwd: place.cwd, signal, timeoutMs: server.startTimeoutMs })
    },
    ...more,
  })
  pools.push(pool)
  return pool
}

/** A server that writes the ids of its processes down, and the function that reads them. */
function markedServer(plan: ServerPlan, more: Partial<McpServerConfig> = {}) {
  const marker = join(freshFolder(), 'pids')
  const pids = () => (existsSync(marker) ? markedPids(marker) : [])
  return { server: scripted('files', { ...plan, marker }, more), pids }
}

const limits = { idleTimeoutMs: 20_000, totalTimeoutMs: 20_000 }
const callTool = (pool: SessionPool, server: McpServerConfig, who: ThreadOwner, tool = 'tell', signal?: AbortSignal) =>
  pool.use(
    server,
    who,
    async (session) => {
      const { content } = await session.call(tool, {}, limits)
      return (content as readonly { readonly text: string }[])[0]?.text ?? ''
    },
    signal === undefined ? {} : { signal },
  )
const placeOf = async (pool: SessionPool, server: McpServerConfig, who: ThreadOwner) =>
  JSON.parse(await callTool(pool, server, who)) as { readonly pid: number; readonly cwd: string; readonly env: object }

const telling: ServerPlan = { calls: { tell: { tell: true } } }

it('starts one process for fifty callers of a thread, whose first is cancelled [M1, R21]', async () => {
  const { server, pids } = markedServer(telling)
  const pool = realPool()
  const first = new AbortController()
  const cancelled = failureOf(callTool(pool, server, owner('a'), 'tell', first.signal))
  const others = Array.from({ length: 49 }, () => placeOf(pool, server, owner('a')))
  first.abort()
  expect((await cancelled).code).toBe('call-cancelled')
  const places = await Promise.all(others)
  expect(new Set(places.map(({ pid }) => pid)).size).toBe(1)
  expect(pids()).toHaveLength(1)
  await pool.close()
  expect(pids().filter(isAlive)).toEqual([])
})

it('replaces a process that was killed in a call, and does not repeat the call [M1, Q4, R1]', async () => {
  const record = join(freshFolder(), 'record')
  const { server, pids } = markedServer({
    record,
    calls: { tell: { tell: true }, charge: { die: { signal: 'SIGKILL' } } },
  })
  const pool = realPool()
  const [a, b] = [owner('a'), owner('b')]
  const [before, elsewhere] = await Promise.all([placeOf(pool, server, a), placeOf(pool, server, b)])
  const failure = await failureOf(callTool(pool, server, a, 'charge'))
  expect(failure.code).toBe('upstream-died')
  expect((await placeOf(pool, server, a)).pid).not.toBe(before?.pid)
  expect((await placeOf(pool, server, b)).pid).toBe(elsewhere?.pid)
  const charges = readFileSync(record, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"charge"'))
  expect(charges).toHaveLength(1)
  expect(pids()).toHaveLength(3)
  await pool.close()
  expect(pids().filter(isAlive)).toEqual([])
})

it('fails all who wait for a server that never shakes hands, and leaves no process [Q4, R3]', async () => {
  const { server, pids } = markedServer({ ...telling, initialize: 'silent' }, { startTimeoutMs: 1500 })
  const pool = realPool()
  const failures = await Promise.all([1, 2, 3].map(() => failureOf(callTool(pool, server, owner('a')))))
  for (const { code, words } of failures) {
    expect(code).toBe('server-unavailable')
    expect(words).toContain('(timed-out): no answer to initialize within 1.5 s')
  }
  expect(pids()).toHaveLength(1)
  expect(pids().filter(isAlive)).toEqual([])
  expect(pool.states().map(({ phase }) => phase)).toEqual(['waiting'])
})

it('ends a process that was started for a caller who left [M1]', async () => {
  const { server, pids } = markedServer({ ...telling, initialize: 'silent' })
  const pool = realPool()
  const leaves = new AbortController()
  const left = failureOf(callTool(pool, server, owner('a'), 'tell', leaves.signal))
  while (pids().length === 0) await sleep(20)
  leaves.abort()
  expect((await left).code).toBe('call-cancelled')
  while (pool.states().length > 0) await sleep(20)
  expect(pids().filter(isAlive)).toEqual([])
})

describe('threads [M1, M2, R22]', () => {
  it('have processes, folders and temporary files of their own; a thread that ends leaves its files', async () => {
    const { server, pids } = markedServer({
      calls: { tell: { tell: true }, save: { file: { path: 'page.png', text: 'x' } } },
    })
    const pool = realPool({ max: 3 })
    const threads = Array.from({ length: 10 }, (_, index) => owner(`t${index}`))
    const places = await Promise.all(threads.map((thread) => placeOf(pool, server, thread)))
    expect(new Set(places.map(({ pid }) => pid)).size).toBe(10)
    for (const [index, { cwd, env }] of places.entries()) {
      const workspace = await openWorkspace({ threadsFolder, owner: owner(`t${index}`) })
      expect(cwd).toBe(workspace.cwd)
      const { temp } = workspace
      expect(env).toMatchObject({ TMPDIR: temp, TMP: temp, TEMP: temp })
    }
    const saved = await callTool(pool, server, owner('t9'), 'save')
    await Promise.all(threads.map((thread) => pool.endThread(thread)))
    expect(pool.states()).toEqual([])
    expect(pids().filter(isAlive)).toEqual([])
    expect(readFileSync(saved, 'utf8')).toBe('x')
  })

  it('start a server whose script lies beside the configuration, with the folders that it serves', async () => {
    const { server, pids } = markedServer(telling)
    const pool = realPool()
    mkdirSync(join(folder, 'papers'))
    const [program = '', plan = ''] = server.args
    writeFileSync(join(folder, 'server.mjs'), `await import(${JSON.stringify(pathToFileURL(program).href)})\n`)
    const beside = { ...server, args: ['server.mjs', plan, 'papers'] }
    const { cwd, pid } = await placeOf(pool, beside, owner('a'))
    expect(cwd).toBe((await openWorkspace({ threadsFolder, owner: owner('a') })).cwd)
    expect(pids()).toEqual([pid])
    const here = { ...beside, cwd: folder }
    expect((await placeOf(pool, here, owner('a'))).cwd).toBe(folder)
  })
})
