// Rules with conditions meet the arguments; what asks a person, asks. What nobody can answer is refused.

import { printable } from '../../core/printable.ts'
import { judgeCall } from '../../permissions/conditions.ts'
import type { Middleware } from '../middleware.ts'
import { refused } from '../refusal.ts'

export const rules: Middleware = {
  id: 'rules',
  wrap: (next, { surface, approve }) => {
    return async (call) => {
      const { decision, args } = call
      const { effect, rule } = judgeCall(decision.conditions, args, {
        otherwise: surface.facts.permissions.otherwise,
        inputSchema: decision.candidate.definition.inputSchema,
      })
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
        return refused('approval-needed', `a person must approve this call of "${decision.name}", and nobody is there`, {
          ...(rule === undefined ? {} : { rule }),
        })
      if (!(await approve(request)))
        return refused('call-denied', `this call of "${decision.name}" was not approved`, {
          action: 'ask for something else, or say why it is needed',
        })
      return next(call)
    }
  },
}
