// A server says that its list of tools changed: often many times in a row, and in 2026-07-28 only to whoever listens.

import { type Client, ProtocolError, type SubscriptionFilter } from '@modelcontextprotocol/client'

/** From a notice to the first word of it, so that those that come together are one. */
const firstMs = 100
/** A burst is over after so long without a notice. */
const quietMs = 1000
/** In a burst without end, so long at most from one word to the next. */
const longestMs = 30_000

export interface Burst {
  readonly note: () => void
  readonly end: () => void
}

/**
 * Tells of a burst of notices twice at most: soon after its first, and, when more came, once it is over. What changed at
 * first is known at once, and nothing that changed later is missed.
 */
export function listChangedBurst(tell: () => void): Burst {
  let timer: NodeJS.Timeout | undefined
  let toldAt: number | undefined
  let more = false
  let ended = false

  const wait = (ms: number, then: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(then, ms)
    timer.unref()
  }
  const first = () => {
    toldAt = performance.now()
    more = false
    wait(quietMs, over)
    tell()
  }
  const over = () => {
    const missed = more
    toldAt = undefined
    timer = undefined
    more = false
    if (missed) tell()
  }
  return {
    note: () => {
      if (ended) return
      if (timer === undefined) return wait(firstMs, first)
      if (toldAt === undefined) return
      more = true
      const left = toldAt + longestMs - performance.now()
      wait(Math.max(0, Math.min(quietMs, left)), left <= quietMs ? first : over)
    },
    end: () => {
      ended = true
      clearTimeout(timer)
    },
  }
}

const retryMs = 1000
const retryMsMax = 60_000
const acknowledgeMs = 10_000

export interface Listening {
  readonly filter: SubscriptionFilter
  /** A stream that broke is open again; what changed meanwhile cannot be known. */
  readonly missed: () => void
  readonly signal: AbortSignal
  /** The first stream is open. */
  readonly opened?: () => void
  /** The first stream could not be opened. */
  readonly failed?: (error: unknown) => void
}

/**
 * Listens for changes in the way of 2026-07-28 until the signal is aborted. A stream that broke is opened again. Never
 * rejects.
 */
export async function listenForChanges(client: Client, listening: Listening): Promise<void> {
  const { filter, missed, signal, opened, failed } = listening
  let waitMs = retryMs
  for (let round = 0; !signal.aborted; round += 1) {
    const startedAt = performance.now()
    try {
      const subscription = await client.listen(filter, { timeout: acknowledgeMs, signal })
      if (round > 0) missed()
      else opened?.()
      await subscription.closed
    } catch (error) {
      if (round === 0) failed?.(error)
      // It does not do that, whatever it said of itself.
      if (error instanceof ProtocolError) return
    }
    waitMs = performance.now() - startedAt > retryMsMax ? retryMs : Math.min(waitMs * 2, retryMsMax)
    await pause(waitMs, signal)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    timer.unref()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
