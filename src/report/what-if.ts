// The same candidates and gates under changed facts: a new surface, made by the one function that makes surfaces.

import { assemble } from '../core/assemble.ts'
import type { Change, Gate } from '../core/gate.ts'
import type { Sha256 } from '../core/json.ts'
import type { Surface } from '../core/surface.ts'
import { applyChanges } from '../gates/apply-changes.ts'

export interface WhatIf {
  readonly gates: readonly Gate[]
  readonly changes: readonly Change[]
  /** Identity of the candidate that changes on `candidate` are made to. Absent: such changes are not made. */
  readonly candidateId?: string
  readonly sha256: Sha256
}

/**
 * The surface that the changes would give; the one handed in stays as it is. Throws a RangeError on a change whose
 * path leads nowhere.
 */
export function whatIf(surface: Surface, { gates, changes, candidateId = '', sha256 }: WhatIf): Surface {
  const candidates = surface.decisions.map((decision) => decision.candidate)
  const changed = applyChanges({ facts: surface.facts, candidates }, candidateId, changes)
  return assemble(changed.facts, changed.candidates, gates, { sha256 })
}
