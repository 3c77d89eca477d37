// Rules with conditions meet the arguments; what asks a person, asks. What nobody can answer is refused.

import { printable } from '../../core/printable.ts'
import type { PermissionFacts } from '../../core/run-facts.ts'
import { type CallJudgement, judgeCall } from '../../permissions/conditions.ts'
import type { PathView } from '../../workspace/mapping/path-view.ts'
import { virtualJson } from '../../workspace/mapping/rewrite-result.ts'
import type { Middleware } from '../middleware.ts'
import { refused } from '../refusal.ts'
import type { ToolCall } from '../tool-call.ts'

export const rules: Middleware = {
  id: 'rules',
  wrap: (next, { surface, approve, viewOf }) => {
    return async (call) => {
      const { decision } = call
      const { effect, rule } = judged(call, surface.facts.permissions.otherwise, viewOf(decision.candidate))
      if (effect === 'deny') {
        const why = rule === undefined ? 'no rule allows it' : `the rule "${printable(rule.text, 200)}" denies it`
        return refused('call-denied', `this call of "${decision.name}" is refused: ${why}`, {
          ...(rule === undefined ? {} : { rule }),
        })
      }
      const asks = effect === 'ask' || (effect === 'none' && decision.approval === 'ask')
      if (!asks) return next(call)
      const request = rule === undefined ? { call } : { call, rule }
      if (approve === undefined)
        return refused(
          'approval-needed',
          `a person must approve this call of "${decision.name}", and nobody is there`,
          {
            ...(rule === undefined ? {} : { rule }),
          },
        )
      if (!(await approve(request)))
        return refused('call-denied', `this call of "${decision.name}" was not approved`, {
          action: 'ask for something else, or say why it is needed',
        })
      return next(call)
    }
  },
}

const strictness = ['deny', 'ask', 'none', 'allow'] as const

/**
 * The call as it is written, and as the agent would write it: a file of the thread has a path on the host as well,
 * and a rule on the one must hold for the other. The stricter word counts.
 */
function judged(
  { decision, args }: ToolCall,
  otherwise: PermissionFacts['otherwise'],
  view: PathView | undefined,
): CallJudgement {
  const context = { otherwise, inputSchema: decision.candidate.definition.inputSchema }
  const written = judgeCall(decision.conditions, args, context)
  if (view === undefined || decision.conditions.length === 0) return written
  const seen = judgeCall(decision.conditions, virtualJson(args, { ...view, privateRoots: [] }), context)
  return strictness.indexOf(seen.effect) < strictness.indexOf(written.effect) ? seen : written
}
