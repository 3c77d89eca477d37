// The answers of people to the calls of one agent in one thread. INVARIANT: an answer is looked for only where a rule
// asks: what a rule denies is refused before.

import { randomUUID } from 'node:crypto'
import type { StateStore } from '../../state/state-store.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import type { ApprovalRequest, CallApprovals } from '../middleware.ts'
import { approvalQuestion } from './approval-question.ts'

export interface CallApprovalsInput {
  /** Rejects with a ToolgateError when the state cannot be had. */
  readonly state: () => Promise<Pick<StateStore, 'approvals' | 'askedCalls'>>
  readonly owner: ThreadOwner
  /** Whose surface the calls are made on. */
  readonly agent: string
  /** One line about what could not be kept. */
  readonly tell: (line: string) => void
  /** Absent: the clock of the system. */
  readonly now?: () => Date
}

export function callApprovals(input: CallApprovalsInput): CallApprovals {
  const { state, agent, tell, now = () => new Date() } = input
  const { user, thread } = input.owner
  const keysOf = (request: ApprovalRequest) => {
    const question = approvalQuestion(request)
    const { tool, rule, call } = question
    return { question, grant: { user, agent, tool, rule }, call: { user, thread, agent, call } }
  }
  return {
    standing: async (request) => {
      const { question, grant, call } = keysOf(request)
      const { approvals, askedCalls } = await state()
      // An answer to this very call is the nearer one: a no counts, whatever was agreed to before.
      const asked = await askedCalls.take(call)
      if (asked?.answer !== undefined) return asked.answer
      const found = await approvals.find(grant)
      if (found === undefined) return undefined
      if (found.definitionHash === question.definitionHash) {
        if (asked !== undefined) await askedCalls.drop(asked.id)
        return 'always'
      }
      // The definition that was approved is gone: should it come back, it is looked at again.
      await approvals.forget(grant)
      return undefined
    },
    remember: async (request) => {
      const { question, grant } = keysOf(request)
      try {
        const { approvals } = await state()
        await approvals.remember({ ...grant, definitionHash: question.definitionHash, at: now().toISOString() })
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        tell(`that calls of "${question.name}" are always approved was not kept, and is asked again: ${why}`)
      }
    },
    ask: async (request) => {
      const { question, call } = keysOf(request)
      const { askedCalls } = await state()
      const asked = { ...question, ...call, id: randomUUID(), askedAt: now().toISOString() }
      return (await askedCalls.ask(asked)).id
    },
  }
}
