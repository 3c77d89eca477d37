// One piece of work at a time, in the order in which they came.

export interface Turns {
  /** Runs the work when everything before it has ended, whatever became of that. Gives what the work gives. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when everything that is waiting now has ended. Never rejects. */
  readonly idle: () => Promise<void>
}

export function turns(): Turns {
  let last: Promise<void> = Promise.resolve()
  return {
    inTurn: (work) => {
      const done = last.then(work)
      last = done.then(
        () => {},
        () => {},
      )
      return done
    },
    idle: () => last,
  }
}
