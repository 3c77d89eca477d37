// A call of a tool and what comes of it. The outcome is a tagged union: whoever reads it sees every case.

import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import type { Rule } from '../core/run-facts.ts'
import type { CallProgress, RpcError } from '../sessions/session.ts'

/** What somebody asks for. Nothing of it has been looked at. */
export interface ToolRequest {
  /** The surface name, byte for byte. */
  readonly name: string
  readonly args: unknown
  /** Id of the call in the conversation of a model. Absent: it has none. */
  readonly callId?: string
  /** Goes along to a server as `_meta`. Absent: nothing does. */
  readonly meta?: JsonObject
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CallProgress) => void
}

/**
 * How a person stands to a call. given: asked and agreed. remembered: agreed to such calls for good. denied: asked and
 * did not agree. pending: the question waits. nobody: nobody could be asked.
 */
export type ApprovalState = 'given' | 'remembered' | 'denied' | 'pending' | 'nobody'

/** A request on its way: the tool is known, and its arguments are a copy of their own, frozen. */
export interface ToolCall extends ToolRequest {
  readonly args: JsonObject
  readonly decision: Decision
  /** Told when a rule asks for a person, once. Absent: nobody wants to know. */
  readonly onApproval?: (state: ApprovalState) => void
}

/** The tool ran. Content is in the blocks of MCP, as its owner gave them. */
export interface ToolResult {
  readonly kind: 'result'
  readonly content: readonly JsonObject[]
  readonly structuredContent?: JsonObject
  /** `_meta` of the result, for whoever passes it on; nothing here reads it. Absent: there was none. */
  readonly meta?: JsonObject
  /** The tool itself says that it failed. */
  readonly isError: boolean
}

/** The call did not reach the tool. */
export interface Refusal {
  readonly kind: 'refused'
  /** A code of a gate, or one of `src/errors.ts`. */
  readonly code: string
  /** One printable line: why. */
  readonly message: string
  /** What can be done instead. */
  readonly action: string
  /** The rule it rests on. Absent: none. */
  readonly rule?: Rule
  /** The question that waits for an answer, where the code is `approval-pending`. Absent: none waits. */
  readonly approvalId?: string
}

/** The call was made, or tried, and gave no result. */
export interface Failure {
  readonly kind: 'failed'
  readonly code: string
  readonly message: string
  readonly action: string
  /** True when the tool may have done its work all the same. */
  readonly sent: boolean
  /** The error of the protocol that a server answered with, for whoever passes it on. Absent: there was none. */
  readonly rpc?: RpcError
}

export type CallOutcome = ToolResult | Refusal | Failure
