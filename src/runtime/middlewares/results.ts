// The outermost of those that change an outcome, so that a path of the host or a secret is gone before anything is kept.

import { fileLimits } from '../../workspace/files/limits.ts'
import type { Middleware } from '../middleware.ts'
import { keeper } from '../results/keeper.ts'
import { withinBudget } from '../results/within-budget.ts'
import type { ToolCall } from '../tool-call.ts'

export const results: Middleware = {
  id: 'results',
  wrap: (next, { surface, results: room, asSent }) => {
    if (asSent === true) return next
    const sees = surface.facts.model.can.includes('vision')
    const reader = surface.decisions.find(
      ({ outcome, candidate }) => outcome !== 'excluded' && candidate.role === 'file-read',
    )
    return async (call) => {
      const outcome = await next(call)
      if (outcome.kind !== 'result') return outcome
      const bytesMax = room?.bytesMax ?? Number.POSITIVE_INFINITY
      return withinBudget(outcome, {
        bytesMax: isReader(call) ? Math.max(bytesMax, readBytes) : bytesMax,
        sees,
        keep: keeper(room?.workspace, call.decision.name),
        ...(reader === undefined ? {} : { reader: reader.name }),
      })
    }
  },
}

/** What was kept is read with this tool: kept once more, it could never be read. It has its own limit. */
const isReader = ({ decision: { candidate } }: ToolCall): boolean =>
  candidate.role === 'file-read' && (candidate.protocol === 'native' || candidate.protocol === 'module')

/** An answer of the reader, and its words about it. */
const readBytes = fileLimits.answerBytes + 4096
