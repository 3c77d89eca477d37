// What a record says of one call, from the call and its outcome.

import type { Decision } from '../../core/decision.ts'
import { printable } from '../../core/printable.ts'
import type { CallKind, CallRecord } from '../../report/call-record.ts'
import type { CallContext } from '../middleware.ts'
import type { ApprovalState, CallOutcome, Refusal, ToolCall, ToolRequest } from '../tool-call.ts'
import { recordedArgs } from './recorded-args.ts'

/** All but whose call it is, and what its writer adds. */
export type CallEntry = Omit<CallRecord, 'type' | 'seq' | 'writer' | 'at' | 'user' | 'thread'>

/** Its parts that come from the call alone. */
export interface CallEntryParts {
  readonly request: ToolRequest
  /** Absent: no gate ever decided about this name. */
  readonly decision?: Decision
  readonly kind: CallKind
  readonly code?: string
  readonly ms: number
  readonly approval?: ApprovalState
}

export function callEntry(
  { request, decision, kind, code, ms, approval }: CallEntryParts,
  { surface, redacted }: Pick<CallContext, 'surface' | 'redacted'>,
): CallEntry {
  return {
    agent: surface.facts.agent.name,
    name: printable(redacted(nameIn(request)), 128),
    ...(decision === undefined ? {} : { id: redacted(decision.candidate.id) }),
    surface: surface.hash,
    kind,
    ...(code === undefined ? {} : { code: redacted(code) }),
    ms: Math.max(0, Math.round(ms)),
    ...(approval === undefined ? {} : { approval }),
    args: recordedArgs(request.args, redacted),
  }
}

/** Of a call that went through the middlewares. */
export function entryOfCall(
  call: ToolCall,
  outcome: CallOutcome,
  { ms, approval }: { readonly ms: number; readonly approval?: ApprovalState },
  context: CallContext,
): CallEntry {
  const kind = outcome.kind === 'result' && outcome.isError ? 'error' : outcome.kind
  const code = outcome.kind === 'result' ? {} : { code: outcome.code }
  const more = approval === undefined ? {} : { approval }
  return callEntry({ request: call, decision: call.decision, kind, ...code, ms, ...more }, context)
}

/** Of a request that was refused before there was a call: no such tool, taken away by a gate, or without arguments. */
export function entryOfRefusal(request: ToolRequest, { code }: Refusal, context: CallContext): CallEntry {
  const { surface } = context
  const listed = surface.find(request.name)
  const decision = listed ?? surface.named(nameIn(request)).find((one) => one.code === code)
  const kind = listed === undefined || listed.candidate.standIn === true ? 'not-listed' : 'refused'
  return callEntry({ request, ...(decision === undefined ? {} : { decision }), kind, code, ms: 0 }, context)
}

/** Nothing of a request has been looked at. */
const nameIn = ({ name }: ToolRequest): string => (typeof name === 'string' ? name : '')
