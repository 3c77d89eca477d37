// The clock that a pool has when nobody brings another: monotonic, so that setting the time of day changes nothing.

import type { Clock } from './pool.ts'

/** A longer timer would fire at once. */
const timerMax = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, timerMax)).unref()
    return () => clearTimeout(timer)
  },
}
