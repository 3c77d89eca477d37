// What `check` says when what should be deferred is not.

import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Finding } from '../../src/core/finding.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { checkRun } from '../../src/report/check.ts'
import { aCandidate, aSearchTool, type FactsOverrides, sha256, someFacts } from '../../src/testing/index.ts'

const erp = Array.from({ length: 20 }, (_, at) => aCandidate({ server: 'erp', originalName: `tool_${at}` }))
const search = aSearchTool()
const budgetOrigin = { in: 'toolgate.yaml', key: 'tool_search.budget', line: 9 }

function found(deferral: FactsOverrides['deferral'], candidates: readonly Candidate[], more: FactsOverrides = {}) {
  const facts = someFacts({ deferral: { budgetTokens: 300, budgetOrigin, ...deferral }, ...more })
  const gates = gateOrder.default
  const surface = assemble(facts, candidates, gates, { sha256 })
  const all = checkRun({ surface, gates, preset: 'default', servers: [], findings: [] })
  return all.filter(({ code }: Finding) => code === 'over-soft-budget')
}
const denied = (text: string): FactsOverrides => ({
  permissions: {
    otherwise: 'allow',
    rules: [
      { effect: 'deny', text, scope: 'config', origin: { in: 'toolgate.yaml', key: 'permissions.deny[0]', line: 4 } },
    ],
  },
})

describe('a surface over its budget [G11, D5]', () => {
  it('is not told of while deferral keeps it within, whatever the names cost', () => {
    expect(found({ mode: 'auto' }, [search, ...erp])).toEqual([])
    expect(found({ mode: 'on' }, [search, ...erp])).toEqual([])
  })

  it('is told with the gate that took the search tool away, and the place of its rule', () => {
    for (const mode of ['auto', 'on'] as const) {
      const [told, ...others] = found({ mode }, [search, ...erp], denied('tool_search'))
      expect(others).toEqual([])
      expect(told).toMatchObject({ severity: 'warning', origin: { key: 'permissions.deny[0]', line: 4 } })
      expect(told?.message).toMatch(
        /^every request carries about \d+ tokens of tools, and 300 were meant; nothing is deferred, because permissions leaves tool_search out \(denied-by-name\); without server erp: 20 tools/,
      )
      expect(told?.hint).toMatch(/^let tool_search through/)
    }
  })

  it('is told with nobody to blame when no source offers the search tool', () => {
    const [told] = found({ mode: 'auto' }, erp)
    expect(told?.message).toContain('; nothing is deferred, because no source offers tool_search; without server erp')
    expect(told?.origin).toEqual(budgetOrigin)
  })

  it('does not blame the search tool where deferral is off, all fits, or nothing could be deferred', () => {
    expect(found({ mode: 'off' }, erp)).toEqual([])
    expect(found({ mode: 'auto', budgetTokens: 10_000 }, erp)).toEqual([])
    const own = Array.from({ length: 20 }, (_, at) => aCandidate({ originalName: `own_${at}` }))
    const [told] = found({ mode: 'auto' }, own)
    expect(told?.message).toMatch(/ and 300 were meant$/)
    expect(told?.hint).toMatch(/^defer some/)
  })

  it('is told of pins that cost more than was meant', () => {
    const always = erp.map(({ name }) => name)
    const [told] = found({ mode: 'auto', always }, [search, ...erp])
    expect(told?.message).toMatch(/ and 300 were meant; without server erp: 20 tools/)
  })
})

describe('deferral that was asked for and cannot be [G11, D5]', () => {
  const told = (mode: 'on' | 'auto', more: FactsOverrides = {}) => {
    const facts = someFacts({ deferral: { mode, budgetTokens: 10_000 }, ...more })
    const gates = gateOrder.default
    const surface = assemble(facts, [search, ...erp], gates, { sha256 })
    const all = checkRun({ surface, gates, preset: 'default', servers: [], findings: [] })
    return all.filter(({ code }) => code === 'deferral-without-search')
  }

  it('is told with why there is no search tool, also where all tools would fit', () => {
    expect(told('on', denied('tool_search'))).toMatchObject([
      { message: expect.stringContaining('permissions leaves tool_search out'), origin: { line: 4 } },
    ])
  })

  it('is not told where it is, or where it was left to the budget', () => {
    expect(told('on')).toEqual([])
    expect(told('auto', denied('tool_search'))).toEqual([])
  })
})
