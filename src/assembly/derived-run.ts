// Runs that come from a run while it runs, without asking any source again: that of a child it starts, and its own with
// other skills in use. Both have the candidates of the run, so neither can have what the run had not.

import { assemble } from '../core/assemble.ts'
import type { RunFacts } from '../core/run-facts.ts'
import type { Surface } from '../core/surface.ts'
import { sha256 } from '../sources/sha256.ts'
import { restricted } from './policy.ts'
import { exposedIds, reassembled } from './prepare-run.ts'
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

/** The same run with these skills in use beside those that are. */
export function skilledRun(run: PreparedRun, skills: readonly string[]): PreparedRun {
  if (skills.length === 0) return run
  return { ...run, surface: reassembled(run, { ...run.policy, skills: [...(run.policy.skills ?? []), ...skills] }) }
}

const surfaceUnder = (facts: RunFacts, { candidates, gates }: PreparedRun): Surface =>
  assemble(facts, candidates, gates, { sha256 })
