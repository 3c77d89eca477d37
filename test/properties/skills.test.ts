// What skills may take away, and that no broken skill gives anything.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SkillFact, SkillsFacts } from '../../src/core/run-facts.ts'
import { readSkill } from '../../src/skills/read-skill.ts'
import type { World } from '../oracle/world.ts'
import { aWorld, exactForm } from '../oracle/worlds.ts'
import { decide, exposedIds, holds, isSubset, withFacts } from './harness.ts'

const place = { folder: '/skills/some-skill', folderName: 'some-skill', file: 'skills/some-skill/SKILL.md' }

const skillNamed = (name: string, parts: Partial<SkillFact>): SkillFact => ({
  name,
  enabled: true,
  active: true,
  origin: { in: name },
  ...parts,
})
const underSkills = (world: World, list: readonly SkillFact[], mode: SkillsFacts['mode'] = 'active'): Set<string> =>
  exposedIds(decide(withFacts(world, { skills: { ...world.facts.skills, mode, list } })))

const tools = fc.array(exactForm, { maxLength: 6 })

/** Places and the budget are shared out anew when tools go, so what is compared is a world that has enough of both. */
const roomy = aWorld.map((world) => {
  const { toolsMax: _toolsMax, ...target } = world.facts.target
  return withFacts(world, { target, deferral: { ...world.facts.deferral, mode: 'off' } })
})
/** Tools whose names differ, so that none comes in where another went. */
const distinct = roomy.filter(
  ({ candidates }) =>
    new Set(candidates.map(({ name }) => name.normalize('NFKC').toLowerCase())).size === candidates.length,
)

describe('skills of a run [G7]', () => {
  it('[P17] that cannot be read never give more than an empty list', () => {
    holds(roomy, fc.tuple(tools, fc.boolean()), (world, [salvaged, enabledMode]) => {
      const mode = enabledMode ? 'enabled' : 'active'
      const broken = underSkills(world, [skillNamed('s', { malformed: 'broken', allowedTools: salvaged })], mode)
      const empty = underSkills(world, [skillNamed('s', { allowedTools: [] })], mode)
      return isSubset(broken, empty) ? undefined : `${[...broken]} and ${[...empty]}`
    })
  })

  it('[P17] that declare give the union of what each alone gives', () => {
    holds(
      distinct,
      fc.tuple(tools, tools),
      (world, [one, other]) => {
        const both = underSkills(world, [
          skillNamed('one', { allowedTools: one }),
          skillNamed('other', { allowedTools: other }),
        ])
        const union = new Set([
          ...underSkills(world, [skillNamed('one', { allowedTools: one })]),
          ...underSkills(world, [skillNamed('other', { allowedTools: other })]),
        ])
        return isSubset(both, union) && isSubset(union, both) ? undefined : `${[...both]} and ${[...union]}`
      },
      5000,
    )
  })

  it('[P17] that declare nothing restrict nothing, alone or beside others', () => {
    holds(
      roomy,
      tools,
      (world, list) => {
        const silent = skillNamed('silent', {})
        const declaring = skillNamed('declaring', { allowedTools: list })
        const same = (a: Set<string>, b: Set<string>) => isSubset(a, b) && isSubset(b, a)
        const alone = same(underSkills(world, [silent]), underSkills(world, []))
        const beside = same(underSkills(world, [silent, declaring]), underSkills(world, [declaring]))
        return alone && beside ? undefined : 'a skill without a list restricts'
      },
      5000,
    )
  })

  it('[P17] never add a tool', () => {
    holds(distinct, tools, (world, list) => {
      const [without, with_] = [underSkills(world, []), underSkills(world, [skillNamed('s', { allowedTools: list })])]
      return isSubset(with_, without) ? undefined : `${[...with_]} and ${[...without]}`
    })
  })
})

describe('the front matter of a skill [G7]', () => {
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '~',
      'null',
      '[]',
      '[a, b]',
      'a b',
      'a, b',
      'true',
      '7',
      '{a: b}',
      '[a, 7]',
      '[a, [b]]',
      '["*"]',
      '"*"',
      '[a',
      'a: b',
      '!x a',
      '&x [*x]',
      '[a, ~]',
      '- a\n  - b',
      "'a(b'",
      '[]]',
    ),
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )

  it('[P17] read from any text gives a list, no list, or a reason, and never throws', () => {
    const kinds = new Set<string>()
    fc.assert(
      fc.property(
        fc.constantFrom('allowed-tools', 'allowed-tools', 'allowed_tools', 'Allowed-Tools', 'tools', 'license'),
        value,
        (key, written) => {
          const skill = readSkill(
            `---\nname: some-skill\ndescription: Does something.\n${key}: ${written}\n---\nBody`,
            place,
          )
          const { allowedTools, malformed, findings } = skill
          kinds.add(
            malformed !== undefined
              ? 'malformed'
              : allowedTools === undefined
                ? 'absent'
                : allowedTools.length === 0
                  ? 'empty'
                  : 'list',
          )
          // INVARIANT: what was refused with an error allows nothing.
          expect(findings.some(({ severity }) => severity === 'error')).toBe(malformed !== undefined)
          if (key === 'allowed-tools') expect(malformed !== undefined || allowedTools !== undefined).toBe(true)
          for (const tool of allowedTools ?? []) expect(tool).toMatch(/^[\w.:/-]+$/)
        },
      ),
      { numRuns: 3000 },
    )
    expect([...kinds].sort()).toEqual(['absent', 'empty', 'list', 'malformed'])
  })

  it('[P17] of any shape never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          value.map((text) => `---\n${text}\n---\n`),
        ),
        (text) => {
          const { allowedTools, malformed, findings } = readSkill(text, place)
          if (findings.some(({ severity }) => severity === 'error'))
            expect(malformed ?? allowedTools?.length).toBeDefined()
          if (!text.startsWith('---')) expect(malformed).toBeDefined()
        },
      ),
      { numRuns: 3000 },
    )
  })
})
