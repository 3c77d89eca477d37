// Between the virtual paths that an agent knows and the host paths that a server of its thread works with: arguments
// on their way in, results, errors and signs of progress on their way out. Tools of this process know virtual paths
// themselves.

import { printable } from '../../core/printable.ts'
import { hostArguments } from '../../workspace/mapping/map-arguments.ts'
import { virtualJson, virtualText } from '../../workspace/mapping/rewrite-result.ts'
import { mappedProgress } from '../mapped-texts.ts'
import type { Middleware } from '../middleware.ts'
import { outsidePath } from '../outside-path.ts'
import { refused } from '../refusal.ts'
import type { CallOutcome } from '../tool-call.ts'

export const paths: Middleware = {
  id: 'paths',
  wrap: (next, { viewOf }) => {
    return async (call) => {
      const view = viewOf(call.decision.candidate)
      if (view === undefined) return next(call)
      const outside = outsidePath(call.args, view)
      if (outside !== undefined) {
        const { argument, path } = outside
        const what = `"${call.decision.name}": argument "${printable(argument, 120)}" leads out of the folder that the server works in`
        return refused('path-traversal', `${what}: ${printable(path, 200)}`, {
          action: 'name the file in full, as in /mnt/user-data/workspace/notes.md',
        })
      }
      const text = (words: string) => virtualText(words, view)
      const outcome = await next({ ...mappedProgress(call, text), args: hostArguments(call.args, view) })
      return seen(outcome, (value) => virtualJson(value, view), text)
    }
  },
}

function seen(outcome: CallOutcome, json: <T>(value: T) => T, text: (text: string) => string): CallOutcome {
  if (outcome.kind !== 'result') {
    const said = { ...outcome, message: text(outcome.message), action: text(outcome.action) }
    if (said.kind === 'refused' || said.rpc === undefined) return said
    const { data, ...rpc } = said.rpc
    return { ...said, rpc: { ...rpc, message: text(rpc.message), ...(data === undefined ? {} : { data: json(data) }) } }
  }
  const { content, structuredContent, meta } = outcome
  return {
    ...outcome,
    content: json(content),
    ...(structuredContent === undefined ? {} : { structuredContent: json(structuredContent) }),
    ...(meta === undefined ? {} : { meta: json(meta) }),
  }
}
