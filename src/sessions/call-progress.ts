import type { CallProgress } from './session.ts'

export interface ProgressThrottle {
  readonly note: (progress: CallProgress) => void
  /** Passes on what was held back; nothing is passed on afterwards. */
  readonly end: () => void
}

/**
 * Passes on so many signs of progress in a row at once, and then at most one every so many milliseconds, always the
 * newest. A listener that throws costs the call nothing.
 */
export function progressThrottle(
  { everyMs, burst }: { readonly everyMs: number; readonly burst: number },
  listener: (progress: CallProgress) => void,
): ProgressThrottle {
  let held: CallProgress | undefined
  let timer: NodeJS.Timeout | undefined
  let left = burst
  let ended = false
  const pass = (progress: CallProgress) => {
    left -= 1
    try {
      listener(progress)
    } catch {
      // The server's answer does not depend on what somebody makes of its progress.
    }
  }
  const next = () => {
    left += 1
    timer = left < burst || held !== undefined ? setTimeout(next, everyMs) : undefined
    if (held === undefined) return
    const newest = held
    held = undefined
    pass(newest)
  }
  return {
    note: (progress) => {
      if (ended) return
      timer ??= setTimeout(next, everyMs)
      if (left > 0) pass(progress)
      else held = progress
    },
    end: () => {
      ended = true
      clearTimeout(timer)
      if (held !== undefined) pass(held)
      held = undefined
    },
  }
}
