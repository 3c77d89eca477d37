// A tool of this process that never ends would hold its turn for ever. Servers, external agents and children have
// limits of their own, kept where they run.

import type { Candidate } from '../../core/candidate.ts'
import type { Middleware } from '../middleware.ts'
import { failed } from '../refusal.ts'
import type { CallOutcome } from '../tool-call.ts'

/** A command is ended by its own time limit first. */
const commandGraceMs = 10_000

export const limits: Middleware = {
  id: 'limits',
  wrap: (next, { limits: given }) => {
    if (given === undefined) return next
    return async (call) => {
      const { candidate, name } = call.decision
      if (!runsHere(candidate)) return next(call)
      const totalMs = given.totalMs + (candidate.needs.includes('shell') ? commandGraceMs : 0)
      const late = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const outOfTime = new Promise<CallOutcome>((resolve) => {
        timer = setTimeout(() => {
          resolve(failed('call-timed-out', `the call of "${name}" took longer than ${totalMs} ms`, true))
          late.abort()
        }, totalMs)
      })
      // A signal made of two costs more than the rest of this call.
      const calledOff = (): void => late.abort(call.signal?.reason)
      call.signal?.addEventListener('abort', calledOff, { once: true })
      if (call.signal?.aborted === true) calledOff()
      try {
        return await Promise.race([outOfTime, next({ ...call, signal: late.signal })])
      } finally {
        call.signal?.removeEventListener('abort', calledOff)
        clearTimeout(timer)
      }
    }
  },
}

const runsHere = ({ protocol, form }: Candidate): boolean =>
  (protocol === 'module' || protocol === 'native') && form !== 'delegates'
