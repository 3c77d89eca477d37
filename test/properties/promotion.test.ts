// Promotions under everything at once: searches that take their time, catalogs that change, tools that are demoted, in
// orders that a scheduler picks, through a real store. What must hold is worked out from what was asked for, and in
// which order the store did it, by rules of their own.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Catalog } from '../../src/catalog/catalog.ts'
import {
  demote,
  type Promotion,
  type PromotionChange,
  type PromotionState,
  promote,
  promotedEntries,
  reconcile,
} from '../../src/catalog/promotion.ts'
import { openState } from '../../src/state/open-state.ts'
import type { PromotionStore } from '../../src/state/state-store.ts'
import { catalogWith, found, type Offer } from '../catalog/promotion-catalogs.ts'
import { seldom } from './harness.ts'

const names = ['a', 'b', 'constructor'] as const
type Name = (typeof names)[number]
/** Of each name the version that is offered; 0: none. */
type Versions = readonly number[]

const made = new Map<string, Catalog>()
function catalogOfVersions(versions: Versions): Catalog {
  const word = versions.join()
  const offers = names.flatMap((name, index): Offer[] => {
    const version = versions[index] ?? 0
    return version === 0 ? [] : [{ name, description: `version ${version}` }]
  })
  const catalog = made.get(word) ?? catalogWith(offers)
  made.set(word, catalog)
  return catalog
}

type Act =
  | { readonly kind: 'search'; readonly wanted: readonly Name[] }
  | { readonly kind: 'catalog'; readonly versions: Versions }
  | { readonly kind: 'demote'; readonly name: Name }

const someVersions = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: names.length, maxLength: names.length })
const anAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('search' as const), wanted: fc.subarray([...names], { minLength: 1 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('catalog' as const), versions: someVersions }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('demote' as const), name: fc.constantFrom(...names) }) },
)

/** One thing that the store did, as it stood when it was done. */
interface Done {
  readonly catalog: Catalog
  readonly wanted: readonly Promotion[]
  readonly demoted?: Name
  readonly change: PromotionChange
}

const key = { user: 'ada', thread: 't1', agent: 'main' }
const limits = { max: 50 }

/** Plays the acts, each waiting at the store's door and behind it. Gives what was done, in its order. */
async function play(acts: readonly Act[], scheduler: fc.Scheduler, promotions: PromotionStore) {
  let catalog = catalogOfVersions([1, 1, 1])
  const done: Done[] = []
  const pause = (what: string): Promise<unknown> => scheduler.schedule(Promise.resolve(), what)

  async function change(
    more: Omit<Done, 'catalog' | 'change'>,
    how: (before: PromotionState | undefined) => PromotionChange,
  ) {
    await pause('on the way to the store')
    let last: Done | undefined
    await promotions.update(key, (before) => {
      // It may be asked more than once, and what it says last counts.
      last = { ...more, catalog, change: how(before) }
      return last.change.state
    })
    if (last !== undefined) done.push(last)
    await pause('on the way back')
  }

  const acting = acts.map(async (act, index) => {
    await pause(`act ${index} begins`)
    switch (act.kind) {
      case 'search': {
        const wanted = found(catalog, ...act.wanted)
        await pause('searching')
        await change({ wanted }, (before) => promote(before, wanted, catalog, limits))
        break
      }
      case 'catalog':
        catalog = catalogOfVersions(act.versions)
        await change({ wanted: [] }, (before) => reconcile(before, catalog))
        break
      case 'demote':
        await change({ wanted: [], demoted: act.name }, (before) => demote(before, [act.name], catalog))
    }
  })
  await scheduler.waitFor(Promise.all(acting))
  return { catalog, done }
}

const wordOf = ({ name, definitionHash }: { readonly name: string; readonly definitionHash: string }): string =>
  `${name} ${definitionHash}`
const has = (catalog: Catalog, { name, definitionHash }: Promotion): boolean =>
  catalog.find(name)?.definitionHash === definitionHash
/** It has the name with another definition. What it does not have at all may come back. */
const belies = (catalog: Catalog, one: Promotion): boolean => catalog.find(one.name) !== undefined && !has(catalog, one)

