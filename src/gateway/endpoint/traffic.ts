// How much one client may ask at the same time and in a second. Clients that are quiet are forgotten.

import type { HttpLimits } from './limits.ts'
import type { Refusal } from './refusal.ts'

export interface Traffic {
  /** To be called once for each request; gives what to call when it is over, or why it must wait. */
  readonly enter: (client: string) => (() => void) | Refusal
}

interface Load {
  running: number
  tokens: number
  /** Milliseconds of the clock. */
  at: number
}

/** Clients whose buckets may be forgotten are looked for when so many are known. */
const knownMax = 4096

export function traffic(
  limits: Pick<HttpLimits, 'inFlight' | 'perSecond'>,
  now: () => number = () => performance.now(),
): Traffic {
  const loads = new Map<string, Load>()
  const { inFlight, perSecond } = limits

  const refilled = (load: Load): Load => {
    const at = now()
    load.tokens = Math.min(perSecond, load.tokens + ((at - load.at) / 1000) * perSecond)
    load.at = at
    return load
  }
  /** What is full again and has nothing running says no more than what is not known. */
  const forget = () => {
    for (const [client, load] of loads)
      if (load.running === 0 && refilled(load).tokens >= perSecond) loads.delete(client)
  }

  return {
    enter: (client) => {
      if (loads.size >= knownMax) forget()
      const load = refilled(loads.get(client) ?? { running: 0, tokens: perSecond, at: now() })
      loads.set(client, load)
      if (load.running >= inFlight) return busy(`more than ${inFlight} requests of this client run at the same time`, 1)
      if (load.tokens < 1)
        return busy(
          `more than ${perSecond} requests of this client in a second`,
          Math.ceil((1 - load.tokens) / perSecond),
        )
      load.tokens -= 1
      load.running += 1
      let left = false
      return () => {
        if (left) return
        left = true
        load.running -= 1
      }
    },
  }
}

const busy = (message: string, seconds: number): Refusal => ({
  status: 429,
  word: 'too-many',
  message,
  headers: { 'retry-after': String(seconds) },
})
