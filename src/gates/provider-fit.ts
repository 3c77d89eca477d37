// Whether the receiver of the tool list takes the tool: its name, its definition and one more tool. What does not
// fit is made to fit and the change is told; only what cannot be made to fit stays out, and it alone.

import type { Candidate, Definition } from '../core/candidate.ts'
import { definitionCharsOf } from '../core/definition-chars.ts'
import { abstains, admits, type Change, defineGate, excludes } from '../core/gate.ts'
import { printable } from '../core/printable.ts'
import type { RunFacts, TargetFacts } from '../core/run-facts.ts'
import { fitDescription } from '../targets/fit-description.ts'
import { type FittedName, fitNames } from '../targets/fit-name.ts'
import {
  type AliasFact,
  aliasWords,
  capHintWords,
  type NoteFact,
  noteWords,
  refusalWords,
} from '../targets/fit-words.ts'
import { type OverCap, overCap } from '../targets/over-cap.ts'
import { type Adapted, adaptSchema } from '../targets/schema/adapt-schema.ts'
import { profileNamed } from '../targets/schema/profiles.ts'
import type { SchemaRefusal } from '../targets/schema/schema-rule.ts'
import { commonTarget } from '../targets/targets.ts'
import { speller } from './exact-forms.ts'
import { quoted } from './words.ts'

type ForTarget = { readonly target: string }
type Alias = ForTarget & AliasFact
type Adaptation = ForTarget & {
  /** How many changes there were; `notes` tells the first of them. */
  readonly changes: number
  readonly notes: readonly NoteFact[]
}
type Refused = ForTarget & { readonly profile: string } & {
  readonly [field in keyof SchemaRefusal]: SchemaRefusal[field]
}
type Nameless = ForTarget & { readonly from: string; readonly nameMax: number }

const notesTold = 8

const toCommon: readonly Change[] = [{ on: 'facts', op: 'set', path: ['target'], value: { ...commonTarget } }]
const noArguments: readonly Change[] = [
  { on: 'candidate', op: 'set', path: ['definition', 'inputSchema'], value: { type: 'object', properties: {} } },
]

/** No target takes what the most lenient one refuses. */
const everywhere = (e: Refused): boolean => e.profile === commonTarget.schemaProfile

const reasons = {
  fits: abstains({
    say: {
      en: () => 'the target takes its name and its definition as they are',
      zh: () => '目标可原样接受其名称和定义',
    },
  }),
  'stands-for-a-server': abstains({
    say: {
      en: () => 'it stands for a server and there is nothing to fit',
      zh: () => '它代表服务器，没有需要适配的内容',
    },
  }),
  aliased: admits<Alias>({
    say: {
      en: (e) => `for target ${quoted(e.target)} its name "${e.from}" is ${aliasWords(e, 'en')}`,
      zh: (e) => `对于目标 ${quoted(e.target)}，其名称 "${e.from}" ${aliasWords(e, 'zh')}`,
    },
  }),
  adapted: admits<Adaptation>({
    say: {
      en: (e) => `for target ${quoted(e.target)} its definition was adapted: ${noteWords(e.notes, e.changes, 'en')}`,
      zh: (e) => `已为目标 ${quoted(e.target)} 调整其定义：${noteWords(e.notes, e.changes, 'zh')}`,
    },
  }),
  'aliased-and-adapted': admits<Alias & Adaptation>({
    say: {
      en: (e) =>
        `for target ${quoted(e.target)} its name "${e.from}" is ${aliasWords(e, 'en')}; and its definition was adapted: ${noteWords(e.notes, e.changes, 'en')}`,
      zh: (e) =>
        `对于目标 ${quoted(e.target)}，其名称 "${e.from}" ${aliasWords(e, 'zh')}；其定义也已调整：${noteWords(e.notes, e.changes, 'zh')}`,
    },
  }),
  'schema-refused': excludes<Refused>({
    say: {
      en: (e) => `target ${quoted(e.target)} refuses its schema at ${refusalWords(e.path, e.keyword, e.why, 'en')}`,
      zh: (e) => `目标 ${quoted(e.target)} 拒绝其 schema，位于 ${refusalWords(e.path, e.keyword, e.why, 'zh')}`,
    },
    hint: {
      en: (e) =>
        everywhere(e)
          ? 'ask its author to mend the schema there, because no target takes it'
          : `choose another target than ${quoted(e.target)}, or ask its author to change the schema there`,
      zh: (e) =>
        everywhere(e)
          ? '请让作者修正此处的 schema，任何目标都不接受它'
          : `请改用 ${quoted(e.target)} 以外的目标，或让作者修改此处的 schema`,
    },
    change: (e) => (everywhere(e) ? noArguments : toCommon),
  }),
  'name-unfittable': excludes<Nameless>({
    say: {
      en: (e) => `target ${quoted(e.target)} takes names of ${e.nameMax} characters, and none was left for "${e.from}"`,
      zh: (e) => `目标 ${quoted(e.target)} 只接受 ${e.nameMax} 个字符的名称，已无法为 "${e.from}" 取名`,
    },
    hint: {
      en: () => 'choose a target that takes longer names, or give the tool a shorter one',
      zh: () => '请改用允许更长名称的目标，或为该工具取一个更短的名称',
    },
    change: () => toCommon,
  }),
  'over-target-cap': excludes<ForTarget & OverCap>({
    say: {
      en: (e) =>
        `target ${quoted(e.target)} takes ${e.cap} tools, and this one is number ${e.rank} of ${e.standing}: pinned and built-in tools come first, then those of the configuration, then the rest`,
      zh: (e) =>
        `目标 ${quoted(e.target)} 最多接受 ${e.cap} 个工具，而它在 ${e.standing} 个中排第 ${e.rank}：先是固定与内置的工具，再是配置中的工具，然后是其余工具`,
    },
    hint: { en: (e) => capHintWords(e.cause, 'en'), zh: (e) => capHintWords(e.cause, 'zh') },
    change: (e) =>
      e.cause === 'deferral-off' ? [{ on: 'facts', op: 'set', path: ['deferral', 'mode'], value: 'on' }] : toCommon,
  }),
}

