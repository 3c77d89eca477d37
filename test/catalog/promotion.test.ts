import { describe, expect, it } from 'vitest'
import type { Catalog } from '../../src/catalog/catalog.ts'
import {
  demote,
  type Promotion,
  type PromotionChange,
  type PromotionState,
  promote,
  promotedEntries,
  promotionsMax,
  readPromotionState,
  reconcile,
} from '../../src/catalog/promotion.ts'
import { canonicalJson, type Json } from '../../src/core/json.ts'
import { catalogWith, found } from './promotion-catalogs.ts'

const plenty = { max: 100 }
const namesOf = (state: PromotionState | undefined): readonly string[] =>
  (state?.promoted ?? []).map(({ name }) => name)
const shown = ({ state, added, dropped }: PromotionChange): object => ({
  promoted: namesOf(state),
  added: added.map(({ name }) => name),
  dropped: dropped.map(({ name, why }) => `${name}: ${why}`),
})

const abc = catalogWith(['a', 'b', 'c'])
const holding = (...names: readonly string[]): PromotionState | undefined =>
  promote(undefined, found(abc, ...names), abc, plenty).state

describe('promoting [C4]', () => {
  it('adds what was found, and holds it against the catalog of now', () => {
    const change = promote(undefined, found(abc, 'b', 'a'), abc, plenty)
    expect(shown(change)).toEqual({ promoted: ['b', 'a'], added: ['b', 'a'], dropped: [] })
    expect(change.state).toEqual({ version: 1, catalogHash: abc.hash, promoted: found(abc, 'b', 'a') })
  })

  it('keeps what was there, and moves what is promoted again to the end', () => {
    const change = promote(holding('a', 'b'), found(abc, 'c', 'a'), abc, plenty)
    expect(shown(change)).toEqual({ promoted: ['b', 'c', 'a'], added: ['c'], dropped: [] })
  })

  it('gives the same state when nothing changes, so that nothing is stored', () => {
    const before = holding('a', 'b')
    expect(promote(before, [], abc, plenty).state).toBe(before)
    expect(promote(before, found(abc, 'b'), abc, plenty).state).toBe(before)
    expect(promote(before, found(abc, 'a'), abc, plenty).state).not.toBe(before)
    expect(promote(undefined, [], abc, plenty)).toEqual({ state: undefined, added: [], dropped: [] })
  })

  it('takes each name once, and only where the catalog has it with that very definition', () => {
    const [a] = found(abc, 'a') as [Promotion]
    const wanted = [{ ...a, definitionHash: 'of an earlier a' }, a, a, { ...a, name: 'z' }, { ...a, name: 'A' }]
    expect(shown(promote(undefined, wanted, abc, plenty))).toEqual({
      promoted: ['a'],
      added: ['a'],
      dropped: ['z: gone', 'A: gone'],
    })
  })

  it('changes nothing of what it is given, and gives what cannot be changed', () => {
    const before = holding('a')
    const text = canonicalJson(before as unknown as Json)
    const { state } = promote(before, found(abc, 'b'), abc, plenty)
    expect(canonicalJson(before as unknown as Json)).toBe(text)
    expect(Object.isFrozen(state) && Object.isFrozen(state?.promoted)).toBe(true)
  })
})

describe('a late search', () => {
  it('of a catalog whose tool has changed promotes nothing, and wipes nothing that is newer', () => {
    const wanted = found(abc, 'a')
    const later = catalogWith([{ name: 'a', takes: ['z'] }, 'b'])
    const newer = promote(undefined, found(later, 'a', 'b'), later, plenty).state
    expect(shown(promote(newer, wanted, later, plenty))).toEqual({ promoted: ['a', 'b'], added: [], dropped: [] })
    const other = promote(undefined, found(later, 'b'), later, plenty).state
    expect(shown(promote(other, wanted, later, plenty))).toEqual({
      promoted: ['b'],
      added: [],
      dropped: ['a: changed'],
    })
  })

  it('of a catalog whose tool is the same promotes it: nothing is lost', () => {
    const later = catalogWith(['a', { name: 'b', description: 'new' }])
    const other = promote(undefined, found(later, 'b'), later, plenty).state
    expect(namesOf(promote(other, found(abc, 'a'), later, plenty).state)).toEqual(['b', 'a'])
  })
})

