// What people see and say of approvals, apart from any call: whoever shows questions to a person uses this, in the
// process of the agent or in another.

import type { AskedCall, Grant } from '../../state/approval-state.ts'
import type { StateStore } from '../../state/state-store.ts'

/** `gone`: there is no such question of this user, or it was answered before. */
export type AnswerOutcome = 'taken' | 'gone'

export interface ApprovalBoard {
  /** What the user approved for good, oldest first. Absent agent: of all agents. */
  readonly list: (of: { readonly user: string; readonly agent?: string }) => Promise<readonly Grant[]>
  /** Takes approvals back, and says how many there were. Absent tool or rule: all of them. */
  readonly forget: StateStore['approvals']['forget']
  /** Questions of a user that wait for an answer, oldest first. Absent thread: of all threads. */
  readonly pending: (of: { readonly user: string; readonly thread?: string }) => Promise<readonly AskedCall[]>
  /**
   * Answers a question of a user. once: the very same call is let through, one time. always: also later calls of the
   * tool. deny: the very same call is refused, one time.
   */
  readonly answer: (user: string, id: string, answer: 'once' | 'always' | 'deny') => Promise<AnswerOutcome>
}

/** Each function rejects with a ToolgateError when what is stored cannot be had or written. */
export function approvalBoard(
  { approvals, askedCalls }: Pick<StateStore, 'approvals' | 'askedCalls'>,
  now: () => Date = () => new Date(),
): ApprovalBoard {
  return {
    list: approvals.list,
    forget: approvals.forget,
    pending: async (of) => (await askedCalls.list(of)).filter(({ answer }) => answer === undefined),
    answer: async (user, id, answer) => {
      const asked = await askedCalls.find(id)
      if (asked === undefined || asked.user !== user) return 'gone'
      const taken = await askedCalls.answer(id, answer === 'deny' ? 'deny' : 'once')
      if (taken === undefined) return 'gone'
      if (answer === 'always') {
        const { agent, tool, rule, definitionHash } = taken
        await approvals.remember({ user, agent, tool, rule, definitionHash, at: now().toISOString() })
      }
      return 'taken'
    },
  }
}
