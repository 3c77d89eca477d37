// When a long-lived program asks its servers again by itself: one that is down comes back without anyone asking for
// it, and what is known of a server does not get older than it may.
//
//   it is down     asked again after 5 s, then 10 s, 20 s … at most every five minutes
//   it is there    asked again when its listing becomes stale (`freshForMs`), at most every second

import type { Clock } from '../sessions/pool/pool.ts'
import { systemClock } from '../sessions/pool/system-clock.ts'
import type { ServerReport } from '../sources/source.ts'
import { isRecoverable, recoveryDelayMs } from './recovery.ts'

export interface UpkeepInput {
  /** Asks servers anew; `because` is for people. */
  readonly ask: (because: string, servers: readonly string[]) => void
  readonly clock?: Clock
}

export interface Upkeep {
  /** What a refresh found. Of servers that are not named nothing is asked any more. */
  readonly found: (servers: readonly ServerReport[]) => void
  /** A refresh failed as a whole: those that were to be asked wait for their next turn. */
  readonly foundNothing: () => void
  /** Whoever is down is taken for newly down, as after an edit. */
  readonly forget: () => void
  /** Nothing is asked any more. */
  readonly close: () => void
}

interface Due {
  /** Monotonic milliseconds; infinite while its answer is waited for. */
  at: number
  readonly why: 'down' | 'stale'
  /** How often in a row it was asked in vain. */
  tries: number
}

const soonestMs = 1000
/** A timer that sleeps longer is set again: a day is enough for any system's timers. */
const longestMs = 86_400_000

export function upkeep({ ask, clock = systemClock }: UpkeepInput): Upkeep {
  const due = new Map<string, Due>()
  let callOff = (): void => {}
  let closed = false

  const arm = () => {
    callOff()
    const first = Math.min(...[...due.values()].map(({ at }) => at))
    if (closed || !Number.isFinite(first)) return
    callOff = clock.after(Math.min(Math.max(first - clock.now(), 0), longestMs), fire)
  }
  const fire = () => {
    const now = clock.now()
    const names = { down: [] as string[], stale: [] as string[] }
    for (const [name, entry] of due) {
      if (entry.at > now) continue
      entry.at = Number.POSITIVE_INFINITY
      names[entry.why].push(name)
    }
    arm()
    if (names.down.length > 0) ask(`${names.down.join(', ')}: tried again`, names.down)
    if (names.stale.length > 0)
      ask(`${names.stale.join(', ')}: asked again, for what was known was too old`, names.stale)
  }
  const isAsked = (entry: Due | undefined): entry is Due => entry?.at === Number.POSITIVE_INFINITY
  const dueOf = (server: ServerReport, before: Due | undefined): Due | undefined => {
    const now = clock.now()
    if (isRecoverable(server)) {
      // A refresh for another reason neither hastens nor delays the next try.
      if (before?.why === 'down' && !isAsked(before)) return before
      const tries = before?.why === 'down' ? before.tries + 1 : 0
      return { at: now + recoveryDelayMs(tries), why: 'down', tries }
    }
    const { freshForMs } = server
    if (freshForMs === undefined) return undefined
    return { at: now + Math.max(freshForMs, soonestMs), why: 'stale', tries: 0 }
  }

  return {
    found: (servers) => {
      const before = new Map(due)
      due.clear()
      for (const server of servers) {
        const next = dueOf(server, before.get(server.name))
        if (next !== undefined) due.set(server.name, next)
      }
      arm()
    },
    foundNothing: () => {
      for (const entry of due.values()) {
        if (!isAsked(entry)) continue
        entry.tries += 1
        entry.at = clock.now() + recoveryDelayMs(entry.tries)
      }
      arm()
    },
    forget: () => due.clear(),
    close: () => {
      closed = true
      callOff()
    },
  }
}
