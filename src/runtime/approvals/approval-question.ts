// What exactly a person is asked, so that an answer holds for this and for nothing else.

import { canonicalJson, type Json, type JsonObject } from '../../core/json.ts'
import { sha256 } from '../../sources/sha256.ts'
import type { ApprovalRequest } from '../middleware.ts'

export interface ApprovalQuestion {
  /** Identity of the tool. */
  readonly tool: string
  /** The name that the model knows. */
  readonly name: string
  readonly definitionHash: string
  /** What asks. */
  readonly rule: string
  readonly args: JsonObject
  /** SHA-256 over tool, definition, rule and arguments: the very same call, whatever the order of its keys. */
  readonly call: string
}

export function approvalQuestion(request: ApprovalRequest): ApprovalQuestion {
  const { args, decision } = request.call
  const { id: tool, definitionHash } = decision.candidate
  const rule = ruleAsking(request)
  const call = sha256(canonicalJson([tool, definitionHash, rule, args]))
  return { tool, name: decision.name, definitionHash, rule, args, call }
}

/** The rule as text. Of a tool that is asked for as a whole: what its gate said, with the rule it rests on. */
function ruleAsking({ rule, call: { decision } }: ApprovalRequest): string {
  if (rule !== undefined) return `${rule.effect} ${rule.text}`
  const step = decision.steps.find(({ amends }) => amends?.approval === 'ask')
  if (step === undefined) return 'whole'
  const { rule: text } = step.evidence as { readonly rule?: Json }
  return typeof text === 'string' ? `${step.code} ${text}` : step.code
}
