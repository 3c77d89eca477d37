// Rules with conditions meet the arguments; what asks a person, asks. What nobody can answer is refused, or waits
// where somebody may answer later: as a question that is stored, while the call itself ends.

import { printable } from '../../core/printable.ts'
import type { Rule } from '../../core/run-facts.ts'
import { ToolgateError } from '../../errors.ts'
import { judgedCall } from '../judged-call.ts'
import type { ApprovalRequest, CallContext, Middleware } from '../middleware.ts'
import { failed, refused } from '../refusal.ts'
import type { ApprovalState, Failure, Refusal } from '../tool-call.ts'

export const rules: Middleware = {
  id: 'rules',
  wrap: (next, context) => {
    const { surface, viewOf } = context
    return async (call) => {
      const { decision } = call
      const { effect, rule } = judgedCall(call, surface.facts.permissions.otherwise, viewOf(decision.candidate))
      if (effect === 'deny') {
        const why = rule === undefined ? 'no rule allows it' : `the rule "${printable(rule.text, 200)}" denies it`
        return refused('call-denied', `this call of "${decision.name}" is refused: ${why}`, ruleOf(rule))
      }
      const asks = effect === 'ask' || (effect === 'none' && decision.approval === 'ask')
      if (!asks) return next(call)
      const { state, outcome } = await asked({ call, ...ruleOf(rule) }, context)
      if (state !== undefined) call.onApproval?.(state)
      return outcome ?? next(call)
    }
  },
}

const ruleOf = (rule: Rule | undefined) => (rule === undefined ? {} : { rule })

interface Asked {
  /** Absent: the call was called off. */
  readonly state?: ApprovalState
  /** Why the call does not run. Absent: it does. */
  readonly outcome?: Refusal | Failure
}

/** What comes of a call that a person must approve: an earlier answer, the person's, or a question that waits. */
async function asked(request: ApprovalRequest, context: CallContext): Promise<Asked> {
  const { approvals, approve, surface } = context
  const { decision, signal } = request.call
  const calledOff: Asked = {
    outcome: failed('call-cancelled', `the call of "${decision.name}" was called off before it was sent`, false),
  }
  // An answer that holds once is not used up by a call that nobody wants any more.
  if (signal?.aborted === true) return calledOff
  // Where the earlier answers cannot be had, there is none.
  const standing = await approvals?.standing(request).catch(() => undefined)
  if (standing === 'always') return { state: 'remembered' }
  if (standing === 'once') return { state: 'given' }
  if (standing === 'deny') return disapproved(request)
  if (approve === undefined)
    return approvals !== undefined && surface.facts.attended.on
      ? pending(request, context)
      : nobody(request, 'and nobody is there')
  const answer = await answerOf(() => approve(request), signal)
  if (typeof answer === 'object') return nobody(request, `and asking failed: ${answer.failed}`)
  switch (answer) {
    case 'called-off':
      return calledOff
    case 'once':
      return { state: 'given' }
    case 'always':
      await approvals?.remember(request)
      return { state: 'given' }
    case 'later':
      return pending(request, context)
    case 'deny':
      return disapproved(request)
  }
}

/** The question is kept, so that it can be answered whenever and wherever; nothing waits here. */
async function pending(request: ApprovalRequest, { approvals }: CallContext): Promise<Asked> {
  if (approvals === undefined) return nobody(request, 'and nobody answers now')
  const { name } = request.call.decision
  try {
    const approvalId = await approvals.ask(request)
    const outcome: Refusal = {
      kind: 'refused',
      code: 'approval-pending',
      message: `a person must approve this call of "${name}" first; the question waits for an answer`,
      action: 'go on with what needs no approval, or end the turn; once it is approved, make the very same call again',
      ...ruleOf(request.rule),
      approvalId,
    }
    return { state: 'pending', outcome }
  } catch (error) {
    // By its code alone: what the system says of a file of state names folders of the host.
    const why = error instanceof ToolgateError ? error.finding.code : 'internal-error'
    return nobody(request, `and the question could not be kept (${why})`)
  }
}

function nobody({ call: { decision }, rule }: ApprovalRequest, why: string): Asked {
  const what = `a person must approve this call of "${decision.name}", ${why}`
  return { state: 'nobody', outcome: refused('approval-needed', what, ruleOf(rule)) }
}

function disapproved({ call: { decision } }: ApprovalRequest): Asked {
  const outcome = refused('call-denied', `this call of "${decision.name}" was not approved`, {
    action: 'ask for something else, or say why it is needed',
  })
  return { state: 'denied', outcome }
}

const saidBy = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Answer = 'once' | 'always' | 'later' | 'deny' | 'called-off' | { readonly failed: string }

/** What the person says; a call that is called off waits for nobody. What is no clear word is a no. */
async function answerOf(
  ask: () => ReturnType<NonNullable<CallContext['approve']>>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const spoken = async (): Promise<Answer> => {
    try {
      const answer = await ask()
      if (answer === true) return 'once'
      return answer === 'once' || answer === 'always' || answer === 'later' ? answer : 'deny'
    } catch (error) {
      return { failed: saidBy(error) }
    }
  }
  if (signal === undefined) return spoken()
  if (signal.aborted) return 'called-off'
  let stop = () => {}
  const calledOff = new Promise<Answer>((resolve) => {
    stop = () => resolve('called-off')
    signal.addEventListener('abort', stop, { once: true })
  })
  const answer = await Promise.race([spoken(), calledOff])
  signal.removeEventListener('abort', stop)
  return answer
}
