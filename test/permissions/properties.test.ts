import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { Rule } from '../../src/core/run-facts.ts'
import { permissions } from '../../src/gates/permissions.ts'
import { aCandidate, type FactsOverrides, sha256, someFacts } from '../../src/testing/index.ts'
import { aRule } from './a-rule.ts'

const decide = (facts: FactsOverrides, candidates: readonly Candidate[]): readonly Decision[] =>
  assemble(someFacts(facts), candidates, [permissions], { sha256 }).decisions

describe('what always holds of permissions [G6]', () => {
  const names = ['a', 'A', 'a_b', 'a.b', 'a-b', 'toString', '__proto__', '\uff41', 'b']
  const text = fc.constantFrom(
    ...names,
    'a*',
    '*',
    '*_b',
    's/*',
    'S/a',
    'mcp__s',
    'mcp__t__*',
    't/a_b',
    's__a',
    'group:g',
    'effect:read',
    'effect:write',
    'a(x:1)',
    's/a(x:*)',
    'mcp__*',
    'a(',
    'group:*',
  )
  const rule = (effect: fc.Arbitrary<Rule['effect']>): fc.Arbitrary<Rule> =>
    fc.record({
      effect,
      text,
      scope: fc.constantFrom('config', 'agent'),
      origin: fc.record({ in: fc.constant('f'), line: fc.integer({ min: 1, max: 9 }) }),
    })
  const anyRule = rule(fc.constantFrom('deny', 'ask', 'allow'))
  const candidate = fc
    .record({
      name: fc.constantFrom(...names),
      server: fc.constantFrom(undefined, 's', 't'),
      group: fc.constantFrom(undefined, 'g'),
      effects: fc.subarray(['read', 'write'] as const),
    })
    .map(({ name, server, group, effects }) =>
      aCandidate({
        originalName: name,
        effects,
        ...(server === undefined ? {} : { server }),
        ...(group === undefined ? {} : { group }),
      }),
    )
  const world = fc.record({
    candidates: fc.uniqueArray(candidate, { maxLength: 8, selector: ({ id }) => id }),
    rules: fc.array(anyRule, { maxLength: 6 }),
    otherwise: fc.constantFrom('allow', 'ask', 'deny' as const),
    on: fc.boolean(),
  })
  type World = typeof world extends fc.Arbitrary<infer W> ? W : never

  const decided = ({ candidates, otherwise, on }: World, list: readonly Rule[]) =>
    decide({ permissions: { rules: list, otherwise }, attended: { on } }, candidates)
  const exposed = (decisions: readonly Decision[]) =>
    new Set(decisions.filter(({ outcome }) => outcome !== 'excluded').map(({ candidate: { id } }) => id))
  const without = (list: readonly Rule[], at: number) => list.filter((_rule, index) => index !== at)

  test('adding a deny never adds a tool (P1)', () => {
    fc.assert(
      fc.property(world, rule(fc.constant('deny')), (w, more) => {
        const before = exposed(decided(w, w.rules))
        for (const id of exposed(decided(w, [...w.rules, more]))) expect(before).toContain(id)
      }),
      { numRuns: 10_000 },
    )
  })

  test('adding an allow never removes a tool, removing one never adds (P2)', () => {
    fc.assert(
      fc.property(world, rule(fc.constant('allow')), (w, more) => {
        const after = exposed(decided(w, [...w.rules, more]))
        for (const id of exposed(decided(w, w.rules))) expect(after).toContain(id)
      }),
      { numRuns: 10_000 },
    )
  })

  test('no other spelling of a denied name escapes, and none of an allowed one is granted (P5)', () => {
    const spelled = fc.constantFrom<(name: string) => string>(
      (name) => name.toUpperCase(),
      (name) => name.replaceAll('_', '-'),
      (name) => name.replaceAll('_', '.'),
      (name) => `${name}\u200b`,
      (name) => ` ${name}`,
      (name) => name.normalize('NFD'),
      (name) =>
        [...name]
          .map((char) => (/[a-z]/.test(char) ? String.fromCodePoint(char.charCodeAt(0) + 0xfee0) : char))
          .join(''),
    )
    const outcomeOf = (otherwise: 'allow' | 'deny', rule: Rule, originalName: string) =>
      decide({ permissions: { rules: [rule], otherwise } }, [aCandidate({ originalName })])[0]?.outcome
    fc.assert(
      fc.property(fc.constantFrom('a_b', 'read_file', 'caf\u00e9'), spelled, spelled, (name, one, two) => {
        const spelling = one(two(name))
        expect(outcomeOf('allow', aRule('deny', name), spelling)).toBe('excluded')
        expect(outcomeOf('allow', aRule('deny', spelling), name)).toBe('excluded')
        if (spelling !== name) expect(outcomeOf('deny', aRule('allow', name), spelling)).toBe('excluded')
      }),
      { numRuns: 2000 },
    )
  })

  test('the order of rules makes no difference at all (P6)', () => {
    const turned = world.chain((w) =>
      fc.tuple(fc.constant(w), fc.shuffledSubarray(w.rules, { minLength: w.rules.length })),
    )
    fc.assert(
      fc.property(turned, ([w, shuffled]) => {
        expect(decided(w, shuffled)).toEqual(decided(w, w.rules))
      }),
      { numRuns: 10_000 },
    )
  })

  test('a denied tool comes back with all the rules removed that it names, and with no fewer (P12)', () => {
    fc.assert(
      fc.property(world, (w) => {
        for (const { candidate: tool, code, outcome, steps } of decided(w, w.rules)) {
          if (outcome !== 'excluded' || !code.startsWith('denied') || code === 'denied-otherwise') continue
          const facts = someFacts({ permissions: { rules: w.rules, otherwise: w.otherwise }, attended: { on: w.on } })
          const removals = permissions.reasons.denied
            .change?.(steps.at(-1)?.evidence as never, tool, facts)
            .filter(({ op }) => op === 'remove')
          expect(removals?.length).toBeGreaterThan(0)
          w.rules.forEach((_rule, at) => {
            const [after] = decided({ ...w, candidates: [tool] }, without(w.rules, at))
            if (removals?.length !== 1) expect(after?.outcome).toBe('excluded')
          })
        }
      }),
      { numRuns: 2000 },
    )
  })
})
