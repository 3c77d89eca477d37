// What was at the door, as a file: surfaces can be assembled from it later, elsewhere, under other rules, without
// starting or importing anything. Schema `toolgate.snapshot/1`.

import type { Candidate } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { RunFacts } from '../core/run-facts.ts'
import type { Run, ServerState } from './run.ts'

export interface SnapshotDocument {
  readonly schema: 'toolgate.snapshot/1'
  /** ISO 8601. */
  readonly takenAt: string
  readonly preset: string
  /** The facts it was taken under. */
  readonly facts: RunFacts
  readonly servers: readonly ServerState[]
  readonly findings: readonly Finding[]
  /** All of them, excluded ones too, in the order of sources. */
  readonly candidates: readonly Candidate[]
}

/** The inventory of a run. */
export function snapshotOf({ surface, preset, servers, findings }: Run, takenAt: string): SnapshotDocument {
  const candidates = surface.decisions.map((decision) => decision.candidate)
  return { schema: 'toolgate.snapshot/1', takenAt, preset, facts: surface.facts, servers, findings, candidates }
}
