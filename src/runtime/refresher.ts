// One refresh at a time: what comes in while one runs is put together into the next.

export interface RefreshRequest {
  /** For people, such as `the configuration was edited`. */
  readonly because: string
  /** Servers to ask anew; the others are asked only where what is known of them is too old. */
  readonly servers: ReadonlySet<string>
}

export interface Refresher {
  /** Resolves when a refresh that began after this request has ended. */
  readonly request: (request: RefreshRequest) => Promise<void>
}

interface Waiting {
  request: RefreshRequest
  readonly done: Promise<void>
}

/** A request is rejected when its `work` is; the next one is not. */
export function refresher(work: (request: RefreshRequest) => Promise<void>): Refresher {
  let waiting: Waiting | undefined
  let last: Promise<void> = Promise.resolve()
  return {
    request: (request) => {
      if (waiting !== undefined) {
        waiting.request = together(waiting.request, request)
        return waiting.done
      }
      const entry: Waiting = {
        request,
        done: last.then((): Promise<void> => {
          waiting = undefined
          return work(entry.request)
        }),
      }
      waiting = entry
      // One that fails must not fail those that come after it.
      last = entry.done.catch(() => {})
      return entry.done
    },
  }
}

function together(one: RefreshRequest, other: RefreshRequest): RefreshRequest {
  return {
    because: one.because === other.because ? one.because : `${one.because}; ${other.because}`.slice(0, 300),
    servers: new Set([...one.servers, ...other.servers]),
  }
}
