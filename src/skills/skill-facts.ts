// From the skills that are there to the facts that the gate `skill-tools` asks about. Whatever names a skill that
// cannot be used becomes a fact as well, so that a wish to restrict is never lost with the skill.

import type { SkillsConfig } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { SkillFact, SkillsFacts } from '../core/run-facts.ts'
import { finding } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { defaultReachable } from './default-reachable.ts'
import type { Skill } from './skill.ts'

export interface SkillWishes {
  /** Skills the agent may use. Absent: all enabled ones. `[]`: none. */
  readonly agentSkills?: readonly string[]
  readonly agentOrigin?: Origin
  /** Skills in use on this run beside those of the configuration: by flag, by thread. `[]`: no more. */
  readonly activeNames: readonly string[]
  readonly activeOrigin?: Origin
}

export interface SkillFactsResult {
  readonly facts: SkillsFacts
  readonly findings: readonly Finding[]
}

/**
 * The skills facts of a run. A skill named for this run that is not there, is disabled, or is not the agent's
 * counts as active and malformed: it allows nothing. A skill that the configuration has in use for everybody is
 * not in use for an agent whose own list leaves it out.
 */
export function skillFacts(
  config: SkillsConfig,
  loaded: { readonly skills: readonly Skill[] },
  wishes: SkillWishes,
): SkillFactsResult {
  const { agentSkills, activeNames } = wishes
  const here = loaded.skills.map((skill) => skill.name)
  const known = new Set(here)
  const findings: Finding[] = []
  const disabled = new Set(config.disabled)
  const agents = agentSkills === undefined ? undefined : new Set(agentSkills)
  const asked = new Set(activeNames)
  const active = new Set([...config.active.filter((name) => agents?.has(name) !== false), ...activeNames])
  const activeOrigin = (name: string): Origin =>
    (asked.has(name) ? wishes.activeOrigin : undefined) ??
    config.origin ?? { in: 'configuration', key: 'skills.active' }

  const list = loaded.skills.map((skill): SkillFact => {
    const enabled = !disabled.has(skill.name) && agents?.has(skill.name) !== false
    if (!active.has(skill.name) || enabled) return factOf(skill, enabled, active.has(skill.name))
    const why = disabled.has(skill.name) ? 'it is disabled' : 'it is not among the skills of the agent'
    findings.push(notEnabled(skill.name, why, activeOrigin(skill.name)))
    return unusable(skill.name, why, activeOrigin(skill.name))
  })

  for (const name of active) {
    if (known.has(name)) continue
    const origin = activeOrigin(name)
    findings.push(unknown(name, 'is in use but is not there, so it allows nothing', here, origin))
    list.push(unusable(printable(name), 'not found', origin))
  }
  for (const name of new Set(agentSkills)) {
    if (known.has(name) || active.has(name)) continue
    findings.push(unknown(name, 'is listed for the agent but is not there', here, wishes.agentOrigin))
  }
  for (const name of disabled) {
    if (known.has(name) || active.has(name)) continue
    findings.push(unknown(name, 'is to be disabled but is not there', here, config.origin))
  }

  const alwaysReachable = config.alwaysReachable ?? defaultReachable
  return { facts: { mode: config.mode, list, alwaysReachable }, findings }
}

/**
 * INVARIANT: a skill that is in use but cannot be used restricts to nothing. It counts as enabled, because the
 * gate passes over skills that are not.
 */
function unusable(name: string, why: string, origin: Origin): SkillFact {
  return { name, enabled: true, active: true, malformed: why, origin }
}

function factOf(skill: Skill, enabled: boolean, active: boolean): SkillFact {
  const { name, allowedTools, malformed, origin } = skill
  return {
    name,
    enabled,
    active,
    origin,
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(malformed === undefined ? {} : { malformed }),
  }
}

function unknown(name: string, what: string, here: readonly string[], origin: Origin | undefined): Finding {
  const near = nearest(name, here)
  const all = here.length === 0 ? 'no skill was found' : `the skills are: ${printable(here.slice(0, 8).join(', '))}`
  return finding('skill-unknown', 'error', `the skill "${printable(name, 80)}" ${what}`, {
    subject: printable(name),
    hint: near.length > 0 ? `did you mean ${near.map((one) => `"${printable(one, 80)}"`).join(' or ')}` : all,
    ...(origin === undefined ? {} : { origin }),
  })
}

function notEnabled(name: string, why: string, origin: Origin): Finding {
  return finding('skill-not-enabled', 'error', `the skill is in use but ${why}, so it allows nothing`, {
    subject: printable(name),
    hint: 'enable it for the agent, or do not name it',
    origin,
  })
}
