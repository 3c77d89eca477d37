// A middleware stands around every call: it may refuse it, change it on its way in, or change the outcome on its
// way out. It decides nothing that a gate decides: it reads the surface.

import type { Candidate } from '../core/candidate.ts'
import type { Decision } from '../core/decision.ts'
import type { Gate } from '../core/gate.ts'
import type { Rule } from '../core/run-facts.ts'
import type { Surface } from '../core/surface.ts'
import type { PathView } from '../workspace/mapping/path-view.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { CallEntry } from './records/call-entry.ts'
import type { CallOutcome, ToolCall } from './tool-call.ts'

export type Next = (call: ToolCall) => Promise<CallOutcome>

/** What a person is asked before a call. */
export interface ApprovalRequest {
  readonly call: ToolCall
  /** The rule that asks. Absent: the tool is asked for as a whole. */
  readonly rule?: Rule
}

/**
 * What a person says. once: this call. always: this call, and later ones of this tool while its definition and the rule
 * stay. deny: not this call. later: nobody can answer now, and somebody may later. `true` is once; all else is deny.
 */
export type ApprovalAnswer = 'once' | 'always' | 'deny' | 'later' | boolean

/** Answers that were given before, and questions that wait for one. */
export interface CallApprovals {
  /**
   * What an earlier answer says of this call. once and deny are used up by asking. Absent: nobody has answered. Rejects
   * with a ToolgateError when what is stored cannot be had.
   */
  readonly standing: (request: ApprovalRequest) => Promise<'once' | 'always' | 'deny' | undefined>
  /** Never rejects: what cannot be remembered is asked again. */
  readonly remember: (request: ApprovalRequest) => Promise<void>
  /** Keeps the question, and gives its id. Rejects with a ToolgateError when it cannot be kept. */
  readonly ask: (request: ApprovalRequest) => Promise<string>
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
  readonly approve?: (request: ApprovalRequest) => Promise<ApprovalAnswer>
  /** Absent: nothing is remembered, and no call waits for an answer. */
  readonly approvals?: CallApprovals
  /** What of a result a model gets, and where the rest is kept. Absent: texts of any length, and nothing is kept. */
  readonly results?: {
    /** Bytes of the texts of one result (`limits.result_bytes`). */
    readonly bytesMax: number
    /** Absent: what is too long is cut, and the rest is lost. */
    readonly workspace?: Workspace
  }
  /** True: results are handed on as they came, to a program that has a budget of its own. Absent: as a model takes them. */
  readonly asSent?: true
  /** How long a tool of this process may take, milliseconds (`limits.call_total_ms`). Absent: as long as it likes. */
  readonly limits?: { readonly totalMs: number }
  /** Told of each call, once, when its outcome is there. Neither waits nor throws. Absent: nothing is recorded. */
  readonly record?: (entry: CallEntry) => void
}

export interface Middleware {
  readonly id: string
  readonly wrap: (next: Next, context: CallContext) => Next
}
