import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import { type Candidate, effectClasses } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { Rule } from '../../src/core/run-facts.ts'
import { gateOrder, type PresetName, presetNames } from '../../src/gates/order.ts'
import { bootstrap } from '../../src/report/bootstrap.ts'
import { checkRun } from '../../src/report/check.ts'
import { logLines } from '../../src/report/decision-log.ts'
import { diffSurfaces } from '../../src/report/diff.ts'
import { driftOf } from '../../src/report/drift.ts'
import { explain } from '../../src/report/explain.ts'
import { lockOf, lockText } from '../../src/report/lock.ts'
import { parseLock } from '../../src/report/parse-lock.ts'
import { replay } from '../../src/report/replay.ts'
import { route } from '../../src/report/route.ts'
import type { Run } from '../../src/report/run.ts'
import { toolPool } from '../../src/report/tool-pool.ts'
import { toolsReport } from '../../src/report/tools-report.ts'
import { whatIf } from '../../src/report/what-if.ts'
import { aCandidate, type FactsOverrides, sha256, someFacts } from '../../src/testing/world.ts'

const name = fc.constantFrom(
  'read_file',
  'Read_File',
  'bash',
  'search',
  'tool_search',
  'task',
  'view_image',
  '搜索',
  '__proto__',
  'a b',
)
const group = fc.constantFrom(undefined, 'web', 'shell')

