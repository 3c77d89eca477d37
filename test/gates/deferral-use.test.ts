// Who stays eager in mode auto where not all fit: by use, then by cost.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { DeferralFacts } from '../../src/core/run-facts.ts'
import type { Surface } from '../../src/core/surface.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { deferral } from '../../src/gates/deferral.ts'
import { aCandidate, aSearchTool, sha256, someFacts } from '../../src/testing/index.ts'
import { costing } from './cases/deferral.ts'

type Use = NonNullable<DeferralFacts['use']>

const search = aSearchTool({ definitionChars: 424 })
const used = (calls: { readonly [tool: string]: number }): Use =>
  Object.entries(calls).map(([tool, count]) => ({ id: `mcp:files/${tool}`, calls: count }))

/** A surface of tools that cost so many tokens, under a budget that the search tool (100) takes part of. */
const surfaceOf = (costs: { readonly [tool: string]: number }, budgetTokens: number, use?: Use): Surface =>
  assemble(
    someFacts({ deferral: { mode: 'auto', budgetTokens, ...(use === undefined ? {} : { use }) } }),
    [search, ...Object.entries(costs).map(([tool, tokens]) => costing(tokens, tool))],
    [deferral],
    { sha256 },
  )
const codesOf = (surface: Surface) =>
  Object.fromEntries(surface.decisions.slice(1).map(({ candidate, code }) => [candidate.originalName, code]))
const eagerOf = (surface: Surface) =>
  surface
    .withOutcome('eager')
    .filter(({ candidate }) => candidate.protocol === 'mcp')
    .map(({ candidate }) => candidate.originalName)
const said = (surface: Surface, tool: string, lang: 'en' | 'zh' = 'en'): string => {
  const decision = surface.find(`files__${tool}`) as Decision
  const { code, evidence } = decision.steps.at(-1) as Decision['steps'][number]
  return deferral.reasons[code as keyof typeof deferral.reasons].say[lang](evidence as never, decision.candidate)
}

describe('use decides who stays eager [G11]', () => {
  const costs = { often: 300, seldom: 200, cheap: 50, cheaper: 40 }

  test('the most called first, then the cheapest, as long as they fit', () => {
    const surface = surfaceOf(costs, 500, used({ often: 40, seldom: 2 }))
    expect(codesOf(surface)).toEqual({
      often: 'used-enough',
      seldom: 'used-but-too-dear',
      cheap: 'cheap-enough',
      cheaper: 'cheap-enough',
    })
    expect(eagerOf(surfaceOf(costs, 500))).toEqual(['seldom', 'cheap', 'cheaper'])
  })

  test('of two that are used alike the cheaper one, of two that cost alike the earlier one', () => {
    expect(eagerOf(surfaceOf({ one: 300, two: 299 }, 400, used({ one: 4, two: 4 })))).toEqual(['two'])
    expect(eagerOf(surfaceOf({ one: 300, two: 300 }, 400, used({ one: 4, two: 4 })))).toEqual(['one'])
  })

  test('and is told in figures', () => {
    const surface = surfaceOf(costs, 500, used({ often: 40, seldom: 1 }))
    expect(said(surface, 'often')).toBe('it was called 40 times, and with its 300 tokens it fits: 490 of 500 are spent')
    expect(said(surface, 'often', 'zh')).toBe('它被调用过 40 次，约需 300 个 token，仍在预算内：共用去 490 / 500')
    expect(said(surface, 'seldom')).toBe('it was called once, but it takes 200 tokens and 100 of 500 are left for it')
    expect(said(surface, 'seldom', 'zh')).toBe('它被调用过 1 次，但需要 200 个 token，而预算 500 中只剩 100 可用')
    const tight = surfaceOf(costs, 410, used({ often: 40 }))
    expect(said(tight, 'cheap')).toMatch(/, and this one takes 50, and it was not called so far$/)
    expect(said(surfaceOf(costs, 50, used({ cheap: 3 })), 'cheap')).toMatch(/ and 0 of 50 are left for it$/)
    expect(said(surfaceOf(costs, 150), 'cheap')).toMatch(/, and this one takes 50$/)
  })

  test('in no other mode, and not while all fit', () => {
    const use = used({ often: 40 })
    const [on, off] = (['on', 'off'] as const).map((mode) =>
      assemble(someFacts({ deferral: { mode, use } }), [search, costing(300, 'often')], [deferral], { sha256 }),
    )
    expect([on, off].map((surface) => surface?.decisions[1]?.code)).toEqual(['deferral-on', 'deferral-off'])
    expect(codesOf(surfaceOf(costs, 590, use))).toMatchObject({ often: 'fits-budget' })
  })

  test('after pins, which take their share first', () => {
    const facts = someFacts({ deferral: { budgetTokens: 400, always: ['files__pinned'], use: used({ often: 40 }) } })
    const tools = [search, costing(200, 'pinned'), costing(300, 'often'), costing(100, 'cheap')]
    const { decisions } = assemble(facts, tools, [deferral], { sha256 })
    expect(decisions.map(({ code }) => code)).toEqual([
      'catalog-filled',
      'pinned-eager',
      'used-but-too-dear',
      'cheap-enough',
    ])
  })

  test('by doublings, so that one more call seldom changes the surface', () => {
    const costs = { one: 300, two: 299 }
    const hashes = [4, 5, 6, 7, 8].map((calls) => surfaceOf(costs, 400, used({ one: calls, two: 4 })).hash)
    expect(new Set(hashes.slice(0, 4)).size).toBe(1)
    expect(hashes[4]).not.toBe(hashes[3])
  })
})