export const providerFit = defineGate({
  id: 'provider-fit',
  asks: {
    en: 'Does the receiver of the tool list take its name, its definition and one more tool?',
    zh: '工具列表的接收方是否接受它的名称、定义，以及再多一个工具？',
  },
  reasons,
  open: (facts, standing, because) => {
    const { target } = facts
    const profile = profileOf(target)
    const tools = standing.candidates.filter((candidate) => candidate.standIn !== true)
    const wanted = tools.map((candidate) => ({
      id: candidate.id,
      name: standing.nameOf(candidate),
      own: candidate.originalName,
    }))
    const names = fitNames(
      wanted,
      target,
      standing.reserved.map((held) => held.name),
    )
    const adaptedOf = (candidate: Candidate): Adapted => adaptSchema(candidate.definition.inputSchema, profile)
    const beyondCap = beyondCapOf(facts, tools, names, adaptedOf)
    const byTarget = { origin: target.origin }

    return (candidate) => {
      if (candidate.standIn === true) return because('stands-for-a-server', {})
      const adapted = adaptedOf(candidate)
      if ('refused' in adapted) {
        const { path, keyword, why } = adapted.refused
        const place = { path: printable(path), keyword: printable(keyword, 40), why }
        return because('schema-refused', { target: target.name, profile: profile.name, ...place }, byTarget)
      }
      const from = standing.nameOf(candidate)
      const alias = names.get(candidate.id)
      if (alias !== undefined && alias.name === undefined) {
        const evidence = { target: target.name, from: printable(from, 80), nameMax: target.nameMax }
        return because('name-unfittable', evidence, byTarget)
      }
      const beyond = beyondCap.get(candidate)
      if (beyond !== undefined) {
        const origin = beyond.cause === 'deferral-off' ? (facts.deferral.origin ?? target.origin) : target.origin
        return because('over-target-cap', { target: target.name, ...beyond }, { origin })
      }
      const name = alias?.name ?? from
      const fitted = fittedDefinition(candidate.definition, name, target, adapted)
      if (alias === undefined && fitted === undefined) return because('fits', {})
      const named = { target: target.name, from: printable(from, 80), to: name, why: alias?.why ?? [] }
      if (fitted === undefined) {
        const definitionChars = standing.charsOf(candidate) + JSON.stringify(name).length - JSON.stringify(from).length
        return because('aliased', named, { ...byTarget, amends: { name, definitionChars } })
      }
      const { definition, changes, notes } = fitted
      const amends = { definition, definitionChars: definitionCharsOf(name, definition) }
      const adaptation = { target: target.name, changes, notes }
      return alias === undefined
        ? because('adapted', adaptation, { ...byTarget, amends })
        : because('aliased-and-adapted', { ...named, ...adaptation }, { ...byTarget, amends: { ...amends, name } })
    }
  },
})

/** INVARIANT: a profile that is not known is a fault of the gate, so that nothing passes without being looked at. */
function profileOf({ schemaProfile }: TargetFacts) {
  const profile = profileNamed(schemaProfile)
  if (profile === undefined) throw new Error(`there is no schema profile ${quoted(schemaProfile)}`)
  return profile
}

/** Only what could be sent competes for the places; so this is the one case in which all schemas are adapted at once. */
function beyondCapOf(
  facts: RunFacts,
  tools: readonly Candidate[],
  names: ReadonlyMap<string, FittedName>,
  adaptedOf: (candidate: Candidate) => Adapted,
): ReadonlyMap<Candidate, OverCap> {
  const { toolsMax } = facts.target
  if (toolsMax === undefined || tools.length <= toolsMax) return new Map()
  const sendable = tools.filter((candidate) => {
    const alias = names.get(candidate.id)
    return !('refused' in adaptedOf(candidate)) && (alias === undefined || alias.name !== undefined)
  })
  const always = new Set(facts.deferral.always)
  const spelledIn = speller(always)
  const isPinned = (candidate: Candidate): boolean =>
    spelledIn(candidate) !== undefined || always.has(names.get(candidate.id)?.name ?? candidate.name)
  return overCap(sendable, facts, isPinned)
}

interface Fitted {
  readonly definition: Definition
  readonly changes: number
  readonly notes: readonly NoteFact[]
}

/** The definition with what had to change; undefined when nothing had to. */
function fittedDefinition(
  definition: Definition,
  name: string,
  target: TargetFacts,
  adapted: Exclude<Adapted, { readonly refused: unknown }>,
): Fitted | undefined {
  const { description, change } = fitDescription(definition, name, target)
  if (change === 'none' && adapted.schema === definition.inputSchema) return undefined
  const notes: NoteFact[] = change === 'none' ? [] : [{ path: '', keyword: 'description', what: change }]
  for (const { path, keyword, what } of adapted.notes.slice(0, notesTold - notes.length)) {
    notes.push({ path: printable(path), keyword: printable(keyword, 40), what })
  }
  return {
    definition: { ...definition, description, inputSchema: adapted.schema },
    changes: adapted.changes + (change === 'none' ? 0 : 1),
    notes,
  }
}
