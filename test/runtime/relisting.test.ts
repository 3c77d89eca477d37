import { expect, it } from 'vitest'
import { relisting } from '../../src/runtime/relisting.ts'
import type { SessionState } from '../../src/sessions/pool/pool.ts'

const owner = { user: 'u', thread: 'main' }
const other = { user: 'u', thread: 'other' }
const state = (more: Partial<SessionState>): SessionState => ({
  server: 'files',
  owner: other,
  phase: 'busy',
  since: '2026-01-01T00:00:00.000Z',
  busy: 1,
  starts: 2,
  failures: 0,
  ...more,
})

function stage(states: readonly SessionState[]) {
  const told: string[] = []
  const lists = relisting({ owner, states: () => states, startedAnew: (server) => told.push(server) })
  return { lists, told, listed: () => lists.through('files', async (through) => through.thread) }
}

it('the session that was started anew is the one that is listed, once', async () => {
  const { lists, told, listed } = stage([state({})])
  lists.noted(state({}))
  expect(told).toEqual(['files'])
  expect([await listed(), await listed()]).toEqual(['other', 'main'])
})

it('a first start, a phase without a session, and a start for a listing are nothing new', async () => {
  const { lists, told } = stage([])
  lists.noted(state({ starts: 1 }))
  for (const phase of ['starting', 'closing', 'waiting', 'broken', 'ended'] as const) lists.noted(state({ phase }))
  await lists.through('files', async () => lists.noted(state({ owner })))
  expect(told).toEqual([])
})

it('a thread that has ended meanwhile gets no session for the sake of a listing', async () => {
  const { lists, listed } = stage([state({ phase: 'closing' })])
  lists.noted(state({}))
  expect(await listed()).toBe('main')
})
