import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SkillsConfig } from '../../src/config/config.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import { skillTools } from '../../src/gates/skill-tools.ts'
import { defaultReachable } from '../../src/skills/default-reachable.ts'
import { readSkill } from '../../src/skills/read-skill.ts'
import type { Skill } from '../../src/skills/skill.ts'
import { type SkillWishes, skillFacts } from '../../src/skills/skill-facts.ts'
import { aCandidate, someFacts } from '../../src/testing/world.ts'

const config: SkillsConfig = { paths: [], mode: 'active', active: [], disabled: [] }
const skill = (name: string, line = ''): Skill =>
  readSkill(`---\nname: ${name}\ndescription: Does it.\n${line}\n---\n`, {
    folder: `/skills/${name}`,
    folderName: name,
    file: `skills/${name}/SKILL.md`,
  })
const audit = skill('site-audit', 'allowed-tools: [read_file, fetch]')
const notes = skill('note-taker')
const broken = skill('broken', 'allowed-tools: {a: true}')

const factsOf = (wishes: Partial<SkillWishes>, change: Partial<SkillsConfig> = {}, skills = [audit, notes, broken]) =>
  skillFacts({ ...config, ...change }, { skills }, { activeNames: [], ...wishes })
const flagsOf = (result: ReturnType<typeof factsOf>) =>
  result.facts.list.map(({ name, enabled, active }) => [name, enabled, active])

describe('which skills count on a run [G7]', () => {
  it('has all skills enabled and none in use when nobody says anything', () => {
    const result = factsOf({})
    expect(flagsOf(result)).toEqual([
      ['site-audit', true, false],
      ['note-taker', true, false],
      ['broken', true, false],
    ])
    expect(result.facts).toMatchObject({ mode: 'active', alwaysReachable: defaultReachable })
    expect(result.findings).toEqual([])
  })

  it.each<[string, readonly string[] | undefined, readonly boolean[]]>([
    ['absent enables all', undefined, [true, true, true]],
    ['empty enables none', [], [false, false, false]],
    ['filled enables those', ['note-taker'], [false, true, false]],
  ])('the agent`s list: %s', (_what, agentSkills, enabled) => {
    const result = factsOf(agentSkills === undefined ? {} : { agentSkills })
    expect(result.facts.list.map((fact) => fact.enabled)).toEqual(enabled)
    expect(result.findings).toEqual([])
  })

  it('hands on lists, faults and their places', () => {
    const { facts } = factsOf({ activeNames: ['site-audit', 'broken'] })
    expect(facts.list).toEqual([
      expect.objectContaining({
        name: 'site-audit',
        active: true,
        allowedTools: ['read_file', 'fetch'],
        origin: audit.origin,
      }),
      expect.objectContaining({ name: 'note-taker', active: false }),
      expect.objectContaining({ name: 'broken', active: true, malformed: broken.malformed, origin: broken.origin }),
    ])
    expect(facts.list[1]).not.toHaveProperty('allowedTools')
    expect(facts.list[2]).not.toHaveProperty('allowedTools')
  })

  it('keeps its own list of reachable tools, an empty one too', () => {
    expect(factsOf({}, { alwaysReachable: [] }).facts.alwaysReachable).toEqual([])
    expect(factsOf({}, { alwaysReachable: ['ls'] }).facts.alwaysReachable).toEqual(['ls'])
  })

  it('does not put a skill of everybody into use for an agent that may not use it', () => {
    const result = factsOf({ agentSkills: ['note-taker'] }, { active: ['site-audit'] })
    expect(flagsOf(result)).toContainEqual(['site-audit', false, false])
    expect(result.findings).toEqual([])
  })
})

