import { join } from 'node:path'
import fc from 'fast-check'
import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { openState } from '../../src/state/open-state.ts'
import type { ThreadKey } from '../../src/state/state-store.ts'
import { aState, codeOf, key, namesOf, withName } from './a-state.ts'
import { aFolder, aStore } from './places.ts'

describe('keys of threads', () => {
  it('never meet, whatever users, threads and agents are called', async () => {
    const store = await openState('sqlite::memory:')
    // Every code unit, lone surrogates and U+0000 among them.
    const text = fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      maxLength: 3,
    })
    const few = fc.oneof(text, fc.constantFrom('', 'a', 'A', '\u00e1', 'a\u0301', 'a\u0000', '"'))
    const aKey: fc.Arbitrary<ThreadKey> = fc.record({ user: few, thread: few, agent: few })
    const keys = fc.uniqueArray(aKey, {
      minLength: 2,
      maxLength: 8,
      comparator: (one, other) => one.user === other.user && one.thread === other.thread && one.agent === other.agent,
    })
    await fc.assert(
      fc.asyncProperty(keys, async (list) => {
        for (const [index, at] of list.entries()) await store.promotions.update(at, () => aState(`tool_${index}`))
        for (const [index, at] of list.entries())
          expect(namesOf(await store.promotions.read(at))).toEqual([`tool_${index}`])
        const [first] = list as [ThreadKey]
        await store.promotions.forget(first)
        for (const at of list) {
          const isForgotten = at.user === first.user && at.thread === first.thread
          expect((await store.promotions.read(at)) === undefined).toBe(isForgotten)
        }
      }),
      { numRuns: 500 },
    )
    await store.close()
  })
})

describe('a file that another process has locked', () => {
  it('is waited for without stopping anything else, and refused by name when that takes too long', async () => {
    const folder = aFolder()
    await (await aStore(folder)).promotions.update(key, () => aState('a'))
    const store = await openState('sqlite:state.db', { folder, busyMs: 150 })
    const other = new Database(join(folder, 'state.db'))
    other.exec('BEGIN IMMEDIATE')
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 5)
    expect(await codeOf(store.promotions.update(key, withName('b')))).toBe('state-busy')
    clearInterval(turning)
    expect(turns).toBeGreaterThan(3)
    expect(await codeOf(store.use.count('main', 'a'))).toBe('state-busy')
    // Reads and changes that change nothing go on.
    expect(namesOf(await store.promotions.read(key))).toEqual(['a'])
    expect(namesOf(await store.promotions.update(key, (before) => before))).toEqual(['a'])
    const waiting = store.promotions.update(key, withName('c'))
    other.exec('COMMIT')
    expect(namesOf(await waiting)).toEqual(['a', 'c'])
    await store.close()
    other.close()
  })
})

describe('what a store refuses', () => {
  it('has a code, a place and a reason', async () => {
    const folder = aFolder()
    const store = await aStore(folder)
    const tooMany = aState(...Array.from({ length: 1001 }, (_, index) => `tool_${index}`))
    const tooLong = aState(...Array.from({ length: 900 }, (_, index) => `${index}${'n'.repeat(1000)}`))
    const refused = [
      store.promotions.update(key, () => tooMany),
      store.promotions.update(key, () => tooLong),
      store.promotions.read({ ...key, thread: 't'.repeat(1025) }),
      store.use.count('main', 't'.repeat(1025)),
    ]
    for (const one of refused)
      await expect(one).rejects.toMatchObject({
        finding: { code: 'state-refused', severity: 'error', origin: { in: join(folder, 'state.db') } },
      })
    await store.close()
    expect(await codeOf(store.promotions.read(key))).toBe('state-closed')
    expect(await codeOf(store.use.count('main', 'a'))).toBe('state-closed')
  })
})

describe('counts of calls', () => {
  it('are kept for the most called tools of an agent and the one just called', async () => {
    const folder = aFolder()
    const store = await aStore(folder)
    await store.use.count('main', 'first')
    const full = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
      INSERT INTO tool_use SELECT '"main"', '"tool_' || i || '"', 2 FROM n`
    const other = new Database(join(folder, 'state.db'))
    other.exec(full)
    await store.use.count('main', 'new')
    const ids = (await store.use.most('main', 10_000)).map(({ id }) => id)
    expect(ids).toHaveLength(5000)
    expect(ids.at(-1)).toBe('new')
    expect(ids).not.toContain('first')
    await store.use.count('child', 'first')
    expect(await store.use.most('main', 10_000)).toHaveLength(5000)
    other.close()
  })

  it('that somebody else wrote are left out where they are no counts', async () => {
    const folder = aFolder()
    const store = await aStore(folder)
    await store.use.count('main', 'good')
    const other = new Database(join(folder, 'state.db'))
    other.exec(
      `INSERT INTO tool_use VALUES ('"main"', 'no JSON', 9), ('"main"', '[1]', 8), ('"main"', '"big"', 9007199254740995)`,
    )
    expect(await store.use.most('main', 9)).toEqual([{ id: 'good', calls: 1 }])
    other.close()
  })
})
