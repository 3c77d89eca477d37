import type { Candidate, Definition } from './candidate.ts'
import type { Verdict } from './gate.ts'
import type { Rule } from './run-facts.ts'

/** One gate's verdict on the way of a candidate. */
export interface Step extends Verdict {
  readonly gate: string
}

/** eager: the model gets name and schema. deferred: the name now, the schema on request. excluded: neither, and no call. */
export type Outcome = 'eager' | 'deferred' | 'excluded'

/** All that was decided about one candidate. */
export interface Decision {
  readonly candidate: Candidate
  /** The name that the model sees and calls, fitted to the target. */
  readonly name: string
  readonly outcome: Outcome
  /** Id of the one gate that settled it. */
  readonly settledBy: string
  /** Code of the settling verdict. */
  readonly code: string
  /** Every verdict in the order of gates; an exclusion is the last. */
  readonly steps: readonly Step[]
  /** ask: a person is asked before each call. */
  readonly approval: 'free' | 'ask'
  /** Deny, ask and allow rules with conditions on arguments, enforced call by call. */
  readonly conditions: readonly Rule[]
  /** The definition as the model gets it, adapted to the target. */
  readonly definition: Definition
  readonly definitionChars: number
}