describe('a skill that is named and cannot be used [P17]', () => {
  const flag = { in: 'command line', key: '--skill' }

  it.each<[string, Partial<SkillWishes>, Partial<SkillsConfig>, string, string, string]>([
    ['is not there', { activeNames: ['site-adit'] }, {}, 'site-adit', 'skill-unknown', 'not found'],
    ['is not there, by configuration', {}, { active: ['site-adit'] }, 'site-adit', 'skill-unknown', 'not found'],
    [
      'is disabled',
      { activeNames: ['site-audit'] },
      { disabled: ['site-audit'] },
      'site-audit',
      'skill-not-enabled',
      'it is disabled',
    ],
    [
      'is disabled, by configuration',
      {},
      { active: ['site-audit'], disabled: ['site-audit'] },
      'site-audit',
      'skill-not-enabled',
      'it is disabled',
    ],
    [
      'is not the agent`s',
      { activeNames: ['site-audit'], agentSkills: [] },
      {},
      'site-audit',
      'skill-not-enabled',
      'it is not among the skills of the agent',
    ],
  ])('allows nothing when it %s', (_what, wishes, change, name, code, malformed) => {
    const result = factsOf({ ...wishes, activeOrigin: flag }, change)
    const fact = result.facts.list.find((item) => item.name === name)
    expect(fact).toMatchObject({ active: true, malformed })
    expect(fact).not.toHaveProperty('allowedTools')
    expect(result.findings).toMatchObject([{ code, severity: 'error', subject: name }])
    expect(verdictOn('fetch', result).effect).toBe('exclude')
  })

  it('says what is near, or what there is', () => {
    expect(factsOf({ activeNames: ['siteaudit'], activeOrigin: flag }).findings).toMatchObject([
      { hint: 'did you mean "site-audit"', origin: flag },
    ])
    expect(factsOf({ activeNames: ['zzz'] }).findings[0]?.hint).toContain('site-audit, note-taker, broken')
    expect(factsOf({ activeNames: ['zzz'] }, {}, []).findings[0]?.hint).toBe('no skill was found')
  })

  it('is reported when an agent lists it or the configuration disables it, and restricts nothing by that', () => {
    const result = factsOf({ agentSkills: ['note-takr', 'site-audit'] }, { disabled: ['brokn'] })
    expect(result.findings.map((found) => [found.code, found.subject])).toEqual([
      ['skill-unknown', 'note-takr'],
      ['skill-unknown', 'brokn'],
    ])
    expect(result.facts.list).toHaveLength(3)
    expect(verdictOn('fetch', result).effect).toBe('abstain')
  })

  it('is one printable line, whatever the name', () => {
    const { facts, findings } = factsOf({ activeNames: ['a\u001b[2J\nb'.repeat(100)] })
    const text = `${facts.list.at(-1)?.name} ${findings[0]?.subject} ${findings[0]?.message}`
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(text.length).toBeLessThan(1500)
  })
})

function verdictOn(tool: string, { facts }: ReturnType<typeof factsOf>) {
  const standing = { candidates: [], reserved: [], nameOf: ({ name }: Candidate) => name, charsOf: () => 0 }
  return skillTools.open(someFacts({ skills: facts }), standing)(aCandidate({ name: tool }))
}

describe('with the gate skill-tools [P17]', () => {
  const tools = ['read_file', 'fetch', 'bash', 'task', 'web_find']
  const exposedBy = (skills: readonly Skill[], active: readonly string[]): Set<string> => {
    const result = factsOf({ activeNames: active }, {}, [...skills])
    return new Set(tools.filter((tool) => verdictOn(tool, result).effect !== 'exclude'))
  }

  it('restricts nothing when no skill in use declares a list', () => {
    expect(exposedBy([audit, notes], ['note-taker'])).toEqual(new Set(tools))
  })

  it('allows the union of what the skills in use declare, and what is always reachable [C-118]', () => {
    const other = skill('other', 'allowed-tools: [task]')
    expect(exposedBy([audit, other, notes], ['site-audit', 'other', 'note-taker'])).toEqual(
      new Set(['read_file', 'fetch', 'task']),
    )
  })

  it('leaves the tool that loads the skill [C-119]', () => {
    expect(exposedBy([skill('query', 'allowed-tools: [fetch]')], ['query'])).toEqual(new Set(['read_file', 'fetch']))
  })

  it('never lets a malformed list be wider than an empty one', () => {
    const empty = exposedBy([skill('subject', 'allowed-tools: []')], ['subject'])
    const value = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.oneof(fc.constantFrom(...tools, '*', 'web_*', '(x)', ' bash'), fc.integer(), fc.constant(null)))
        .map((list) => JSON.stringify(list)),
    )
    fc.assert(
      fc.property(
        value,
        fc.constantFrom('allowed-tools', 'allowed_tools', 'Allowed-Tools', 'allowedTools'),
        (text, key) => {
          const subject = skill('subject', `${key}: ${text}`)
          if (subject.malformed === undefined) return
          const open = [...exposedBy([subject], [subject.name])].filter((tool) => !empty.has(tool))
          expect(open).toEqual([])
        },
      ),
      { numRuns: 5000 },
    )
  })
})
