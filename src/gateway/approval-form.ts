// A question for an approval as an MCP client shows it. INVARIANT: only a clear yes of the person lets a call through.

import { isJsonObject, type JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../runtime/middleware.ts'

const argumentsShown = 2000

export function approvalForm({ call, rule }: ApprovalRequest): JsonObject {
  const { name } = call.decision
  const why = rule === undefined ? 'it is asked for as a whole' : `the rule "${printable(rule.text, 200)}" asks`
  const args = printable(JSON.stringify(call.args), argumentsShown)
  return {
    message: `May ${printable(name, 128)} be called with ${args}? (${why})`,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          description: 'once: this call. always: such calls from now on. deny: not this call.',
          enum: ['once', 'always', 'deny'],
        },
      },
      required: ['decision'],
    },
  }
}

/** Whoever closes the question has not answered it. */
export function approvalOf({ action, content }: JsonObject): ApprovalAnswer {
  if (action === 'cancel') return 'later'
  if (action !== 'accept' || !isJsonObject(content)) return 'deny'
  const { decision } = content
  return decision === 'once' || decision === 'always' ? decision : 'deny'
}
