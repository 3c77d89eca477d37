// What a person asks for on one run beside the configuration: the policy flags, as data. `restricted` is the one
// place where they become facts, so every command, the gateway and the page mean the same by them.

import type { Change } from '../core/gate.ts'
import type { Origin } from '../core/origin.ts'
import type { Rule, RunFacts, SkillFact, TargetFacts } from '../core/run-facts.ts'

/** Whose surface it is. Naming what would be chosen anyway is no mistake. */
export interface RunSelection {
  readonly agent?: string
  readonly model?: string
  readonly target?: string
  /** A child of `agent`, by agent name. */
  readonly subagent?: string
}

/** What narrows or changes that surface. Each of these must change something. */
export interface RunRestrictions {
  /** Skills put into use. Absent: those of the configuration. */
  readonly skills?: readonly string[]
  readonly simpleMode?: boolean
  readonly noMcp?: boolean
  readonly denyTools?: readonly string[]
  readonly denyPrefixes?: readonly string[]
  readonly allow?: readonly string[]
  readonly unattended?: boolean
  /** Rules of somebody who says where they stand, such as a view of the gateway. Absent: none. */
  readonly rules?: readonly Rule[]
}

export interface RunPolicy extends RunSelection, RunRestrictions {}

const flag = (key: string): Origin => ({ in: 'command line', key })
const skillFlag = (name: string): Origin => flag(`--skill ${name}`)

/** Facts with the restrictions laid on top; the facts handed in stay as they are. */
export function restricted(facts: RunFacts, policy: RunRestrictions): RunFacts {
  const rules = rulesOf(policy)
  return {
    ...facts,
    ...(policy.simpleMode === true ? { simpleMode: { on: true, origin: flag('--simple-mode') } } : {}),
    ...(policy.noMcp === true ? { mcp: { on: false, origin: flag('--no-mcp') } } : {}),
    ...(policy.unattended === true ? { attended: { on: false, origin: flag('--unattended') } } : {}),
    ...(rules.length > 0
      ? { permissions: { ...facts.permissions, rules: [...facts.permissions.rules, ...rules] } }
      : {}),
    ...(policy.skills !== undefined
      ? { skills: { ...facts.skills, list: activated(facts.skills.list, policy.skills, skillFlag) } }
      : {}),
  }
}

/** A target chosen by flag in place of the model's own. */
export function withTarget(facts: RunFacts, target: TargetFacts): RunFacts {
  return { ...facts, target: { ...target, origin: flag(`--target ${target.name}`) } }
}

function rulesOf(policy: RunRestrictions): Rule[] {
  const rule = (effect: Rule['effect'], text: string, key: string): Rule => ({
    effect,
    text,
    scope: 'command line',
    origin: flag(`${key} ${text}`),
  })
  return [
    ...(policy.denyTools ?? []).map((text) => rule('deny', text, '--deny-tool')),
    ...(policy.denyPrefixes ?? []).map((text) => ({
      ...rule('deny', `${text}*`, '--deny-prefix'),
      origin: flag(`--deny-prefix ${text}`),
    })),
    ...(policy.allow ?? []).map((text) => rule('allow', text, '--allow')),
    ...(policy.rules ?? []),
  ]
}

/**
 * INVARIANT: a skill that is named but cannot be used allows nothing; a typo never widens. It counts as enabled, so
 * that its restriction is in force in both modes.
 */
export function activated(
  list: readonly SkillFact[],
  names: readonly string[],
  originOf: (name: string) => Origin,
): SkillFact[] {
  const known = new Set(list.map(({ name }) => name))
  const missing = names
    .filter((name) => !known.has(name))
    .map((name): SkillFact => {
      const why = 'there is no such skill'
      return { name, enabled: true, active: true, malformed: why, origin: originOf(name) }
    })
  return [...list.map((skill) => (names.includes(skill.name) ? inUse(skill, originOf) : skill)), ...missing]
}

function inUse(skill: SkillFact, originOf: (name: string) => Origin): SkillFact {
  if (skill.enabled) return { ...skill, active: true }
  const malformed = 'it is not enabled for the agent'
  return { ...skill, enabled: true, active: true, malformed, origin: originOf(skill.name) }
}

/** Each restriction on its own, with the flag that made it; to find those that change nothing. */
export function singleRestrictions(
  policy: RunRestrictions,
): { readonly flag: string; readonly policy: RunRestrictions; readonly without: RunRestrictions }[] {
  const singles: { flag: string; policy: RunRestrictions; without: RunRestrictions }[] = []
  for (const key of ['simpleMode', 'noMcp', 'unattended'] as const) {
    if (policy[key] !== true) continue
    const { [key]: _, ...without } = policy
    singles.push({ flag: switchFlags[key], policy: { [key]: true }, without })
  }
  for (const key of ['skills', 'denyTools', 'denyPrefixes', 'allow'] as const) {
    for (const value of policy[key] ?? []) {
      const others = (policy[key] ?? []).filter((other) => other !== value)
      const { [key]: _, ...rest } = policy
      const without = others.length > 0 ? { ...rest, [key]: others } : rest
      singles.push({ flag: `${listFlags[key]} ${value}`, policy: { [key]: [value] }, without })
    }
  }
  return singles
}

const switchFlags = { simpleMode: '--simple-mode', noMcp: '--no-mcp', unattended: '--unattended' } as const
const listFlags = {
  skills: '--skill',
  denyTools: '--deny-tool',
  denyPrefixes: '--deny-prefix',
  allow: '--allow',
} as const

/** The same restrictions as changes of stored facts, for "what if" over a log; skills are not among them. */
export function changesOf(policy: Omit<RunRestrictions, 'skills'>): Change[] {
  const set = (path: string, on: boolean, key: string): Change => ({
    on: 'facts',
    op: 'set',
    path: [path],
    value: { on, origin: { ...flag(key) } },
  })
  return [
    ...(policy.simpleMode === true ? [set('simpleMode', true, '--simple-mode')] : []),
    ...(policy.noMcp === true ? [set('mcp', false, '--no-mcp')] : []),
    ...(policy.unattended === true ? [set('attended', false, '--unattended')] : []),
    ...rulesOf(policy).map(
      (rule): Change => ({
        on: 'facts',
        op: 'add',
        path: ['permissions', 'rules'],
        value: { ...rule, origin: { ...rule.origin } },
      }),
    ),
  ]
}
