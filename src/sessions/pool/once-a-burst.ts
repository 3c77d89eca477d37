// Many notices of one name in a short while are one notice.

import type { Clock } from './pool.ts'

export interface Bursts {
  readonly notice: (name: string) => void
  /** Nothing is told any more. */
  readonly stop: () => void
}

/** Tells each name that was noticed once, `quietMs` after the first notice of a burst. */
export function onceABurst(clock: Clock, quietMs: number, tell: (name: string) => void): Bursts {
  const waiting = new Map<string, () => void>()
  let stopped = false
  return {
    notice: (name) => {
      if (stopped || waiting.has(name)) return
      const told = (): void => {
        waiting.delete(name)
        tell(name)
      }
      waiting.set(name, clock.after(quietMs, told))
    },
    stop: () => {
      stopped = true
      for (const callOff of waiting.values()) callOff()
      waiting.clear()
    },
  }
}
