import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runningPrograms, sessionBoard } from '../../src/runtime/session-board.ts'
import type { SessionState } from '../../src/sessions/pool/pool.ts'

const folder = (): string => mkdtempSync(join(tmpdir(), 'toolgate-test-'))
const session: SessionState = {
  server: 'files',
  owner: { user: 'u', thread: 't' },
  phase: 'open',
  since: '2026-01-01T00:00:00.000Z',
  pid: 7,
  busy: 0,
  starts: 1,
  failures: 0,
}

it('a program tells of its sessions while it runs', async () => {
  const state = folder()
  let sessions: readonly SessionState[] = []
  const board = sessionBoard({
    stateFolder: state,
    program: 'serve',
    sessions: () => sessions,
    redacted: (text) => text,
  })
  sessions = [session]
  board.changed()
  await vi.waitFor(async () => expect((await runningPrograms(state))[0]?.sessions).toEqual([session]))
  expect((await runningPrograms(state))[0]?.program).toBe('serve')
  await board.close()
  expect(await runningPrograms(state)).toEqual([])
})

it('what a killed program left is removed, and what cannot be read is passed over', async () => {
  const state = folder()
  const running = join(state, 'running')
  mkdirSync(running)
  writeFileSync(join(running, '999999999-00000000.json'), '{}')
  writeFileSync(join(running, `${process.pid}-00000000.json`), 'torn')
  writeFileSync(join(running, 'notes.txt'), '')
  expect(await runningPrograms(state)).toEqual([])
  expect(readdirSync(running)).not.toContain('999999999-00000000.json')
})

it('what a server said of its end is written without the secrets of the configuration', async () => {
  const state = folder()
  const died: SessionState = { ...session, phase: 'waiting', lastError: 'exited with code 1; it said: no key hunter2' }
  const board = sessionBoard({
    stateFolder: state,
    program: 'serve',
    sessions: () => [died],
    redacted: (text) => text.replaceAll('hunter2', '***'),
  })
  board.changed()
  const running = join(state, 'running')
  const written = () =>
    readdirSync(running)
      .map((name) => readFileSync(join(running, name), 'utf8'))
      .join()
  await vi.waitFor(() => expect(written()).toContain('no key ***'))
  expect(written()).not.toContain('hunter2')
  await board.close()
})
