// The pool lets an owner answer its servers and hear them, with real processes.

import { afterEach, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import type { PoolOptions, SessionPool, SessionState } from '../../src/sessions/pool/pool.ts'
import { sessionPool } from '../../src/sessions/pool/session-pool.ts'
import type { SessionPeer } from '../../src/sessions/session.ts'
import type { ThreadOwner } from '../../src/workspace/workspace.ts'
import { freshFolder, scripted } from '../sources/scripted.ts'
import { owner } from './pool-stage.ts'
import { textOf, until } from './session-wires.ts'

const pools: SessionPool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close(0)))
})

const openWith = (server: McpServerConfig, peer?: SessionPeer) =>
  openSession(server, {
    env: { PATH: process.env.PATH ?? '' },
    cwd: freshFolder(),
    timeoutMs: 20_000,
    ...(peer === undefined ? {} : { peer }),
  })

function poolWith(more: Partial<PoolOptions>): SessionPool {
  const pool = sessionPool({ max: 8, idleMs: 60_000, open: ({ server, peer }) => openWith(server, peer), ...more })
  pools.push(pool)
  return pool
}

const look = (pool: SessionPool, server: McpServerConfig, who: ThreadOwner): Promise<unknown> =>
  pool.use(server, who, async (session) => {
    const result = await session.call('look', {}, { idleTimeoutMs: 20_000, totalTimeoutMs: 20_000 })
    return JSON.parse(String(textOf(result)))
  })

const rooted = (uri: string): SessionPeer => ({
  capabilities: { roots: {} },
  ask: async () => ({ roots: [{ uri }] }),
})

it('opens the session of each owner with the peer of that owner', async () => {
  const server = scripted('files', { calls: { look: { ask: { method: 'roots/list' } } } })
  const pool = poolWith({ peerOf: (_, { thread }) => (thread === 'none' ? undefined : rooted(`file:///${thread}`)) })
  expect(await look(pool, server, owner('a'))).toEqual({ roots: [{ uri: 'file:///a' }] })
  expect(await look(pool, server, owner('b'))).toEqual({ roots: [{ uri: 'file:///b' }] })
  expect(await look(pool, server, owner('none'))).toMatchObject({ error: { code: -32601 } })
})

it('takes no session over that was opened without the peer of its owner', async () => {
  const server = scripted('files', { calls: { look: { ask: { method: 'roots/list' } } } })
  const pool = poolWith({ peerOf: () => rooted('file:///a') })
  const listed = await openWith(server)
  expect(await pool.adopt(server, owner('a'), listed)).toBe(false)
  expect(listed.isOpen()).toBe(false)
  expect(await look(pool, server, owner('a'))).toEqual({ roots: [{ uri: 'file:///a' }] })
})

it('tells of every notification with its server and owner, those of an adopted session as well', async () => {
  const note = { method: 'notifications/message', params: { level: 'info', data: 1 } }
  const server = scripted('files', { calls: { look: { notify: [note], text: '{}' } } })
  const told: unknown[] = []
  const pool = poolWith({ onNotification: (...words) => told.push(words) })
  await look(pool, server, owner('a'))
  expect(await pool.adopt(server, owner('b'), await openWith(server))).toBe(true)
  await look(pool, server, owner('b'))
  expect(told).toEqual(['a', 'b'].map((thread) => ['files', owner(thread), note.method, note.params]))
})

it('starts a server anew at once whose process was killed while it served', async () => {
  const server = scripted('files', { calls: { look: { tell: true } } })
  const states: SessionState[] = []
  const pool = poolWith({ onState: (state) => states.push(state) })
  const pid = async () => ((await look(pool, server, owner('a'))) as { readonly pid: number }).pid
  const first = await pid()
  process.kill(first, 'SIGKILL')
  expect(await until(() => states.some(({ phase, lastError }) => phase === 'closing' && lastError !== undefined))).toBe(
    true,
  )
  // The pool lets nobody wait who asks too early: it refuses.
  expect(await pid()).not.toBe(first)
  expect(pool.states()).toMatchObject([{ phase: 'open', starts: 2, lastError: 'was ended by SIGKILL' }])
})
