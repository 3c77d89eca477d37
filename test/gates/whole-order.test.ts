// What must hold of the default order as a whole, on random small worlds.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import { type Candidate, sourceKinds } from '../../src/core/candidate.ts'
import type { Gate } from '../../src/core/gate.ts'
import type { RunFacts } from '../../src/core/run-facts.ts'
import { gateOrder, presetNames } from '../../src/gates/order.ts'
import { aCandidate, aSearchTool, aStandIn, sha256, someFacts } from '../../src/testing/index.ts'
import { aSkill } from './cases/skill-tools.ts'

const names = ['a', 'A', 'a_b', 'a.b', 'toString', '__proto__', '\uff41']

const someTool = fc
  .record({
    source: fc.constantFrom('config', 'builtin', 'mcp', 'acp'),
    name: fc.constantFrom(...names),
    group: fc.constantFrom(undefined, 'web'),
    role: fc.constantFrom(undefined, 'shell', 'subagent'),
    needs: fc.subarray(['host-shell', 'vision', 'person'] as const),
    down: fc.boolean(),
    chars: fc.integer({ min: 50, max: 5000 }),
    bare: fc.boolean(),
  })
  .map(
    ({ source, name, group, role, needs, down, chars, bare }) =>
      ({ at }: { at: number }): Candidate =>
        aCandidate({
          id: `${source}:${at}`,
          source,
          originalName: name,
          ...(source === 'mcp' ? { server: 's', name: bare ? name : `s__${name}` } : {}),
          ...(group === undefined ? {} : { group }),
          ...(role === undefined ? {} : { role }),
          needs,
          definitionChars: chars,
          ...(down ? { availability: { state: 'failed-to-start', detail: 'gone' } as const } : {}),
        }),
  )

const someTools = fc.array(someTool, { maxLength: 10 }).map((make) => {
  const made = make
    .map((tool, at) => tool({ at }))
    .sort((x, y) => sourceKinds.indexOf(x.source) - sourceKinds.indexOf(y.source))
  return [...made, aSearchTool(), aStandIn('asleep', { availability: { state: 'timed-out', detail: '20 s' } })]
})

const mostly = <T>(usual: T, ...others: readonly T[]) => fc.constantFrom(usual, usual, ...others)

const someRun: fc.Arbitrary<RunFacts> = fc
  .record({
    groups: mostly<readonly string[] | undefined>(undefined, [], ['web'], ['file']),
    can: mostly(['tools', 'vision'] as const, ['tools'] as const, [] as const),
    allowed: mostly<readonly string[] | undefined>(undefined, [], ['a', 'tool_search']),
    kind: mostly('none' as const, 'namespace' as const),
    simple: mostly(false, true),
    mcp: mostly(true, false),
    deny: mostly<string | undefined>(undefined, 'a', 's/*', 'effect:read'),
    budgetTokens: mostly(10_000, 500),
    attended: mostly(true, false),
  })
  .map(({ groups, can, allowed, kind, simple, mcp, deny, budgetTokens, attended }) =>
    someFacts({
      agent: groups === undefined ? {} : { groups },
      model: { can },
      skills: { list: allowed === undefined ? [] : [aSkill('s', { allowedTools: allowed })] },
      permissions: {
        rules:
          deny === undefined ? [] : [{ effect: 'deny', text: deny, scope: 'config', origin: { in: 'toolgate.yaml' } }],
      },
      sandbox: { kind },
      simpleMode: { on: simple },
      mcp: { on: mcp },
      deferral: { budgetTokens },
      attended: { on: attended },
    }),
  )

const run = (facts: RunFacts, candidates: readonly Candidate[], gates: readonly Gate[] = gateOrder.default) =>
  assemble(facts, candidates, gates, { sha256 })

const shown = (facts: RunFacts, candidates: readonly Candidate[]) =>
  run(facts, candidates).decisions.map(({ candidate, name, outcome, settledBy, code }) => [
    candidate.id,
    name,
    outcome,
    settledBy,
    code,
  ])

describe('the default order, whatever the world', () => {
  test.each(presetNames)('settles each candidate at one gate, and counts add up: %s (P12) (P13) [D2]', (preset) => {
    fc.assert(
      fc.property(someRun, someTools, (facts, candidates) => {
        const { decisions, totals } = run(facts, candidates, gateOrder[preset])
        const codes = new Map<string, number>()
        for (const { outcome, steps, code, settledBy } of decisions) {
          if (outcome !== 'excluded') continue
          codes.set(`${settledBy} ${code}`, (codes.get(`${settledBy} ${code}`) ?? 0) + 1)
          expect(steps.filter(({ effect }) => effect === 'exclude').map(({ gate }) => gate)).toEqual([settledBy])
          expect(code).not.toBe('gate-failed')
        }
        const excluded = [...codes.values()].reduce((sum, count) => sum + count, 0)
        expect(totals.eager + totals.deferred + excluded).toBe(candidates.length)
      }),
    )
  })

  test('without the gate that settled it, a tool is let in or a later gate is named (P12)', () => {
    fc.assert(
      fc.property(someRun, someTools, (facts, candidates) => {
        const order = gateOrder.default.map(({ id }): string => id)
        for (const [at, { outcome, settledBy }] of run(facts, candidates).decisions.entries()) {
          if (outcome !== 'excluded') continue
          const rest = gateOrder.default.filter(({ id }) => id !== settledBy)
          const after = run(facts, candidates, rest).decisions[at]
          const later = after !== undefined && order.indexOf(after.settledBy) > order.indexOf(settledBy)
          expect(after?.outcome !== 'excluded' || later).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('one bad item changes nothing but itself (P11)', () => {
    const bad: readonly Candidate[] = [
      aCandidate({ server: 's', originalName: 'a\u200b', name: 'a\u200b' }),
      aCandidate({ server: 's', originalName: 'z'.repeat(10_000) }),
      aCandidate({ server: 's', originalName: 'odd', faults: [{ code: 'invalid-schema', detail: 'null' }] }),
      aCandidate({ server: 's', originalName: 'huge', definitionChars: 10_000_000 }),
      aCandidate({ server: 'dead', originalName: 'a', availability: { state: 'failed-to-start', detail: 'gone' } }),
    ]
    fc.assert(
      fc.property(someRun, someTools, fc.constantFrom(...bad), fc.nat(), (facts, candidates, item, place) => {
        const at = place % (candidates.length + 1)
        const withBad = shown(facts, candidates.toSpliced(at, 0, item))
        expect(withBad[at]?.[2]).toBe('excluded')
        expect(withBad.toSpliced(at, 1)).toEqual(shown(facts, candidates))
      }),
    )
  })

  test('never shows a stand-in, and no name twice', () => {
    fc.assert(
      fc.property(someRun, someTools, (facts, candidates) => {
        const asleep = candidates.with(-1, aStandIn('asleep'))
        const exposed = run(facts, asleep).decisions.filter(({ outcome }) => outcome !== 'excluded')
        expect(exposed.filter(({ candidate }) => candidate.standIn === true)).toEqual([])
        expect(new Set(exposed.map(({ name }) => name.toLowerCase())).size).toBe(exposed.length)
      }),
    )
  })
})
