// Which servers a long-lived program asks again by itself because they are down, and when.

import type { ServerReport } from '../sources/source.ts'

/** States that may end without an edit of the configuration. */
const passing: ReadonlySet<string> = new Set([
  'failed-to-start',
  'handshake-failed',
  'listing-failed',
  'login-needed',
  'timed-out',
  'starting',
])

const firstMs = 5_000
const longestMs = 300_000

/** True for a server that is worth another try. */
export const isRecoverable = ({ state }: ServerReport): boolean => passing.has(state)

/** Milliseconds until the next try after so many in a row: 5 s, doubled up to five minutes. */
export const recoveryDelayMs = (tries: number): number => Math.min(firstMs * 2 ** Math.min(tries, 16), longestMs)
