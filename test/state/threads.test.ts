// What is stored of conversations, where somebody else has been at the file, or an older version wrote it.

import { join } from 'node:path'
import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { applicationId, migrate } from '../../src/state/sqlite/sqlite-schema.ts'
import type { CheckpointPlace, ThreadRecord } from '../../src/state/thread-state.ts'
import { aState, codeOf, key } from './a-state.ts'
import { aFolder, aStore } from './places.ts'

const record: ThreadRecord = {
  ...key,
  title: 'Where is the key?',
  startedAt: 'now',
  updatedAt: 'now',
  turns: 1,
  state: 'answered',
  skills: [],
  waitingFor: [],
}
const place: CheckpointPlace = { ...key, run: '', namespace: '' }
const encoded = { type: 'json', bytes: new TextEncoder().encode('{}') }
const checkpoint = { id: 'id1', checkpoint: encoded, metadata: encoded }
const write = { taskId: 't', taskPath: '', index: 0, channel: 'c', value: encoded, replace: false }

/** Done by another program. */
function inFile(folder: string, sql: string): void {
  const database = new Database(join(folder, 'state.db'))
  database.exec(sql)
  database.close()
}

/** As this version makes it, and back to what the second version wrote. */
function ofSecondVersion(folder: string): void {
  const old = new Database(join(folder, 'state.db'))
  migrate({
    exec: (sql) => void old.exec(sql),
    run: () => {},
    rows: (sql) => old.prepare(sql).all() as { [column: string]: unknown }[],
    close: () => {},
  })
  old.exec(`DROP TABLE conversation; DROP TABLE conversation_claim; DROP TABLE checkpoint; DROP TABLE checkpoint_write;
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = 2`)
  const columns = [key.user, key.thread, key.agent].map((word) => JSON.stringify(word))
  old.prepare('INSERT INTO promotion VALUES (?, ?, ?, ?)').run(...columns, JSON.stringify(aState('a')))
  old.close()
}

describe('a state of the second version', () => {
  it('keeps what it holds, and takes conversations from now on', async () => {
    const folder = aFolder()
    ofSecondVersion(folder)
    const store = await aStore(folder)
    expect(await store.promotions.read(key)).toEqual(aState('a'))
    await store.threads.update(key, () => record)
    await store.checkpoints.put(place, checkpoint, 2)
    expect(await store.threads.list({ user: 'user', limit: 9 })).toEqual([record])
    expect((await store.checkpoints.read(place))?.checkpoint.id).toBe('id1')
    expect(store.findings).toEqual([])
  })
})

describe('a conversation that is stored', () => {
  it('is none where it has another form or another key, and is written anew', async () => {
    const folder = aFolder()
    const { threads } = await aStore(folder)
    const rubbish = [
      '',
      'null',
      JSON.stringify(record).slice(0, -1),
      JSON.stringify({ ...record, thread: 'other' }),
      JSON.stringify({ ...record, state: 'gone' }),
      JSON.stringify({ ...record, turns: -1 }),
      JSON.stringify({ ...record, waitingFor: [{ kind: 'nothing', callId: 'a', agent: 'b' }] }),
      JSON.stringify({ ...record, title: 'x'.repeat(2_000_000) }),
    ]
    for (const state of rubbish) {
      await threads.update(key, () => record)
      const other = new Database(join(folder, 'state.db'))
      other.prepare('UPDATE conversation SET state = ?').run(state)
      other.close()
      expect(await threads.read(key), state.slice(0, 60)).toBeUndefined()
      expect(await threads.list({ user: 'user', limit: 9 })).toEqual([])
      expect(await threads.update(key, (before) => before ?? record)).toEqual(record)
      expect(await threads.read(key)).toEqual(record)
    }
  })

  it('is told where it is too long', async () => {
    const { threads, checkpoints } = await aStore(aFolder())
    expect(await codeOf(threads.update(key, () => ({ ...record, title: 'x'.repeat(2_000_000) })))).toBe('state-refused')
    const long = { type: 'json', bytes: new Uint8Array(64 * 1024 * 1024 + 1) }
    expect(await codeOf(checkpoints.put(place, { ...checkpoint, checkpoint: long }, 2))).toBe('state-refused')
  })
})

describe('a checkpoint that is stored', () => {
  it.each([
    'UPDATE checkpoint SET id = id || 1 WHERE seq > 0',
    `UPDATE checkpoint SET parent = '[]'`,
    `UPDATE checkpoint SET type = 'json'`,
    `UPDATE checkpoint SET metadata_type = ''`,
    'UPDATE checkpoint SET body = zeroblob(64 * 1024 * 1024 + 1)',
    'UPDATE checkpoint SET metadata = zeroblob(64 * 1024 * 1024 + 1)',
  ])('is none where somebody else wrote it: %s', async (sql) => {
    const folder = aFolder()
    const { checkpoints } = await aStore(folder)
    await checkpoints.put(place, checkpoint, 2)
    inFile(folder, sql)
    expect(await checkpoints.read(place)).toBeUndefined()
    expect(await checkpoints.list(place, { limit: 9 })).toEqual([])
    await checkpoints.put(place, { ...checkpoint, id: 'id2' }, 2)
    expect((await checkpoints.read(place))?.checkpoint.id).toBe('id2')
  })

  it.each([
    [`UPDATE checkpoint_write SET task = 'no JSON'`, ['u']],
    ['UPDATE checkpoint_write SET number = 9007199254740995', ['u']],
    [`UPDATE checkpoint_write SET type = '7'`, ['u']],
    // The step is full of it, so that it takes no more.
    ['UPDATE checkpoint_write SET body = zeroblob(64 * 1024 * 1024 + 1)', []],
  ])('is without a write that somebody else wrote: %s', async (sql, left) => {
    const folder = aFolder()
    const { checkpoints } = await aStore(folder)
    await checkpoints.put(place, checkpoint, 2)
    await checkpoints.putWrites(place, 'id1', [write])
    inFile(folder, sql)
    await checkpoints.putWrites(place, 'id1', [{ ...write, taskId: 'u' }]).catch(() => {})
    expect((await checkpoints.read(place))?.writes.map(({ taskId }) => taskId)).toEqual(left)
  })

  it('leaves no row behind when it was forgotten', async () => {
    const folder = aFolder()
    const store = await aStore(folder)
    for (const id of ['id1', 'id2', 'id3']) {
      await store.checkpoints.put(place, { ...checkpoint, id }, 2)
      await store.checkpoints.putWrites(place, id, [write])
    }
    const rows = (table: string): number => {
      const other = new Database(join(folder, 'state.db'))
      const [row] = other.prepare(`SELECT count(*) AS n FROM ${table}`).all() as { n: number }[]
      other.close()
      return row?.n ?? -1
    }
    expect([rows('checkpoint'), rows('checkpoint_write')]).toEqual([2, 2])
    await store.threads.forget(key)
    expect([rows('checkpoint'), rows('checkpoint_write')]).toEqual([0, 0])
  })
})
