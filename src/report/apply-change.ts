// "What if" for one candidate: a change that a gate offers, applied to the facts or to the candidate of a run.

import type { Candidate } from '../core/candidate.ts'
import type { Change } from '../core/gate.ts'
import type { RunFacts } from '../core/run-facts.ts'
import { applyChanges } from '../gates/apply-changes.ts'

export interface Changed {
  readonly facts: RunFacts
  readonly candidate: Candidate
}

/**
 * The facts and the candidate with the change made; the inputs stay as they are. Throws a RangeError on a path that
 * leads nowhere.
 */
export function applyChange(change: Change, facts: RunFacts, candidate: Candidate): Changed {
  const world = applyChanges({ facts, candidates: [candidate] }, candidate.id, [change])
  return { facts: world.facts, candidate: world.candidates[0] ?? candidate }
}
