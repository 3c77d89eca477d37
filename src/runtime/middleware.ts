// A middleware stands around every call: it may refuse it, change it on its way in, or change the outcome on its
// way out. It decides nothing that a gate decides: it reads the surface.

import type { Candidate } from '../core/candidate.ts'
import type { Decision } from '../core/decision.ts'
import type { Gate } from '../core/gate.ts'
import type { Rule } from '../core/run-facts.ts'
import type { Surface } from '../core/surface.ts'
import type { PathView } from '../workspace/mapping/path-view.ts'
import type { CallOutcome, ToolCall } from './tool-call.ts'

export type Next = (call: ToolCall) => Promise<CallOutcome>

/** What a person is asked before a call. */
export interface ApprovalRequest {
  readonly call: ToolCall
  /** The rule that asks. Absent: the tool is asked for as a whole. */
  readonly rule?: Rule
}

export interface CallContext {
  /** The surface that the call began with; a later one does not touch it. */
  readonly surface: Surface
  /** Those that the surface was made with: they hold the words. */
  readonly gates: readonly Gate[]
  /** What the owner of a tool may show of the host. Nothing where it works with virtual paths itself, or has no thread. */
  readonly viewOf: (candidate: Candidate) => PathView | undefined
  /** Whether the thread was given the definition of a deferred tool: this very definition. */
  readonly isPromoted: (decision: Decision) => Promise<boolean>
  /** Takes the secrets of the configuration out of a text. */
  readonly redacted: (text: string) => string
  /** Asks a person. Absent: nobody is there, and what would be asked is refused. */
  readonly approve?: (request: ApprovalRequest) => Promise<boolean>
}

export interface Middleware {
  readonly id: string
  readonly wrap: (next: Next, context: CallContext) => Next
}
