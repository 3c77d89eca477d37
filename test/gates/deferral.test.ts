import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { deferral } from '../../src/gates/deferral.ts'
import { aCandidate, aSearchTool, type FactsOverrides, sha256, someFacts } from '../../src/testing/index.ts'
import { costing, deferralCases } from './cases/deferral.ts'
import { stepOf } from './gate-case.ts'
import { runCases } from './run-cases.ts'

runCases('deferral [G11]', deferral, deferralCases)

const surfaceOf = (facts: FactsOverrides, candidates: readonly Candidate[]) =>
  assemble(someFacts(facts), candidates, [deferral], { sha256 })

describe('deferral [G11]', () => {
  test('shows the figures it rests on', () => {
    const row = deferralCases.find(({ code }) => code === 'over-budget')
    if (row === undefined) throw new Error('no case')
    const { evidence } = stepOf(deferral, row)
    expect(evidence).toEqual({ name: 'files__dear', tokens: 900, total: 1050, budget: 300 })
    expect(deferral.reasons['over-budget'].say.en(evidence as never, row.candidate)).toBe(
      'all definitions together take about 1050 tokens, the budget is 300, and this one takes 900',
    )
  })

  test('keeps the earlier of two that cost the same', () => {
    const facts = { deferral: { budgetTokens: 150 } }
    const { decisions } = surfaceOf(facts, [
      aSearchTool({ definitionChars: 212 }),
      costing(80, 'one'),
      costing(80, 'two'),
    ])
    expect(decisions.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['tool_search', 'eager'],
      ['files__one', 'eager'],
      ['files__two', 'deferred'],
    ])
  })

  const someTool = fc.record({
    kind: fc.constantFrom('mcp', 'mcp', 'config', 'search', 'stand-in'),
    tokens: fc.integer({ min: 0, max: 200 }),
  })
  const someTools = fc.array(someTool, { maxLength: 12 }).map((tools) =>
    tools.map(({ kind, tokens }, at) => {
      const given = { id: `${kind}:${at}`, originalName: `t${at}`, definitionChars: Math.floor(tokens * 4.24) }
      if (kind === 'config') return aCandidate(given)
      if (kind === 'search') return aSearchTool(given)
      return aCandidate({ ...given, server: 's', ...(kind === 'stand-in' ? { standIn: true } : {}) })
    }),
  )
  const someDeferral = fc.record({
    mode: fc.constantFrom('off' as const, 'on' as const, 'auto' as const),
    budgetTokens: fc.integer({ min: 0, max: 1000 }),
    always: fc.subarray(['t0', 's__t1', 's/t2']),
  })
  const someCap = fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined })

  test('defers only what can be fetched again, and keeps the search exactly then', () => {
    fc.assert(
      fc.property(someTools, someDeferral, someCap, (candidates, given, toolsMax) => {
        const { decisions } = surfaceOf({ deferral: given, target: { toolsMax } }, candidates)
        const deferred = decisions.filter(({ outcome }) => outcome === 'deferred')
        const search = decisions.filter(({ candidate }) => candidate.role === 'tool-search')
        expect(search.every(({ outcome }) => outcome === (deferred.length > 0 ? 'eager' : 'excluded'))).toBe(true)
        if (search.length === 0 || given.mode === 'off') expect(deferred).toEqual([])
        for (const { candidate } of deferred)
          expect([candidate.protocol, candidate.standIn]).toEqual(['mcp', undefined])
      }),
    )
  })

  test('meets budget and limit by deferring, or has deferred all it can', () => {
    fc.assert(
      fc.property(someTools, someDeferral, someCap, (candidates, given, toolsMax) => {
        const { decisions } = surfaceOf({ deferral: { ...given, mode: 'auto' }, target: { toolsMax } }, candidates)
        const real = decisions.filter(({ candidate }) => candidate.standIn !== true)
        if (!real.some(({ candidate }) => candidate.role === 'tool-search')) return
        const eager = real.filter(({ outcome }) => outcome === 'eager')
        const spent = eager.reduce((sum, { definitionChars }) => sum + estimateTokens(definitionChars), 0)
        const couldGo = eager.filter(({ candidate, code }) => candidate.protocol === 'mcp' && code !== 'pinned-eager')
        const met = spent <= given.budgetTokens && eager.length <= (toolsMax ?? Number.POSITIVE_INFINITY)
        expect(met || couldGo.length === 0).toBe(true)
      }),
    )
  })

  test('is not swayed by a size that is no number', () => {
    const { decisions } = surfaceOf({}, [aSearchTool(), aCandidate({ server: 's', definitionChars: Number.NaN })])
    expect(decisions.map(({ code }) => code)).toEqual(['catalog-empty', 'fits-budget'])
  })
})
