// What becomes of promotions while servers, rules and runs change under a thread, kept in a real store. The steps are
// those of threads that went wrong elsewhere: a schema that changed behind a name, a search that came back late, a
// catalog that came back.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Catalog } from '../../src/catalog/catalog.ts'
import { type PromotionState, promote, promotedEntries, reconcile } from '../../src/catalog/promotion.ts'
import { openState } from '../../src/state/open-state.ts'
import type { StateStore } from '../../src/state/state-store.ts'
import type { FactsOverrides } from '../../src/testing/index.ts'
import { catalogWith, found, type Offer } from './promotion-catalogs.ts'

let store: StateStore
beforeEach(async () => {
  store = await openState('sqlite::memory:')
})
afterEach(() => store.close())

/** A thread and the catalog that is in force for it. Whatever brings another catalog reconciles. */
function aThread(agent = 'main') {
  const key = { user: 'ada', thread: 't1', agent }
  let catalog: Catalog = catalogWith([])
  const change = (how: (before: PromotionState | undefined) => PromotionState | undefined) =>
    store.promotions.update(key, how)
  return {
    catalog: async (offers: readonly (Offer | string)[], facts: FactsOverrides = {}) => {
      catalog = catalogWith(offers, facts)
      await change((before) => reconcile(before, catalog).state)
    },
    promote: (...names: readonly string[]) =>
      change((before) => promote(before, found(catalog, ...names), catalog, { max: 20 }).state),
    /** A search that is begun now; what it gives back lets it finish. */
    search: (...names: readonly string[]) => {
      const wanted = found(catalog, ...names)
      return () => change((before) => promote(before, wanted, catalog, { max: 20 }).state)
    },
    turn: () => change((before) => reconcile(before, catalog).state),
    visible: async () => promotedEntries(await store.promotions.read(key), catalog).map(({ name }) => name),
  }
}

describe('a promotion of a thread', () => {
  it('lasts from turn to turn', async () => {
    const thread = aThread()
    await thread.catalog(['a', 'b'])
    await thread.promote('a')
    expect(await thread.visible()).toEqual(['a'])
    await thread.turn()
    expect(await thread.visible()).toEqual(['a'])
  })

  it.each<[string, Offer]>([
    ['arguments', { name: 'a', takes: ['path'] }],
    ['description', { name: 'a', description: 'another text' }],
    ['server', { name: 'a', server: 'other' }],
  ])('is void when the %s behind the name change, and stays so when they come back [C4]', async (_what, changed) => {
    const thread = aThread()
    await thread.catalog(['a', 'b'])
    await thread.promote('a', 'b')
    await thread.catalog([changed, 'b'])
    expect(await thread.visible()).toEqual(['b'])
    await thread.catalog(['a', 'b'])
    expect(await thread.visible()).toEqual(['b'])
    await thread.promote('a')
    expect(await thread.visible()).toEqual(['a', 'b'])
  })

  it('outlives another order of the same tools', async () => {
    const thread = aThread()
    await thread.catalog(['a', 'b', 'c'])
    await thread.promote('c', 'b')
    await thread.catalog(['c', 'b', 'a'])
    expect(await thread.visible()).toEqual(['c', 'b'])
  })

  it('is not made by a slow search of tools that have changed since, which wipes nothing newer either', async () => {
    const thread = aThread()
    await thread.catalog(['a', 'c'])
    const finish = thread.search('a', 'c')
    await thread.catalog([{ name: 'a', takes: ['z'] }, 'b', 'c'])
    await thread.promote('b')
    await finish()
    expect(await thread.visible()).toEqual(['b', 'c'])
  })

  it('gives way to a rule that is written later', async () => {
    const thread = aThread()
    await thread.catalog(['a', 'b'])
    await thread.promote('a', 'b')
    const deny = {
      permissions: { rules: [{ effect: 'deny', text: 'a', scope: 'config', origin: { in: 'toolgate.yaml' } }] },
    } as const
    await thread.catalog(['a', 'b'], deny)
    expect(await thread.visible()).toEqual(['b'])
    // The rule is lifted: the tool is what the thread was shown.
    await thread.catalog(['a', 'b'])
    expect(await thread.visible()).toEqual(['a', 'b'])
  })

  it("is its own agent's: a child begins with none, and gives none back", async () => {
    const [parent, child] = [aThread(), aThread('researcher')]
    for (const one of [parent, child]) await one.catalog(['a', 'b'])
    await parent.promote('a')
    expect(await child.visible()).toEqual([])
    await child.promote('b')
    expect([await parent.visible(), await child.visible()]).toEqual([['a'], ['b']])
  })

  it('survives two searches that come back at the same moment', async () => {
    const thread = aThread()
    await thread.catalog(['a', 'b', 'c'])
    await Promise.all(['c', 'a', 'b'].map((name) => thread.search(name)()))
    expect(await thread.visible()).toEqual(['a', 'b', 'c'])
  })
})
