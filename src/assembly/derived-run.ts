// Runs that come from a run while it runs, without asking any source again: that of a child it starts, and its own with
// other skills in use. Both have the candidates of the run, so neither can have what the run had not.

import { assemble } from '../core/assemble.ts'
import type { RunFacts, SkillFact, SkillsFacts } from '../core/run-facts.ts'
import type { Surface } from '../core/surface.ts'
import { sha256 } from '../sources/sha256.ts'
import { activated, type RunPolicy, restricted } from './policy.ts'
import { exposedIds } from './prepare-run.ts'
import type { PreparedRun } from './run-input.ts'

/**
 * The run of a child: what its own agent asks for, inside of what this run has at this moment, under the same policy.
 * Absent name: a helper of the run's own kind. Throws a ToolgateError `unknown-name` when there is no such agent, or the
 * run may not start it.
 */
export function childRun(run: PreparedRun, agent?: string): PreparedRun {
  const { startedChild, lineage, surface } = run
  // A skill that a person puts into use bounds the parent, and through it the child, which need not know it.
  const { skills: _, ...policy } = run.policy
  const name = agent ?? lineage.at(-1)
  if (startedChild === undefined || name === undefined)
    throw new TypeError('a run from an inventory starts no children')
  const { model, sandbox } = surface.facts
  const parent = { lineage, tools: exposedIds(surface), model: model.name }
  const baseFacts = startedChild(name, parent, sandbox)
  const child = surfaceUnder(restricted(baseFacts, policy), run)
  return { ...run, baseFacts, surface: child, lineage: [...lineage, name], policy }
}

/**
 * The run of somebody else on the same candidates: another agent, target or restrictions. What the sources were not asked
 * for is not there (`RunInput.views`). Throws a ToolgateError `unknown-name`.
 */
export function viewedRun(run: PreparedRun, view: RunPolicy): PreparedRun {
  if (run.chosenFacts === undefined) throw new TypeError('a run from an inventory has one agent')
  const baseFacts = run.chosenFacts(view, run.surface.facts.sandbox)
  const surface = surfaceUnder(restricted(baseFacts, view), run)
  return { ...run, baseFacts, surface, lineage: [baseFacts.agent.name], policy: view }
}

/** The same run with these skills put into use by its thread: they take away, and never give what others leave out. */
export function skilledRun(run: PreparedRun, skills: readonly string[]): PreparedRun {
  if (skills.length === 0) return run
  const { facts } = run.surface
  return { ...run, surface: surfaceUnder({ ...facts, skills: withSkills(facts.skills, skills) }, run) }
}

function withSkills({ list, mode, ...rest }: SkillsFacts, names: readonly string[]): SkillsFacts {
  // What the operator has in use stays the operator's.
  const own = new Set(names.filter((name) => list.find((skill) => skill.name === name)?.active !== true))
  const all = activated(list, [...own], () => ({ in: 'thread' }))
  const byThread = (skill: SkillFact): SkillFact => (own.has(skill.name) ? { ...skill, byThread: true } : skill)
  return { ...rest, mode, list: mode === 'active' ? all.map(byThread) : all }
}

const surfaceUnder = (facts: RunFacts, { candidates, gates }: PreparedRun): Surface =>
  assemble(facts, candidates, gates, { sha256 })