describe('counts that are none [G11]', () => {
  const costs = { one: 300, two: 299 }
  const odd: readonly (readonly [name: string, calls: unknown])[] = [
    ['negative', -5],
    ['no number', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['less than one', 0.9],
    ['a text', '12'],
    ['nothing', null],
  ]
  test.each(odd)('are no call: %s', (_name, calls) => {
    const surface = surfaceOf(costs, 400, [{ id: 'mcp:files/one', calls: calls as number }])
    expect(codesOf(surface)).toEqual({ one: 'over-budget', two: 'cheap-enough' })
  })

  test('are passed over with entries that are no entries, and tools that are not there', () => {
    const use = [null, 7, {}, { calls: 9 }, { id: '__proto__', calls: 9 }, { id: 'mcp:files/gone', calls: 9 }]
    expect(surfaceOf(costs, 400, use as unknown as Use).hash).toBe(surfaceOf(costs, 400, []).hash)
  })

  test('of one tool are added up, and huge ones are alike', () => {
    const twice = [...used({ one: 3 }), ...used({ two: 4 }), ...used({ one: 5 })]
    expect(eagerOf(surfaceOf(costs, 400, twice))).toEqual(['one'])
    const nineTimes = (calls: { readonly [tool: string]: number }): Use =>
      Array.from({ length: 9 }, () => used(calls)).flat()
    expect(eagerOf(surfaceOf(costs, 400, nineTimes({ one: Number.MAX_VALUE, two: 1e12 })))).toEqual(['two'])
    expect(eagerOf(surfaceOf(costs, 400, [...used({ one: 6e8 }), ...nineTimes({ two: 1e9 })]))).toEqual(['two'])
    expect(eagerOf(surfaceOf(costs, 400, nineTimes({ one: Number.MAX_VALUE })))).toEqual(['one'])
  })
})

describe('the choice by use, whatever stands [G11]', () => {
  const aTool = fc.record({
    kind: fc.constantFrom('mcp', 'mcp', 'mcp', 'mcp', 'config'),
    tokens: fc.nat(200),
    calls: fc.option(fc.oneof(fc.nat(9), fc.nat(1000)), { nil: undefined }),
  })
  const aCount = fc.oneof(fc.nat(40), fc.double({ noDefaultInfinity: false }), fc.constant(Number.MAX_VALUE))
  const aPlan = fc.record({
    tools: fc.array(aTool, { maxLength: 12 }),
    budgetTokens: fc.integer({ min: 0, max: 1200 }),
    toolsMax: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    always: fc.subarray(['mcp:s/t0', 'mcp:s/t1']),
  })
  type Plan = typeof aPlan extends fc.Arbitrary<infer P> ? P : never
  const idOf = (at: number): string => `mcp:s/t${at}`
  const candidatesOf = ({ tools }: Plan) => [
    aSearchTool({ definitionChars: 100 }),
    ...tools.map(({ kind, tokens }, at) => {
      const given = { originalName: `t${at}`, definitionChars: Math.floor(tokens * 4.24) }
      return kind === 'config' ? aCandidate(given) : aCandidate({ ...given, server: 's' })
    }),
  ]
  const useOf = ({ tools }: Plan): Use =>
    tools.flatMap(({ calls }, at) => (calls === undefined ? [] : [{ id: idOf(at), calls }]))
  const decided = (plan: Plan, use: Use | 'unknown' = useOf(plan)): Surface => {
    const { budgetTokens, toolsMax, always } = plan
    const known = use === 'unknown' ? {} : { use }
    const facts = someFacts({ deferral: { budgetTokens, always, ...known }, target: { toolsMax } })
    return assemble(facts, candidatesOf(plan), [deferral], { sha256 })
  }
  const costOf = ({ definitionChars }: Decision): number => estimateTokens(definitionChars)
  const outcomeOf = (surface: Surface, at: number) =>
    surface.decisions.find(({ candidate }) => candidate.id === idOf(at))?.outcome

  test('meets budget and limit, and leaves no room that one of the deferred would take', () => {
    fc.assert(
      fc.property(aPlan, (plan) => {
        const surface = decided(plan)
        const deferred = surface.withOutcome('deferred')
        if (deferred.length === 0) return
        const eager = surface.withOutcome('eager')
        const spent = eager.reduce((sum, decision) => sum + costOf(decision), 0)
        const couldGo = eager.filter(({ code }) => code === 'used-enough' || code === 'cheap-enough')
        const isFull = eager.length >= (plan.toolsMax ?? Number.POSITIVE_INFINITY)
        if (couldGo.length > 0) {
          expect(spent).toBeLessThanOrEqual(plan.budgetTokens)
          expect(eager.length).toBeLessThanOrEqual(plan.toolsMax ?? Number.POSITIVE_INFINITY)
        }
        for (const decision of deferred) expect(isFull || spent + costOf(decision) > plan.budgetTokens).toBe(true)
      }),
    )
  })

  test('never defers a tool while one that is called less and costs more stays', () => {
    fc.assert(
      fc.property(aPlan, (plan) => {
        const surface = decided(plan)
        const callsOf = new Map(useOf(plan).map(({ id, calls }) => [id, calls]))
        const calls = ({ candidate }: Decision): number => callsOf.get(candidate.id) ?? 0
        const chosen = surface.withOutcome('eager').filter(({ code }) => /^(used|cheap)-enough$/.test(code))
        for (const gone of surface.withOutcome('deferred'))
          for (const kept of chosen) expect(calls(gone) >= calls(kept) && costOf(gone) < costOf(kept)).toBe(false)
      }),
    )
  })

  test('never takes a tool its place for being used more', () => {
    fc.assert(
      fc.property(aPlan, fc.nat(11), fc.nat(2000), (plan, at, more) => {
        if (outcomeOf(decided(plan), at) !== 'eager') return
        expect(outcomeOf(decided(plan, [...useOf(plan), { id: idOf(at), calls: more }]), at)).toBe('eager')
      }),
    )
  })

  test('is the same in whatever order uses are told, in parts or at once', () => {
    const told = fc.array(fc.record({ id: fc.nat(11).map(idOf), calls: aCount }), { maxLength: 30 })
    fc.assert(
      fc.property(
        aPlan,
        told.chain((use) => fc.tuple(fc.constant(use), fc.shuffledSubarray(use, { minLength: use.length }))),
        (plan, [use, shuffled]) => {
          expect(JSON.stringify(decided(plan, shuffled).decisions)).toBe(JSON.stringify(decided(plan, use).decisions))
        },
      ),
    )
  })

  test('is the same for equal facts, and knows nothing where nothing is known', () => {
    fc.assert(
      fc.property(aPlan, (plan) => {
        const copy = structuredClone(plan)
        expect(JSON.stringify(decided(copy).decisions)).toBe(JSON.stringify(decided(plan).decisions))
        expect(decided(plan, []).hash).toBe(decided(plan, 'unknown').hash)
      }),
    )
  })
})
