// A deferred tool is called only in a thread that was given its definition. Whoever guesses the name is told how to
// get it; nothing is promoted by guessing.

import { printable } from '../../core/printable.ts'
import type { Middleware } from '../middleware.ts'
import { refused } from '../refusal.ts'

export const promotedOnly: Middleware = {
  id: 'promoted-only',
  wrap: (next, { isPromoted, surface }) => {
    return async (call) => {
      const { decision } = call
      if (decision.outcome !== 'deferred' || (await isPromoted(decision))) return next(call)
      const name = printable(decision.name, 128)
      const search = surface.decisions.find(
        ({ outcome, candidate }) => outcome !== 'excluded' && candidate.role === 'tool-search',
      )
      const what = `"${name}" is deferred, and its definition was not loaded in this thread`
      return refused('not-promoted', what, {
        ...(search === undefined
          ? {}
          : { action: `call ${search.name} with the query "select:${name}", then call "${name}" in the next step` }),
      })
    }
  },
}
