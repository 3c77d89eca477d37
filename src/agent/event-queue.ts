/** Events of work that goes on beside whoever reads them. */
export interface EventQueue<T> {
  readonly push: (event: T) => void
  /** No more events come. */
  readonly end: () => void
  readonly events: () => AsyncGenerator<T, void, undefined>
}

/** Keeps what nobody has read yet: a slow reader loses nothing, and holds nothing up. */
export function eventQueue<T>(): EventQueue<T> {
  const waiting: T[] = []
  let isEnded = false
  let wake = () => {}
  return {
    push: (event) => {
      waiting.push(event)
      wake()
    },
    end: () => {
      isEnded = true
      wake()
    },
    events: async function* () {
      for (;;) {
        const event = waiting.shift()
        if (event !== undefined) yield event
        else if (isEnded) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
