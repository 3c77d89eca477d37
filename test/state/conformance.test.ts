// Every store of state, held to what stores must hold; and the suite itself, which must find the faults it is there for.

import { join } from 'node:path'
import Database from 'libsql'
import { describe, expect, test } from 'vitest'
import type { PromotionState } from '../../src/catalog/promotion.ts'
import { openState } from '../../src/state/open-state.ts'
import type { StateStore, ThreadKey } from '../../src/state/state-store.ts'
import { stateConformance } from '../../src/testing/state-conformance.ts'

const open = (folder: string): Promise<StateStore> => openState('sqlite:state.db', { folder })

/** As another program would, past all that the store checks. */
async function spoil(folder: string, { user, thread, agent }: ThreadKey, text: string): Promise<void> {
  const database = new Database(join(folder, 'state.db'))
  const columns = [user, thread, agent].map((word) => JSON.stringify(word))
  database.prepare('UPDATE promotion SET state = ? WHERE "user" = ? AND thread = ? AND agent = ?').run(text, ...columns)
  database.close()
}

describe('stores hold what stores must [C4]', () => {
  for (const { name, run } of stateConformance('sqlite', open, { spoil })) test(name, run)
  const inMemory = (): Promise<StateStore> => openState('sqlite::memory:')
  for (const { name, run } of stateConformance('memory', inMemory, { kept: false })) test(name, run)
})

describe('the suite finds a store that', () => {
  /** Titles of the checks that fail where a store is altered so. */
  async function failed(altered: (store: StateStore) => StateStore): Promise<readonly string[]> {
    const opened = async (): Promise<StateStore> => altered(await openState('sqlite::memory:'))
    const titles: string[] = []
    for (const { name, run } of stateConformance('it', opened, { kept: false }))
      await run().catch(() => titles.push(name.slice(4)))
    return titles
  }
  const withPromotions =
    (alter: (promotions: StateStore['promotions']) => Partial<StateStore['promotions']>) =>
    (store: StateStore): StateStore => ({ ...store, promotions: { ...store.promotions, ...alter(store.promotions) } })

  test('reads, waits and writes', async () => {
    const torn = withPromotions(({ read, update }) => ({
      update: async (key, change) => {
        const after = change(await read(key))
        return update(key, () => after)
      },
    }))
    expect(await failed(torn)).toEqual([
      'loses no update of many at once',
      'does updates in the order in which they were asked for',
      'closes twice, does what was asked for before, and refuses what comes after',
    ])
  })

  test('takes whatever it is given', async () => {
    const kept = new Map<string, PromotionState | undefined>()
    const open = withPromotions(() => ({
      read: async (key) => kept.get(JSON.stringify(key)),
      update: async (key, change) => {
        const after = change(kept.get(JSON.stringify(key)))
        kept.set(JSON.stringify(key), after)
        return after
      },
    }))
    expect(await failed(open)).toContain('refuses what could not be read again, and keeps what is stored')
  })

  test('folds names', async () => {
    const plain = (key: ThreadKey): ThreadKey => ({ ...key, thread: key.thread.normalize('NFC') })
    const folding = withPromotions(({ read, update }) => ({
      read: (key) => read(plain(key)),
      update: (key, change) => update(plain(key), change),
    }))
    expect(await failed(folding)).toEqual(['keeps users, threads and agents apart, whatever their names'])
  })

  test('forgets one agent alone', async () => {
    const half = withPromotions(({ update }) => ({
      forget: async (key) => {
        await update({ ...key, agent: 'main' }, () => undefined)
      },
    }))
    expect(await failed(half)).toEqual(['forgets a thread with all its agents, and nothing else'])
  })

  test('lends a conversation to anybody', async () => {
    const lending = (store: StateStore): StateStore => ({
      ...store,
      threads: { ...store.threads, claim: async () => true },
    })
    expect(await failed(lending)).toEqual([
      'refuses a conversation that could not be read again',
      'lends a conversation to one holder at a time',
      'forgets conversations with their checkpoints, and nothing else',
    ])
  })

  test('forgets conversations and leaves their checkpoints', async () => {
    const half = ({ threads, ...store }: StateStore): StateStore => {
      const forget: typeof threads.forget = async ({ user, thread }) => {
        for (const record of await threads.list({ user, limit: 99 }))
          if (record.thread === thread) await threads.update(record, () => undefined)
      }
      return { ...store, threads: { ...threads, forget } }
    }
    expect(await failed(half)).toEqual(['forgets conversations with their checkpoints, and nothing else'])
  })

  test('keeps all checkpoints', async () => {
    const keeping = ({ checkpoints, ...store }: StateStore): StateStore => ({
      ...store,
      checkpoints: { ...checkpoints, put: (place, checkpoint) => checkpoints.put(place, checkpoint, 1e9) },
    })
    expect(await failed(keeping)).toEqual([
      'keeps the checkpoints that were put last, with their writes',
      'keeps writes whose checkpoint is put after them',
    ])
  })

  test('drops writes whose checkpoint is not there yet', async () => {
    const dropping = ({ checkpoints, ...store }: StateStore): StateStore => {
      const putWrites: typeof checkpoints.putWrites = async (place, id, writes) => {
        if ((await checkpoints.read(place, id)) !== undefined) await checkpoints.putWrites(place, id, writes)
      }
      return { ...store, checkpoints: { ...checkpoints, putWrites } }
    }
    expect(await failed(dropping)).toEqual(['keeps writes whose checkpoint is put after them'])
  })
})
