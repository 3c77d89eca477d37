// Rules with conditions meet the arguments; what asks a person, asks. What nobody can answer is refused.

import { printable } from '../../core/printable.ts'
import type { Rule } from '../../core/run-facts.ts'
import { judgedCall } from '../judged-call.ts'
import type { ApprovalRequest, CallContext, Middleware } from '../middleware.ts'
import { failed, refused } from '../refusal.ts'
import type { Failure, Refusal, ToolCall } from '../tool-call.ts'

export const rules: Middleware = {
  id: 'rules',
  wrap: (next, { surface, approve, viewOf }) => {
    return async (call) => {
      const { decision } = call
      const { effect, rule } = judgedCall(call, surface.facts.permissions.otherwise, viewOf(decision.candidate))
      if (effect === 'deny') {
        const why = rule === undefined ? 'no rule allows it' : `the rule "${printable(rule.text, 200)}" denies it`
        return refused('call-denied', `this call of "${decision.name}" is refused: ${why}`, ruleOf(rule))
      }
      const asks = effect === 'ask' || (effect === 'none' && decision.approval === 'ask')
      if (!asks) return next(call)
      return (await disapproved(call, rule, approve)) ?? next(call)
    }
  },
}

const ruleOf = (rule: Rule | undefined) => (rule === undefined ? {} : { rule })

/** Why a call that a person is asked about does not run; nothing when the person agreed. Only `true` agrees. */
async function disapproved(
  call: ToolCall,
  rule: Rule | undefined,
  approve: CallContext['approve'],
): Promise<Refusal | Failure | undefined> {
  const { decision, signal } = call
  if (approve === undefined)
    return refused(
      'approval-needed',
      `a person must approve this call of "${decision.name}", and nobody is there`,
      ruleOf(rule),
    )
  const answer = await answerOf(() => approve({ call, ...ruleOf(rule) } satisfies ApprovalRequest), signal)
  if (answer === 'called-off')
    return failed('call-cancelled', `the call of "${decision.name}" was called off before it was sent`, false)
  if (typeof answer === 'object') {
    const what = `a person must approve this call of "${decision.name}", and asking failed: ${answer.failed}`
    return refused('approval-needed', what, ruleOf(rule))
  }
  if (answer) return undefined
  return refused('call-denied', `this call of "${decision.name}" was not approved`, {
    action: 'ask for something else, or say why it is needed',
  })
}

type Answer = boolean | 'called-off' | { readonly failed: string }

/** What the person says; a call that is called off waits for nobody. */
async function answerOf(ask: () => Promise<boolean>, signal: AbortSignal | undefined): Promise<Answer> {
  const asked = async (): Promise<Answer> => {
    try {
      return (await ask()) === true
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }
  if (signal === undefined) return asked()
  if (signal.aborted) return 'called-off'
  let stop = () => {}
  const calledOff = new Promise<Answer>((resolve) => {
    stop = () => resolve('called-off')
    signal.addEventListener('abort', stop, { once: true })
  })
  const answer = await Promise.race([asked(), calledOff])
  signal.removeEventListener('abort', stop)
  return answer
}