describe('another catalog', () => {
  it('drops for good what is changed, and tells it once; what is gone waits, and opens nothing', () => {
    const later = catalogWith([{ name: 'b', description: 'new' }, 'c'])
    const change = reconcile(holding('a', 'b', 'c'), later)
    expect(shown(change)).toEqual({ promoted: ['a', 'c'], added: [], dropped: ['b: changed'] })
    expect(change.state?.catalogHash).toBe(later.hash)
    expect(promotedEntries(change.state, later).map(({ name }) => name)).toEqual(['c'])
    expect(shown(reconcile(change.state, later))).toEqual({ promoted: ['a', 'c'], added: [], dropped: [] })
    expect(shown(reconcile(change.state, abc))).toEqual({ promoted: ['a', 'c'], added: [], dropped: [] })
    expect(promotedEntries(reconcile(change.state, abc).state, abc).map(({ name }) => name)).toEqual(['a', 'c'])
  })

  it('of a server that flaps takes nothing from anybody: while it is down its tools open nothing', () => {
    const both = catalogWith(['a', { name: 'w', server: 'web' }])
    const without = catalogWith(['a'])
    let state = promote(undefined, found(both, 'a', 'w'), both, plenty).state
    for (const catalog of [without, both, without]) state = reconcile(state, catalog).state
    expect(promotedEntries(state, without).map(({ name }) => name)).toEqual(['a'])
    state = reconcile(state, both).state
    expect(promotedEntries(state, both).map(({ name }) => name)).toEqual(['a', 'w'])
  })

  it('of the same hash gives the state as it is', () => {
    const before = holding('a', 'b')
    expect(reconcile(before, abc).state).toBe(before)
    expect(reconcile(before, catalogWith(['c', 'b', 'a'])).state).toBe(before)
    expect(reconcile(undefined, abc)).toEqual({ state: undefined, added: [], dropped: [] })
  })
})

describe('demoting', () => {
  it('takes out what is named, and ignores what is not promoted', () => {
    const change = demote(holding('a', 'b', 'c'), ['b', 'z', 'b'], abc)
    expect(shown(change)).toEqual({ promoted: ['a', 'c'], added: [], dropped: ['b: demoted'] })
    const before = holding('a')
    expect(demote(before, ['b'], abc).state).toBe(before)
    expect(demote(undefined, ['a'], abc).state).toBeUndefined()
  })

  it('holds the rest against the catalog', () => {
    const later = catalogWith(['a', { name: 'b', description: 'new' }, 'c'])
    expect(shown(demote(holding('a', 'b', 'c'), ['a'], later))).toEqual({
      promoted: ['c'],
      added: [],
      dropped: ['b: changed', 'a: demoted'],
    })
  })
})

describe('limits', () => {
  const costs = (state: PromotionState | undefined): number =>
    (state?.promoted ?? []).reduce((sum, { tokens }) => sum + tokens, 0)
  const priced = (catalog: Catalog, prices: Readonly<Record<string, number>>): readonly Promotion[] =>
    found(catalog, ...Object.keys(prices)).map((one) => ({ ...one, tokens: prices[one.name] ?? 0 }))

  it('demote the least recently promoted, and tell it', () => {
    const change = promote(holding('a', 'b'), found(abc, 'c'), abc, { max: 2 })
    expect(shown(change)).toEqual({ promoted: ['b', 'c'], added: ['c'], dropped: ['a: over-limit'] })
    const again = promote(promote(holding('a', 'b'), found(abc, 'a'), abc, { max: 2 }).state, found(abc, 'c'), abc, {
      max: 2,
    })
    expect(namesOf(again.state)).toEqual(['a', 'c'])
  })

  it('take the best of more than there is room for', () => {
    const change = promote(holding('c'), found(abc, 'a', 'b', 'c'), abc, { max: 2 })
    expect(shown(change)).toEqual({ promoted: ['a', 'b'], added: ['a', 'b'], dropped: ['c: over-limit'] })
  })

  it('hold the tokens within the budget', () => {
    const before = promote(undefined, priced(abc, { a: 40, b: 40 }), abc, { max: 9, budgetTokens: 100 }).state
    const change = promote(before, priced(abc, { c: 50 }), abc, { max: 9, budgetTokens: 100 })
    expect(shown(change)).toEqual({ promoted: ['b', 'c'], added: ['c'], dropped: ['a: over-budget'] })
    expect(costs(change.state)).toBe(90)
  })

  it('refuse what alone is over the budget, which pushes nothing out', () => {
    const before = promote(undefined, priced(abc, { a: 40 }), abc, { max: 9, budgetTokens: 100 }).state
    const change = promote(before, priced(abc, { b: 101, c: 60 }), abc, { max: 9, budgetTokens: 100 })
    expect(shown(change)).toEqual({ promoted: ['a', 'c'], added: ['c'], dropped: ['b: over-budget'] })
  })

  it('that are lower than before take out first what alone is over them', () => {
    const before = promote(undefined, priced(abc, { a: 10, b: 500, c: 10 }), abc, plenty).state
    expect(shown(promote(before, [], abc, { max: 9, budgetTokens: 20 }))).toMatchObject({ promoted: ['a', 'c'] })
  })

  it('that are no numbers leave no room, and none is above what can be stored', () => {
    for (const limits of [{ max: Number.NaN }, { max: -1 }, { max: 0 }, { max: 9, budgetTokens: Number.NaN }])
      expect(namesOf(promote(holding('a'), found(abc, 'b'), abc, limits).state)).toEqual([])
    const names = Array.from({ length: promotionsMax + 5 }, (_, index) => `tool_${index}`)
    const big = catalogWith(names)
    const { state, dropped } = promote(undefined, found(big, ...names), big, { max: Number.POSITIVE_INFINITY })
    expect([namesOf(state).length, dropped.length]).toEqual([promotionsMax, 5])
    expect(readPromotionState(JSON.parse(JSON.stringify(state)))).toEqual(state)
  })

  it('take a cost that is no number for none, so that the state can be stored', () => {
    const wanted = found(abc, 'a', 'b').map((one) => ({ ...one, tokens: Number.NaN }))
    const { state } = promote(undefined, wanted, abc, { max: 9, budgetTokens: 1 })
    expect(readPromotionState(state)).toEqual(state)
    expect(namesOf(state)).toEqual(['a', 'b'])
  })
})

