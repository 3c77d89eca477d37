// The time limits of one request, and its cancellation. While our side is being asked, the server waits for us, and the
// idle clock starts anew with each answer.

import type { PeerDesk } from './peer-desk.ts'
import type { RequestOptions } from './session.ts'

/** Milliseconds; Node's timers know no longer time. */
const longestTimer = 2 ** 31 - 1

export interface CallClock {
  /** Aborted when a limit is reached or the caller called off. Its reason is a text. */
  readonly signal: AbortSignal
  /** The server gave a sign of life. */
  readonly alive: () => void
  /** Which limit was reached, in words; nothing while none was. */
  readonly timedOut: () => string | undefined
  readonly stop: () => void
}

export function callClock(
  { signal, idleTimeoutMs, totalTimeoutMs }: Pick<RequestOptions, 'signal' | 'idleTimeoutMs' | 'totalTimeoutMs'>,
  desk: PeerDesk,
): CallClock {
  const stop = new AbortController()
  let timedOut: string | undefined
  const reached = (words: string) => {
    timedOut ??= words
    stop.abort(words)
  }
  const after = (ms: number, work: () => void) => setTimeout(work, Math.min(ms, longestTimer))
  const cancel = () => stop.abort('the call was cancelled')
  if (signal?.aborted === true) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const total = after(totalTimeoutMs, () => reached(`no result within ${seconds(totalTimeoutMs)} in all`))
  const idle = after(idleTimeoutMs, () => {
    if (desk.isAsking()) idle.refresh()
    else reached(`no answer and no sign of progress within ${seconds(idleTimeoutMs)}`)
  })
  const alive = () => void idle.refresh()
  const stopWatching = desk.onSettled(alive)
  return {
    signal: stop.signal,
    alive,
    timedOut: () => timedOut,
    stop: () => {
      clearTimeout(total)
      clearTimeout(idle)
      stopWatching()
      signal?.removeEventListener('abort', cancel)
    },
  }
}

const seconds = (ms: number): string => `${ms / 1000} s`
