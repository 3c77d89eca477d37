// The one end of a session, whoever brings it about: the server that leaves, or we. INVARIANT: it ends once, says how
// once, and what is left of the server is ended in any case.

export interface SessionLife {
  /** How it ended, such as `exited with code 3`; nothing while it is open. */
  readonly ended: () => string | undefined
  readonly closed: Promise<string>
  /** Aborted when it ends. */
  readonly signal: AbortSignal
  /** Ends it with these words, or goes along with an end that is under way. Resolves when nothing is left. */
  readonly finish: (how: string) => Promise<void>
}

/** `end` ends the connection and all that belongs to it; it is called once. */
export function sessionLife(end: () => Promise<void>): SessionLife {
  const over = new AbortController()
  let ended: string | undefined
  let ending: Promise<void> | undefined
  let settle = (_how: string) => {}
  const closed = new Promise<string>((resolve) => {
    settle = resolve
  })
  return {
    ended: () => ended,
    closed,
    signal: over.signal,
    finish: (how) => {
      if (ending !== undefined) return ending
      ended = how
      over.abort()
      settle(how)
      ending = end()
      return ending
    },
  }
}