describe('what the model gets', () => {
  it('stands in the order of the catalog, however it was promoted', () => {
    const names = (state: PromotionState | undefined) => promotedEntries(state, abc).map(({ name }) => name)
    expect(names(holding('c', 'a'))).toEqual(['a', 'c'])
    expect(names(promote(holding('c', 'a'), found(abc, 'b'), abc, plenty).state)).toEqual(['a', 'b', 'c'])
    expect(names(undefined)).toEqual([])
  })

  it('has name and definition both, whatever the state says of its catalog', () => {
    const before = holding('a', 'b') as PromotionState
    const later = catalogWith([{ name: 'a', takes: ['z'] }, 'b'])
    const forged = { ...before, catalogHash: later.hash }
    for (const state of [before, forged]) expect(promotedEntries(state, later)).toEqual([later.find('b')])
  })

  it('of a catalog with no such thing is nothing, also for names that every object has', () => {
    const odd = catalogWith(['constructor', 'toString'])
    const state = promote(undefined, found(odd, 'constructor'), odd, plenty).state
    expect(promotedEntries(state, odd).map(({ name }) => name)).toEqual(['constructor'])
    expect(promotedEntries(state, abc)).toEqual([])
  })
})

describe('what was stored', () => {
  const good = { version: 1, catalogHash: 'c', promoted: [{ name: 'a', definitionHash: 'd', by: 'search', tokens: 3 }] }
  const [one] = good.promoted

  it('is read as it was, without what does not belong there', () => {
    expect(readPromotionState({ ...good, more: 1, promoted: [{ ...one, more: 2 }] })).toEqual(good)
    expect(readPromotionState({ ...good, promoted: [] })).toEqual({ ...good, promoted: [] })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', JSON.stringify(good)],
    ['a list', [good]],
    ['another version', { ...good, version: 2 }],
    ['a version as text', { ...good, version: '1' }],
    ['no catalog', { ...good, catalogHash: undefined }],
    ['an empty catalog hash', { ...good, catalogHash: '' }],
    ['a long catalog hash', { ...good, catalogHash: 'c'.repeat(1000) }],
    ['no list', { ...good, promoted: {} }],
    ['too many', { ...good, promoted: Array.from({ length: 1001 }, (_, index) => ({ ...one, name: `${index}` })) }],
    ['a name twice', { ...good, promoted: [one, { ...one, definitionHash: 'e' }] }],
    ['a promotion that is none', { ...good, promoted: [one, null] }],
    ['a hole', { ...good, promoted: Object.assign([one], { length: 3 }) }],
    ['a name that is none', { ...good, promoted: [{ ...one, name: 7 }] }],
    ['a long name', { ...good, promoted: [{ ...one, name: 'n'.repeat(2000) }] }],
    ['no definition hash', { ...good, promoted: [{ ...one, definitionHash: '' }] }],
    ['nobody', { ...good, promoted: [{ ...one, by: 'nobody' }] }],
    ['somebody of every object', { ...good, promoted: [{ ...one, by: 'constructor' }] }],
    ['a negative cost', { ...good, promoted: [{ ...one, tokens: -1 }] }],
    ['a cost that is none', { ...good, promoted: [{ ...one, tokens: Number.POSITIVE_INFINITY }] }],
    ['a prototype that says it all', Object.create(good)],
    ['JSON with a prototype', JSON.parse(`{"__proto__": ${JSON.stringify(good)}}`)],
    [
      'a value that throws',
      Object.defineProperty({ ...good }, 'promoted', {
        get: () => {
          throw new Error('no')
        },
      }),
    ],
    [
      'a list that throws',
      {
        ...good,
        promoted: new Proxy([one], {
          get: () => {
            throw new Error('no')
          },
        }),
      },
    ],
  ])('is nothing where it is %s', (_what, value) => {
    expect(readPromotionState(value)).toBeUndefined()
    expect(({} as { promoted?: unknown }).promoted).toBeUndefined()
  })
})
