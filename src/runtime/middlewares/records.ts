// One record for each call, whatever becomes of it. Around all others, so that what any of them refuses is recorded;
// what is refused before there is a call, the caller records (`entryOfRefusal`).

import { ToolgateError } from '../../errors.ts'
import type { Middleware } from '../middleware.ts'
import { entryOfCall } from '../records/call-entry.ts'
import { failed } from '../refusal.ts'
import type { ApprovalState, CallOutcome } from '../tool-call.ts'

export const records: Middleware = {
  id: 'records',
  wrap: (next, context) => {
    const { record } = context
    if (record === undefined) return next
    return async (call) => {
      const began = performance.now()
      let approval: ApprovalState | undefined
      const onApproval = (state: ApprovalState): void => {
        approval = state
        call.onApproval?.(state)
      }
      const note = (outcome: CallOutcome): void => {
        const ms = performance.now() - began
        try {
          record(entryOfCall(call, outcome, approval === undefined ? { ms } : { ms, approval }, context))
        } catch {
          // The tool has done its work, whatever is wrong with the record.
        }
      }
      try {
        const outcome = await next({ ...call, onApproval })
        note(outcome)
        return outcome
      } catch (error) {
        const thrown = failed('internal-error', '', false)
        note(error instanceof ToolgateError ? { ...thrown, code: error.finding.code } : thrown)
        throw error
      }
    }
  },
}
