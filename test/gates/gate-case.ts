// One row of a gate's table: a world, the tool in question, and the code that must come out.

import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Step } from '../../src/core/decision.ts'
import type { Gate } from '../../src/core/gate.ts'
import { type FactsOverrides, type GateWorld, sha256, someFacts } from '../../src/testing/index.ts'

export interface GateCase {
  readonly name: string
  readonly facts?: FactsOverrides
  readonly candidate: Candidate
  /** Candidates that come before it. */
  readonly ahead?: readonly Candidate[]
  readonly behind?: readonly Candidate[]
  /** Gates that run first. */
  readonly before?: readonly Gate[]
  readonly code: string
  /** `file:line key` of the rule that the verdict rests on. */
  readonly origin?: string
}

export const worldOf = ({ facts, candidate, ahead = [], behind = [], before = [] }: GateCase): GateWorld => ({
  facts: someFacts(facts),
  candidates: [...ahead, candidate, ...behind],
  before,
})

/** What the gate says of the tool in question. */
export function stepOf(gate: Gate, row: GateCase): Step {
  const { facts, candidates, before = [] } = worldOf(row)
  const { decisions } = assemble(facts, candidates, [...before, gate], { sha256 })
  const step = decisions[row.ahead?.length ?? 0]?.steps.at(-1)
  if (step === undefined) throw new Error(`no gate looked at ${row.candidate.id}`)
  return step
}