const candidate: fc.Arbitrary<Candidate> = fc
  .record({
    name,
    source: fc.constantFrom('config' as const, 'builtin' as const, 'mcp' as const, 'acp' as const),
    server: fc.constantFrom('files', 'mail', 'lab'),
    group,
    role: fc.constantFrom(undefined, 'shell' as const, 'tool-search' as const, 'file-read' as const),
    needs: fc.subarray(['host-shell', 'vision', 'person'] as const, { maxLength: 1 }),
    effects: fc.subarray([...effectClasses]),
    effectsBy: fc.constantFrom('declared' as const, 'assumed' as const),
    standIn: fc.boolean(),
    state: fc.constantFrom('available' as const, 'available' as const, 'failed-to-start' as const, 'disabled' as const),
    description: fc.string({ maxLength: 40 }),
  })
  .map(({ name: original, source, server, group: of, role, state, standIn, description, ...rest }) => {
    const owned = source === 'mcp' || source === 'acp'
    const isStandIn = standIn && source === 'mcp' && state !== 'available'
    const originalName = isStandIn ? '*' : original
    return aCandidate({
      ...rest,
      source,
      originalName,
      ...(isStandIn ? { standIn: true, name: `${server}__*` } : { name: original }),
      ...(owned ? { server } : {}),
      ...(of === undefined ? {} : { group: of }),
      ...(role === undefined ? {} : { role }),
      definition: { description, inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
      availability: state === 'available' ? { state } : { state, detail: 'so it was' },
    })
  })

const rule: fc.Arbitrary<Rule> = fc.record({
  effect: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
  text: fc.constantFrom(
    'bash',
    'files/*',
    'mail/search',
    'read_file(path:/etc/*)',
    'group:web',
    'effect:write',
    'view_*',
    'mcp__lab',
  ),
  scope: fc.constantFrom('config', 'command line'),
  origin: fc.constant({ in: 'toolgate.yaml', key: 'permissions', line: 3 }),
})

const skill = fc.record({
  name: fc.constantFrom('site', 'other'),
  enabled: fc.boolean(),
  active: fc.boolean(),
  allowedTools: fc.subarray(['read_file', 'bash', 'search', 'nothing']),
  origin: fc.constant({ in: 'SKILL.md' }),
})

const facts: fc.Arbitrary<FactsOverrides> = fc.record({
  agent: fc.constantFrom(
    { name: 'main' },
    { name: 'main', groups: [] },
    { name: 'main', groups: ['web', 'none'], tools: ['bash', 'files/*'] },
  ),
  model: fc.record({ can: fc.subarray(['tools', 'vision'] as const) }),
  permissions: fc.record({
    rules: fc.array(rule, { maxLength: 4 }),
    otherwise: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
  }),
  sandbox: fc.record({ allowHostBash: fc.boolean() }),
  skills: fc.record({
    mode: fc.constantFrom('active' as const, 'enabled' as const),
    list: fc.array(skill, { maxLength: 2 }),
  }),
  deferral: fc.record({
    mode: fc.constantFrom('off' as const, 'on' as const, 'auto' as const),
    budgetTokens: fc.integer({ min: 0, max: 200 }),
  }),
  mcp: fc.record({ on: fc.boolean() }),
  simpleMode: fc.record({ on: fc.boolean() }),
  attended: fc.record({ on: fc.boolean() }),
})

const run: fc.Arbitrary<Run & { readonly preset: PresetName }> = fc
  .record({
    candidates: fc.uniqueArray(candidate, { selector: ({ id }) => id, maxLength: 12 }),
    facts,
    preset: fc.constantFrom(...presetNames),
  })
  .map(({ candidates, facts: over, preset }) => ({
    surface: assemble(someFacts(over), candidates, gateOrder[preset], { sha256 }),
    gates: gateOrder[preset],
    preset,
    servers: [],
    findings: [],
  }))

const sum = (numbers: readonly number[]): number => numbers.reduce((all, some) => all + some, 0)

describe('reports on random worlds', () => {
  it('add up, and agree to the digit in every form [D1, D2, D7]', () => {
    fc.assert(
      fc.property(run, (made) => {
        const { totals, decisions } = toolsReport(made, { lang: 'en' })
        const { candidates, eager, deferred, excluded, byGate, bySource, tokens } = totals
        expect(eager + deferred + excluded).toBe(candidates)
        expect(decisions).toHaveLength(candidates)
        expect(sum(Object.values(byGate).flatMap((codes) => Object.values(codes)))).toBe(excluded)
        expect(sum(Object.values(bySource).map((counts) => counts.candidates))).toBe(candidates)
        expect(sum(Object.values(tokens.bySource).map((share) => share.tokens))).toBe(
          tokens.eager + tokens.deferredNames,
        )
        expect(sum(decisions.filter(({ outcome }) => outcome === 'eager').map((one) => one.tokens))).toBe(tokens.eager)
        expect(tokens.eager + tokens.deferredNames + tokens.savedByDeferral).toBe(tokens.ifAllEager)
        expect(toolPool(made).count).toBe(eager + deferred)
        expect(bootstrap(made, { lang: 'en' }).totals).toEqual(totals)
        expect(lockOf(made, sha256).tools).toHaveLength(eager + deferred)
      }),
      { numRuns: 300 },
    )
  })

  it('are replayed bit for bit from their log, and differ by nothing [D4, D6]', () => {
    fc.assert(
      fc.property(run, run, (one, other) => {
        const first = logLines(one, { seq: 1, at: '', sha256, written: new Set() })
        const second = logLines(other, { seq: 2, at: '', sha256, written: new Set([first.catalog]) })
        const { runs, findings } = replay([...first.lines, ...second.lines], {
          gatesFor: (preset) => presetNames.flatMap((known) => (known === preset ? [gateOrder[known]] : []))[0],
          sha256,
          lang: 'en',
        })
        expect(findings).toEqual([])
        expect(runs.map(({ equal, difference }) => [equal, difference])).toEqual([
          [true, undefined],
          [true, undefined],
        ])
      }),
      { numRuns: 200 },
    )
  })

  it('have no difference from themselves, and mirrored differences from each other [D4]', () => {
    fc.assert(
      fc.property(run, run, (one, other) => {
        const [a, b] = [toolsReport(one, { lang: 'en' }), toolsReport(other, { lang: 'en' })]
        const [there, back] = [diffSurfaces(a, b), diffSurfaces(b, a)]
        expect(diffSurfaces(a, a)).toMatchObject({ same: true, added: [], removed: [], changed: [], facts: [] })
        expect(there.added.map(({ id }) => id)).toEqual(back.removed.map(({ id }) => id))
        expect(there.changed.map(({ id }) => id).sort()).toEqual(back.changed.map(({ id }) => id).sort())
        expect(there.added.length + there.changed.length + there.unchanged).toBe(b.decisions.length)
      }),
      { numRuns: 200 },
    )
  })

  it('pass their own lock, and a lock passes only what it holds [D9]', () => {
    fc.assert(
      fc.property(run, run, (one, other) => {
        const lock = parseLock(lockText(lockOf(one, sha256)), 'toolgate.lock.json')
        expect(driftOf(lock, one, { sha256, lang: 'en' })).toMatchObject({ same: true, differences: [] })
        const locked = (made: Run): string => JSON.stringify(lockOf(made, sha256).tools)
        expect(driftOf(lock, other, { sha256, lang: 'en' }).same).toBe(locked(one) === locked(other))
      }),
      { numRuns: 200 },
    )
  })

  it('offer changes that alter the outcome of that tool [D3]', () => {
    fc.assert(
      fc.property(run, (made) => {
        for (const decision of made.surface.decisions) {
          const { candidate, code } = decision
          const told = explain(made, candidate.id, { lang: 'en' }).decisions.find(({ id }) => id === candidate.id)
          const changes = told?.change.changes ?? []
          if (changes.length === 0) continue
          const after = whatIf(made.surface, { gates: made.gates, changes, candidateId: candidate.id, sha256 })
          const now = after.decisions.find(({ candidate: { id } }) => id === candidate.id)
          const key = (of: Decision | undefined) => [of?.outcome, of?.settledBy, of?.code]
          expect(key(now), `${candidate.id} by ${code}`).not.toEqual(key(decision))
        }
      }),
      { numRuns: 150 },
    )
  })

  it('route to nothing that is not exposed, and show nothing hidden that is [D1]', () => {
    fc.assert(
      fc.property(run, fc.string({ maxLength: 60 }), (made, words) => {
        const found = route(made, `${words} read file bash search`, { lang: 'en', limit: 50, hidden: true })
        expect(found.matches.every(({ name: shown }) => made.surface.find(shown) !== undefined)).toBe(true)
        expect(found.hidden.every(({ outcome }) => outcome === 'excluded')).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('are checked without an error of the program, each finding once [D5]', () => {
    fc.assert(
      fc.property(run, (made) => {
        const found = checkRun(made).map((one) => JSON.stringify(one))
        expect(new Set(found).size).toBe(found.length)
      }),
      { numRuns: 200 },
    )
  })
})
