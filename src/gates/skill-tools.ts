// Skills narrow: when a skill in use lists its allowed tools, only what such lists name remains. A list that
// cannot be read allows nothing. Names are compared byte for byte, so a star or a look-alike opens nothing.

import type { Candidate } from '../core/candidate.ts'
import { abstains, admits, type Change, defineGate, excludes, type Verdict } from '../core/gate.ts'
import type { RunFacts, SkillFact, SkillsFacts } from '../core/run-facts.ts'
import { speller } from './exact-forms.ts'
import { listed, listedZh, quoted, remark, remarkZh } from './words.ts'

interface Declared {
  readonly mode: SkillsFacts['mode']
  /** The skills that list their tools. */
  readonly skills: readonly string[]
  readonly [fact: string]: string | readonly string[]
}

const inMode = {
  en: { active: 'skills in use', enabled: 'enabled skills' },
  zh: { active: '使用中的技能', enabled: '已启用的技能' },
} as const

export const skillTools = defineGate({
  id: 'skill-tools',
  asks: {
    en: 'Do the skills that restrict this run allow the tool?',
    zh: '限制本次运行的技能是否允许该工具？',
  },
  reasons: {
    'no-skill-restricts': abstains<{ readonly mode: SkillsFacts['mode'] }>({
      say: {
        en: (e) => `none of the ${inMode.en[e.mode]} lists its tools, so skills restrict nothing`,
        zh: (e) => `${inMode.zh[e.mode]}都没有列出工具，因此技能不作限制`,
      },
    }),
    'stands-for-a-server': abstains({
      say: {
        en: () => 'it stands for tools that nobody has listed yet, so no skill can name them',
        zh: () => '它代表尚未列出的工具，技能无从提及',
      },
    }),
    'skill-allows': admits<{ readonly skill: string; readonly as: string }>({
      say: {
        en: (e) => `skill ${quoted(e.skill)} allows it as ${quoted(e.as)}`,
        zh: (e) => `技能 ${quoted(e.skill)} 以 ${quoted(e.as)} 之名允许它`,
      },
    }),
    'always-reachable': admits({
      say: {
        en: () => 'it is infrastructure that no skill can take away',
        zh: () => '它属于基础设施，任何技能都不能将其移除',
      },
    }),
    'no-skill-allows': excludes<Declared>({
      say: {
        en: (e) => `the ${inMode.en[e.mode]} that list their tools do not name it: ${listed(e.skills)}`,
        zh: (e) => `列出了工具的${inMode.zh[e.mode]}均未提及它：${listedZh(e.skills)}`,
      },
      hint: {
        en: (e, candidate) =>
          `add ${quoted(candidate.name)} to the allowed-tools of ${listed(e.skills.slice(0, 1))}, or do without that skill`,
        zh: (e, candidate) =>
          `将 ${quoted(candidate.name)} 加入 ${listedZh(e.skills.slice(0, 1))} 的 allowed-tools，或停用该技能`,
      },
      change: (_e, { name }, facts) => letIn(name, facts),
    }),
    'skill-list-malformed': excludes<{ readonly skill: string; readonly problem: string }>({
      say: {
        en: (e) =>
          `the allowed-tools of skill ${quoted(e.skill)} cannot be read, and such a skill allows nothing${remark(e.problem)}`,
        zh: (e) => `技能 ${quoted(e.skill)} 的 allowed-tools 无法读取，这样的技能不允许任何工具${remarkZh(e.problem)}`,
      },
      hint: {
        en: (e) => `mend the front matter of skill ${quoted(e.skill)}, or do without it`,
        zh: (e) => `请修复技能 ${quoted(e.skill)} 的 front matter，或停用它`,
      },
      change: (_e, { name }, facts) => letIn(name, facts),
    }),
  },
  open: (facts, _standing, because) => {
    const { mode, alwaysReachable } = facts.skills
    const kept = new Set(alwaysReachable)
    const lists = layersOf(facts.skills).map((declaring) => {
      const grants = new Map<string, SkillFact>()
      for (const skill of declaring) {
        for (const name of allowedBy(skill)) if (!grants.has(name)) grants.set(name, skill)
      }
      const spelledIn = speller(grants.keys())
      const [first] = declaring
      const sound = declaring.filter((skill) => skill.malformed === undefined)
      const { origin } = sound[0] ?? first
      const excluded =
        sound.length === 0
          ? because('skill-list-malformed', { skill: first.name, problem: first.malformed ?? '' }, { origin })
          : because('no-skill-allows', { mode, skills: declaring.map((skill) => skill.name) }, { origin })
      return { grants, spelledIn, excluded }
    })
    if (lists.length === 0) {
      const verdict = because('no-skill-restricts', { mode })
      return () => verdict
    }

    return (candidate) => {
      if (candidate.standIn === true) return because('stands-for-a-server', {})
      let admitted: Verdict | undefined
      for (const { grants, spelledIn, excluded } of lists) {
        const as = spelledIn(candidate)
        const skill = as === undefined ? undefined : grants.get(as)
        if (as !== undefined && skill !== undefined) {
          admitted = because('skill-allows', { skill: skill.name, as }, { origin: skill.origin })
        } else if (!isKept(candidate, kept)) return excluded
      }
      return admitted ?? because('always-reachable', {})
    }
  },
})

type Layer = readonly [SkillFact, ...SkillFact[]]

/**
 * The skills that restrict, in lists of which each must allow a tool: those of the operator together, and those that the
 * thread has put into use. A model that reads a skill gains nothing by it.
 */
function layersOf({ list, mode }: SkillsFacts): readonly Layer[] {
  const declaring = list.filter((skill) => restricts(skill, mode))
  const layers = [declaring.filter(({ byThread }) => byThread !== true), declaring.filter(({ byThread }) => byThread)]
  return layers.filter((layer): layer is [SkillFact, ...SkillFact[]] => layer.length > 0)
}

/** A bare name keeps no tool of a server: one that happens to be called `read_file` is no infrastructure. */
function isKept({ name, server, originalName }: Candidate, kept: ReadonlySet<string>): boolean {
  if (server === undefined) return kept.has(name)
  return (name !== originalName && kept.has(name)) || kept.has(`${server}/${originalName}`)
}

const isConsidered = (skill: SkillFact, mode: SkillsFacts['mode']): boolean =>
  skill.enabled && (mode === 'enabled' || skill.active)

const restricts = (skill: SkillFact, mode: SkillsFacts['mode']): boolean =>
  isConsidered(skill, mode) && (skill.allowedTools !== undefined || skill.malformed !== undefined)

// INVARIANT: a malformed list is never wider than an empty one, whatever was salvaged from it.
const allowedBy = (skill: SkillFact): readonly string[] =>
  skill.malformed === undefined ? (skill.allowedTools ?? []) : []

/** In each list that must allow it: puts the name with the first skill that has a sound list, else mends the first. */
function letIn(name: string, { skills }: RunFacts): readonly Change[] {
  return layersOf(skills).flatMap((layer): readonly Change[] => {
    if (layer.some((skill) => allowedBy(skill).includes(name))) return []
    const sound = layer.find(({ malformed }) => malformed === undefined)
    const path = ['skills', 'list', String(skills.list.indexOf(sound ?? layer[0]))]
    if (sound !== undefined) return [{ on: 'facts', op: 'add', path: [...path, 'allowedTools'], value: name }]
    return [
      { on: 'facts', op: 'unset', path: [...path, 'malformed'] },
      { on: 'facts', op: 'set', path: [...path, 'allowedTools'], value: [name] },
    ]
  })
}
