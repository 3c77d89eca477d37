// When a server that failed may be tried again. INVARIANT: a server that does not get steady is started at most twelve
// times in half a minute, however it fails and however often it is asked for. Neither is one that dies at any pace.
//
//   a start that failed, an early death    wait 0.1 s, 0.2 s, 0.4 s … at most 10 s, each spread a little
//   five of them in a row                  broken: left alone for 30 s, then one try decides
//   the first death after a call was served, when nothing failed before      no wait: that call may have been the cause
//   it lived for 5 s and served a call     all is forgotten, and the next death costs no wait

export interface RetryState {
  /** Failures in a row. */
  readonly failures: number
  /** Not before this time, in monotonic milliseconds. */
  readonly notBefore: number
}

/** How a session went that has ended by itself. */
export interface LifeOfSession {
  readonly livedMs: number
  /** It answered at least one call. */
  readonly served: boolean
}

export const noFailures: RetryState = { failures: 0, notBefore: Number.NEGATIVE_INFINITY }

const firstDelayMs = 100
const delayMsMax = 10_000
/** Five failures are no accident; the figure is that of common circuit breakers. */
const brokenAfter = 5
const brokenMs = 30_000
/** A server that dies every 5 s costs six starts in half a minute, half of what is allowed. */
const steadyMs = 5000
const forgottenAfterMs = 300_000

/** The state after one more failure. `random`, from 0 to 1, spreads the wait between its half and its whole. */
export function afterFailure(state: RetryState, now: number, random: number): RetryState {
  const failures = state.failures + 1
  if (failures >= brokenAfter) return { failures, notBefore: now + brokenMs }
  const delay = Math.min(firstDelayMs * 2 ** (failures - 1), delayMsMax)
  return { failures, notBefore: now + delay * (0.5 + random / 2) }
}

/** The state after a session that was open has ended by itself. */
export function afterDeath(state: RetryState, life: LifeOfSession, now: number, random: number): RetryState {
  if (life.livedMs >= steadyMs) return life.served ? noFailures : { ...state, notBefore: now }
  if (life.served && state.failures === 0) return { failures: 1, notBefore: now }
  return afterFailure(state, now, random)
}

/** The state of one that is open: a server that proved steady has no failures any more. */
export const whileOpen = (state: RetryState, life: LifeOfSession): RetryState =>
  life.served && life.livedMs >= steadyMs ? noFailures : state

/** Milliseconds until it may be tried; 0: now. */
export const waitMsOf = ({ notBefore }: RetryState, now: number): number => Math.max(0, notBefore - now)

export const isBroken = ({ failures }: RetryState): boolean => failures >= brokenAfter

/** True when nobody tried for so long that the failures say nothing any more. */
export const isForgotten = ({ notBefore }: RetryState, now: number): boolean => now - notBefore > forgottenAfterMs
