import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { SkillFact } from '../../src/core/run-facts.ts'
import { skillTools } from '../../src/gates/skill-tools.ts'
import { aCandidate, sha256, someFacts } from '../../src/testing/index.ts'
import { aSkill, skillToolsCases } from './cases/skill-tools.ts'
import { runCases } from './run-cases.ts'

runCases('skill-tools [G7]', skillTools, skillToolsCases)

describe('skill-tools, whatever the skills [G7]', () => {
  const names = ['a', 'A', 'a_b', 'a.b', 'toString', '__proto__', '*']
  const candidates = names.map((originalName) => aCandidate({ originalName }))
  const modes = fc.constantFrom('active' as const, 'enabled' as const)
  const someSkill: fc.Arbitrary<SkillFact> = fc
    .record({
      enabled: fc.boolean(),
      active: fc.boolean(),
      allowedTools: fc.option(fc.subarray(names), { nil: undefined }),
      malformed: fc.option(fc.constant('it is a text'), { nil: undefined, freq: 4 }),
    })
    .map((given) => aSkill('s', given))
  const someSkills = fc.array(someSkill, { maxLength: 3 })

  const reach = (list: readonly SkillFact[], mode: 'active' | 'enabled', alwaysReachable: readonly string[] = []) => {
    const facts = someFacts({ skills: { list, mode, alwaysReachable } })
    const { decisions } = assemble(facts, candidates, [skillTools], { sha256 })
    return decisions.filter(({ outcome }) => outcome !== 'excluded').map(({ candidate }) => candidate.name)
  }

  test('is never wider for a malformed list than for an empty one (P17)', () => {
    fc.assert(
      fc.property(someSkills, someSkill, modes, (others, skill, mode) => {
        const empty = reach([...others, aSkill('t', { ...skill, allowedTools: [], malformed: undefined })], mode)
        const malformed = reach([...others, aSkill('t', { ...skill, malformed: 'it is a text' })], mode)
        expect(malformed).toEqual(empty)
      }),
    )
  })

  test('lets through the union of what is declared, and all when none declares (P17)', () => {
    fc.assert(
      fc.property(someSkills, modes, (list, mode) => {
        const counted = list.filter((s) => s.enabled && (mode === 'enabled' || s.active))
        const declaring = counted.filter((s) => s.allowedTools !== undefined || s.malformed !== undefined)
        const union = new Set(declaring.flatMap((s) => (s.malformed === undefined ? (s.allowedTools ?? []) : [])))
        const expected = declaring.length === 0 ? names : names.filter((name) => union.has(name))
        expect(reach(list, mode)).toEqual(expected)
      }),
    )
  })

  test('only ever adds what is always reachable', () => {
    fc.assert(
      fc.property(someSkills, modes, fc.subarray(names), (list, mode, kept) => {
        const without = reach(list, mode)
        const expected = names.filter((name) => without.includes(name) || kept.includes(name))
        expect(reach(list, mode, kept)).toEqual(expected)
      }),
    )
  })

  test('never adds, by a skill that the thread has put into use, to what the operator’s leave (P17)', () => {
    fc.assert(
      fc.property(someSkills, someSkills, modes, (operators, threads, mode) => {
        const before = new Set(reach(operators, mode))
        const after = reach([...operators, ...threads.map((skill) => ({ ...skill, byThread: true as const }))], mode)
        expect(after.filter((name) => !before.has(name))).toEqual([])
      }),
    )
  })

  test('lets the first that the thread puts into use take away (P17)', () => {
    const operators = [aSkill('s', { allowedTools: ['a', 'a_b'] })]
    const read = aSkill('t', { allowedTools: ['a', 'toString'], byThread: true })
    expect(reach([...operators, read], 'active')).toEqual(['a'])
    expect(reach([...operators, aSkill('t', { allowedTools: ['a', 'toString'] })], 'active')).toEqual([
      'a',
      'a_b',
      'toString',
    ])
  })
})
