// Waits for a server that is not required only so long, and lets it come in later: the first answer of a program
// should not hang on its slowest server.

import type { McpServerConfig } from '../config/config.ts'
import { canonicalJson } from '../core/json.ts'
import type { Listing } from '../sessions/listing/listing.ts'
import { launchFingerprint } from '../sessions/pool/session-key.ts'
import { Unavailable } from '../sessions/unavailable.ts'

type List = (server: McpServerConfig, signal: AbortSignal | undefined) => Promise<Listing | Unavailable>

export interface PatientListerInput {
  /** Never rejects. */
  readonly list: List
  /** Asked at each listing. Undefined: every server is waited for. */
  readonly patienceMs: () => number | undefined
  /** A server that was told to be starting has given its answer; asked again, it is there at once. */
  readonly onLate: (server: string) => void
}

export interface PatientLister {
  readonly list: List
}

export function patientLister({ list, patienceMs, onLate }: PatientListerInput): PatientLister {
  const running = new Map<string, Promise<Listing | Unavailable>>()
  const started = (server: McpServerConfig, signal: AbortSignal | undefined) => {
    // Under the way in which it is started: an entry that was edited meanwhile is not answered for by the one before.
    const key = canonicalJson([server.name, launchFingerprint(server)])
    const before = running.get(key)
    if (before !== undefined) return before
    const answer = list(server, signal).finally(() => running.delete(key))
    running.set(key, answer)
    return answer
  }
  return {
    list: async (server, signal) => {
      const answer = started(server, signal)
      const ms = patienceMs()
      if (ms === undefined || server.required) return answer
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, ms, undefined)
      })
      const first = await Promise.race([answer, late])
      clearTimeout(timer)
      if (first !== undefined) return first
      void answer.then(() => onLate(server.name))
      const seconds = Math.round(server.startTimeoutMs / 100) / 10
      return new Unavailable('starting', `it is starting, and has until ${seconds} s after its start to answer`)
    },
  }
}
