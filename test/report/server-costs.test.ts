import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { widthOf } from '../../src/report/layout.ts'
import { phrases } from '../../src/report/phrases.ts'
import { serverCostLines } from '../../src/report/server-costs.ts'
import { toolsReport } from '../../src/report/tools-report.ts'
import { toolsTable } from '../../src/report/tools-table.ts'
import { aCandidate, aSearchTool, type FactsOverrides, sha256, someFacts } from '../../src/testing/world.ts'

const of = (server: string, count: number, tokens: number): readonly Candidate[] =>
  Array.from({ length: count }, (_, at) =>
    aCandidate({ server, originalName: `tool_${at}`, definitionChars: Math.floor(tokens * 4.24) }),
  )
const search = aSearchTool({ definitionChars: 424 })

function report(candidates: readonly Candidate[], deferral: FactsOverrides['deferral']) {
  const gates = gateOrder.default
  const surface = assemble(someFacts({ deferral }), candidates, gates, { sha256 })
  return toolsReport({ surface, gates, preset: 'default', servers: [], findings: [] }, { lang: 'en' })
}
const lines = (made: ReturnType<typeof report>, lang: 'en' | 'zh' = 'en', limit = 40, width = 100) =>
  serverCostLines(made, { say: phrases[lang], dim: (text) => text, width, limit })

describe('the table of servers by cost [D7]', () => {
  const erp = [search, ...of('notes', 2, 30), ...of('erp', 157, 400), ...of('files', 12, 100)]

  it('has the heaviest first, and says what leaving it out takes away', () => {
    expect(lines(report(erp, { mode: 'off' })).join('\n')).toMatchInlineSnapshot(`
      "SERVER  TOOLS  DEFERRED  TOKENS  IF EAGER  SAVED
      erp       157         0  62,800    62,800   0.0%
      files      12         0   1,200     1,200   0.0%
      notes       2         0      60        60   0.0%
      remove erp: -157 tools, about -62,800 tokens"
    `)
  })

  it('shows server by server what deferral saves', () => {
    expect(lines(report(erp, { mode: 'auto', budgetTokens: 1000 })).join('\n')).toMatchInlineSnapshot(`
      "SERVER  TOOLS  DEFERRED  TOKENS  IF EAGER  SAVED
      erp       157       157     842    62,800  98.6%
      files      12         4     820     1,200  31.6%
      notes       2         0      60        60   0.0%
      remove erp: -157 tools, about -842 tokens; tools that are deferred now may take the room"
    `)
  })

  it('reads so in Chinese [U5]', () => {
    expect(lines(report(erp, { mode: 'auto', budgetTokens: 1000 }), 'zh').join('\n')).toMatchInlineSnapshot(`
      "服务器  工具  按需加载  词元  若直接提供   节省
      erp      157       157   842      62,800  98.6%
      files     12         4   820       1,200  31.6%
      notes      2         0    60          60   0.0%
      移除 erp：-157 个工具，约 -842 词元；腾出的预算可由目前按需加载的工具占用"
    `)
  })

  it('does not promise room that others would take', () => {
    const taken = /; tools that are deferred now may take the room$/
    expect(lines(report(erp, { mode: 'auto', budgetTokens: 1000 })).at(-1)).toMatch(taken)
    expect(lines(report(erp, { mode: 'on' })).at(-1)).not.toMatch(taken)
    expect(lines(report([search, ...of('erp', 157, 400)], { mode: 'auto', budgetTokens: 1000 })).at(-1)).not.toMatch(
      taken,
    )
  })

  it('counts only tools that the model has', () => {
    const down = aCandidate({ server: 'erp', availability: { state: 'disabled', detail: 'off' } })
    expect(lines(report([down], { mode: 'off' }))).toEqual([])
    expect(lines(report([down, ...of('erp', 1, 50)], { mode: 'off' })).at(-1)).toMatch(/^remove erp: -1 tool, /)
  })

  it('keeps to a limit, and says how many there are', () => {
    const made = report(erp, { mode: 'off' })
    expect(lines(made, 'en', 1)).toHaveLength(4)
    expect(lines(made, 'en', 1)).toContain('showing 1 of 3')
    expect(lines(made, 'en', 0)).toEqual([])
    expect(toolsTable(made, { lang: 'en', limit: 1 })).toContain('showing 1 of 3')
    expect(toolsTable(made, { lang: 'en', limit: 1, all: true })).not.toContain('showing 1 of 3')
  })

  const names = (candidates: readonly Candidate[], mode: 'on' | 'off' = 'off') =>
    lines(report(candidates, { mode })).map((line) => line.split(' ')[0])

  it('goes by what is sent now, then by what would be', () => {
    const deferred = [search, ...of('a', 1, 50), ...of('b', 1, 500), ...of('big', 2, 5000), ...of('many', 20, 50)]
    expect(names(deferred, 'on').slice(1, -1)).toEqual(['many', 'big', 'b', 'a'])
  })

  it('gives servers of equal cost in one order', () => {
    const both = [...of('b', 1, 50), ...of('a', 1, 50)]
    expect(names(both)).toEqual(names([...both].reverse()))
  })

  it('is never wider than the window, from 60 columns on, whatever servers are called', () => {
    const aServer = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('服务器'.repeat(20), '\u001b[31m', '__proto__'),
    )
    fc.assert(
      fc.property(
        fc.array(fc.record({ server: aServer, tools: fc.nat(5), tokens: fc.nat(60_000) }), { maxLength: 6 }),
        fc.constantFrom('en', 'zh'),
        fc.integer({ min: 60, max: 120 }),
        (servers, lang, width) => {
          const candidates = servers.flatMap(({ server, tools, tokens }) => of(server, tools, tokens))
          const told = lines(report([search, ...candidates], { mode: 'auto', budgetTokens: 500 }), lang, 40, width)
          for (const line of told) {
            expect(widthOf(line)).toBeLessThanOrEqual(width)
            expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
          }
        },
      ),
    )
  })
})