describe('late writes, in any order [C4]', () => {
  it('leave only what the catalog of now has, all that it has had since it was asked for, and nothing invented [P16]', async () => {
    const store = await openState('sqlite::memory:')
    let kept = 0
    let voided = 0
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(anAct, { minLength: 2, maxLength: 9 }), async (scheduler, acts) => {
        await store.promotions.forget(key)
        const { catalog, done } = await play(acts, scheduler, store.promotions)
        const state = await store.promotions.read(key)
        const promoted = state?.promoted ?? []

        for (const one of promoted) expect(belies(catalog, one), `${one.name} is another tool now`).toBe(false)
        const entries = promotedEntries(state, catalog)
        for (const entry of entries)
          expect(catalog.find(entry.name), `${entry.name} is not in the catalog of now`).toBe(entry)
        expect(entries).toEqual(catalog.entries.filter((entry) => promoted.some(({ name }) => name === entry.name)))

        const asked = new Set(done.flatMap(({ wanted }) => wanted.map(wordOf)))
        for (const one of promoted) expect(asked.has(wordOf(one)), `${one.name} was never asked for`).toBe(true)

        // Whatever was asked for, true then, and belied by nothing since is there.
        const lasting = new Set<string>()
        for (const [index, { wanted, catalog: then }] of done.entries()) {
          const later = done.slice(index + 1)
          for (const one of wanted) {
            const catalogs = [...later.map((other) => other.catalog), catalog]
            const isTrue = has(then, one) && !catalogs.some((each) => belies(each, one))
            if (isTrue && !later.some(({ demoted }) => demoted === one.name)) lasting.add(wordOf(one))
            if (!has(then, one)) voided += 1
          }
        }
        expect(promoted.map(wordOf).sort()).toEqual([...lasting].sort())
        kept += promoted.length

        // Each change tells what it did: the states before and after differ by just that.
        let before: readonly Promotion[] = []
        for (const { change } of done) {
          const after = change.state?.promoted ?? []
          const gone = new Set(change.dropped.map(({ name }) => name))
          expect(change.added).toEqual(after.filter((one) => !before.some((other) => wordOf(other) === wordOf(one))))
          for (const { name } of before)
            expect(
              after.some((one) => one.name === name),
              name,
            ).toBe(!gone.has(name))
          before = after
        }
      }),
      { numRuns: seldom },
    )
    await store.close()
    // The worlds reach what they are about.
    expect(Math.min(kept, voided)).toBeGreaterThan(100)
  })
})

describe('a promotion [P15]', () => {
  const anOffer: fc.Arbitrary<Offer> = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'toString', 'constructor'),
    server: fc.constantFrom('one', 'two'),
    description: fc.string({ unit: 'grapheme', maxLength: 8 }),
    takes: fc.uniqueArray(fc.constantFrom('path', 'q', 'Q', 'limit'), { minLength: 1 }),
  })
  const offers = fc.uniqueArray(anOffer, { selector: ({ name }) => name, minLength: 1, maxLength: 5 })
  const all = (list: readonly Offer[]): { readonly catalog: Catalog; readonly state: PromotionState | undefined } => {
    const catalog = catalogWith(list)
    const wanted = found(catalog, ...catalog.entries.map(({ name }) => name))
    return { catalog, state: promote(undefined, wanted, catalog, limits).state }
  }

  it('is void after any change of server, description or arguments, opens nothing under another name, and only that one', () => {
    const aChange = fc.constantFrom<((offer: Offer) => Offer)[]>(
      (offer) => ({ ...offer, server: `${offer.server}x` }),
      (offer) => ({ ...offer, name: `${offer.name}x` }),
      (offer) => ({ ...offer, description: `${offer.description}x` }),
      (offer) => ({ ...offer, takes: [...(offer.takes ?? []), 'more'] }),
      (offer) => ({ ...offer, takes: (offer.takes ?? []).slice(1) }),
    )
    fc.assert(
      fc.property(offers, fc.nat(), aChange, (list, at, changed) => {
        const { state } = all(list)
        const chosen = list[at % list.length] as Offer
        const later = catalogWith(list.map((offer) => (offer === chosen ? changed(offer) : offer)))
        const after = reconcile(state, later)
        const stay = (state?.promoted ?? []).filter(({ name }) => name !== chosen.name)
        // Under another name it is another tool; the one that was promoted is not there, and waits.
        const isThere = later.find(chosen.name) !== undefined
        expect(after.state?.promoted.filter(({ name }) => name !== chosen.name)).toEqual(stay)
        expect(after.dropped.map(({ name }) => name)).toEqual(isThere ? [chosen.name] : [])
        expect(
          promotedEntries(state, later)
            .map(({ name }) => name)
            .sort(),
        ).toEqual(stay.map(({ name }) => name).sort())
      }),
      { numRuns: seldom },
    )
  })

  it('outlives any order of tools and of arguments', () => {
    fc.assert(
      fc.property(offers, fc.infiniteStream(fc.nat()), (list, chances) => {
        const { state } = all(list)
        const shuffled = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => [chances.next().value as number, item] as const)
            .sort(([one], [other]) => one - other)
            .map(([, item]) => item)
        const later = catalogWith(shuffled(list).map((offer) => ({ ...offer, takes: shuffled(offer.takes ?? []) })))
        expect(reconcile(state, later).state).toBe(state)
        expect(promotedEntries(state, later)).toHaveLength(state?.promoted.length ?? 0)
      }),
      { numRuns: seldom },
    )
  })
})
