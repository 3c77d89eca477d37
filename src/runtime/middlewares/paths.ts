// Between the virtual paths that an agent knows and the host paths that a server of its thread works with: arguments
// on their way in, results and errors on their way out. Tools of this process know virtual paths themselves.

import { hostArguments } from '../../workspace/mapping/map-arguments.ts'
import { virtualJson, virtualText } from '../../workspace/mapping/rewrite-result.ts'
import type { Middleware } from '../middleware.ts'
import type { CallOutcome } from '../tool-call.ts'

export const paths: Middleware = {
  id: 'paths',
  wrap: (next, { viewOf }) => {
    return async (call) => {
      const view = viewOf(call.decision.candidate)
      if (view === undefined) return next(call)
      const outcome = await next({ ...call, args: hostArguments(call.args, view) })
      return seen(
        outcome,
        (value) => virtualJson(value, view),
        (text) => virtualText(text, view),
      )
    }
  },
}

function seen(outcome: CallOutcome, json: <T>(value: T) => T, text: (text: string) => string): CallOutcome {
  if (outcome.kind !== 'result') return { ...outcome, message: text(outcome.message) }
  const { content, structuredContent } = outcome
  return {
    ...outcome,
    content: json(content),
    ...(structuredContent === undefined ? {} : { structuredContent: json(structuredContent) }),
  }
}
