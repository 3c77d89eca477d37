// Somebody who waits for a session. INVARIANT: it is answered exactly once, and after that nothing of it is left: no
// timer, and no listener on its signal.

import type { CallFailure } from '../call-failure.ts'
import type { Clock } from './pool.ts'

export interface Asker<T> {
  readonly answer: Promise<T>
  readonly admit: (seat: T) => void
  readonly fail: (failure: CallFailure) => void
  /** From now on it waits for as long as it takes. */
  readonly stopClock: () => void
}

export interface AskerOptions<T> {
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
  /** Absent: it waits for as long as it takes. */
  readonly waitMs?: number
  /** Called when its signal is aborted or its time is over, and it was not answered before; it is to be failed. */
  readonly gaveUp: (asker: Asker<T>, why: 'called-off' | 'time-over') => void
}

export function newAsker<T>({ clock, signal, waitMs, gaveUp }: AskerOptions<T>): Asker<T> {
  const { promise, resolve, reject } = deferred<T>()
  const aborted = () => gaveUp(asker, 'called-off')
  let stopClock = (): void => {}
  const leave = (): void => {
    stopClock()
    signal?.removeEventListener('abort', aborted)
  }
  const asker: Asker<T> = {
    answer: promise,
    admit: (seat) => {
      leave()
      resolve(seat)
    },
    fail: (failure) => {
      leave()
      reject(failure)
    },
    stopClock: () => stopClock(),
  }
  if (waitMs !== undefined) stopClock = clock.after(waitMs, () => gaveUp(asker, 'time-over'))
  signal?.addEventListener('abort', aborted, { once: true })
  return asker
}

/** A promise with its two ends. */
export function deferred<T>(): {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
} {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  return { promise, resolve, reject }
}
