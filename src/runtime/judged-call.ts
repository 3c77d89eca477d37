// What rules on arguments say of a call, in every form in which the call means the same. A file of the thread has a
// virtual path and one on the host, and a relative path stands where the server starts: a ban holds in each form, a
// grant only where all of them are granted.

import type { PermissionFacts } from '../core/run-facts.ts'
import { type CallJudgement, judgeCall } from '../permissions/conditions.ts'
import { hostArguments, virtualArguments } from '../workspace/mapping/map-arguments.ts'
import type { PathView } from '../workspace/mapping/path-view.ts'
import type { ToolCall } from './tool-call.ts'

const strictness = ['deny', 'ask', 'none', 'allow'] as const

/** The strictest of all judgements. `view`: of the tool's server; without one the call has one form only. */
export function judgedCall(
  { decision, args }: ToolCall,
  otherwise: PermissionFacts['otherwise'],
  view: PathView | undefined,
): CallJudgement {
  const { conditions, candidate } = decision
  const { inputSchema } = candidate.definition
  const judged = (form: ToolCall['args'], base: string | undefined): CallJudgement =>
    judgeCall(conditions, form, { otherwise, inputSchema, ...(base === undefined ? {} : { base }) })
  if (view === undefined || conditions.length === 0) return judged(args, undefined)

  const written = [args, virtualArguments(args, view)]
  const start = view.base?.virtual ?? view.folder
  const whole = written.map((form) => judged(form, start))
  // Other readings can only forbid: the grant is for the call as it is written.
  const bases = [undefined, view.base?.host, ...(start === undefined ? [] : [start])]
  const bans = [...written, hostArguments(args, view)]
    .flatMap((form) => bases.map((base) => judged(form, base)))
    .filter(({ effect, rule }) => rule !== undefined && (effect === 'deny' || effect === 'ask'))
  return [...whole, ...bans].reduce((one, other) =>
    strictness.indexOf(other.effect) < strictness.indexOf(one.effect) ? other : one,
  )
}
