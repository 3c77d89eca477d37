import type { CallProgress } from './session.ts'

export interface ProgressThrottle {
  readonly note: (progress: CallProgress) => void
  /** Passes on what was held back; nothing is passed on afterwards. */
  readonly end: () => void
}

/**
 * Passes on the first sign of progress at once and then at most one every so many milliseconds, always the newest. A
 * listener that throws costs the call nothing.
 */
export function progressThrottle(everyMs: number, listener: (progress: CallProgress) => void): ProgressThrottle {
  let held: CallProgress | undefined
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const pass = (progress: CallProgress) => {
    try {
      listener(progress)
    } catch {
      // The server's answer does not depend on what somebody makes of its progress.
    }
  }
  const next = () => {
    timer = undefined
    if (held === undefined) return
    const newest = held
    held = undefined
    timer = setTimeout(next, everyMs)
    pass(newest)
  }
  return {
    note: (progress) => {
      if (ended) return
      held = progress
      if (timer === undefined) next()
    },
    end: () => {
      ended = true
      clearTimeout(timer)
      if (held !== undefined) pass(held)
      held = undefined
    },
  }
}
