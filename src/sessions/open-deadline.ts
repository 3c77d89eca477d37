// One deadline for everything that belongs to a start: the process, the handshake and, when it is asked for, the list.

/** The deadline passed, or nobody waits any more. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

export interface Deadline {
  readonly signal: AbortSignal
  /** What the promise gives, or a DeadlinePassed when that is earlier. */
  readonly orPassed: <T>(promise: Promise<T>) => Promise<T>
  readonly clear: () => void
}

/** Passes after so many milliseconds, or when `outer` is aborted. To be cleared by whoever made it. */
export function deadlineOf(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const pass = () => controller.abort(new DeadlinePassed('no answer in time'))
  const timer = setTimeout(pass, timeoutMs)
  if (outer?.aborted === true) pass()
  outer?.addEventListener('abort', pass, { once: true })
  const passed = new Promise<never>((_, reject) => {
    const fail = () => reject(controller.signal.reason)
    if (controller.signal.aborted) fail()
    else controller.signal.addEventListener('abort', fail, { once: true })
  })
  passed.catch(() => {})
  return {
    signal: controller.signal,
    orPassed: (promise) => Promise.race([promise, passed]),
    clear: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', pass)
    },
  }
}
