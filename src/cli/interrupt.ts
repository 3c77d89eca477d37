// Ctrl+C while a command works on something that can be called off.

export interface Interrupt {
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal
  /** The same as an interrupt, for a key that the terminal sends as a key. */
  readonly now: () => void
  /** From now on the system decides again. */
  readonly end: () => void
}

/**
 * The first interrupt calls off what runs, so that servers are told; the second ends the program as if nobody had
 * listened. INVARIANT: the listener stays until then, because servers are ended at once where nobody listens.
 */
export function stopOnInterrupt(): Interrupt {
  const controller = new AbortController()
  const end = () => void process.off('SIGINT', stop)
  const stop = () => {
    if (controller.signal.aborted) {
      end()
      process.kill(process.pid, 'SIGINT')
    } else controller.abort()
  }
  process.on('SIGINT', stop)
  return { signal: controller.signal, now: stop, end }
}
