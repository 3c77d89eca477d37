// Requests that wait for their client to come again. A state names one of them once: it says nothing by itself, belongs
// to one client, and holds for the same request only.

import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson, type JsonObject } from '../../core/json.ts'
import type { HttpLimits } from './limits.ts'
import type { Run } from './run.ts'

export interface Claim {
  /** The client whose request it is. */
  readonly owner: string
  readonly method: string
  /** As the client sent them, without state and answers. */
  readonly params: JsonObject
}

export interface Parking {
  /** The state, or undefined where no more may wait. */
  readonly park: (run: Run, claim: Claim) => string | undefined
  /** The run, which waits no longer. Undefined: the state is unknown, used, too old, of somebody else or of another request. */
  readonly take: (state: unknown, claim: Claim) => Run | undefined
  /** Calls off what waits. Resolves when nothing of it is running. */
  readonly close: () => Promise<void>
}

interface Parked {
  readonly run: Run
  readonly owner: string
  readonly digest: string
  readonly timer: NodeJS.Timeout
}

/** Of what may wait in all, one client may take so much: the others have room left. */
const shareOfOne = 4

export function parking(limits: Pick<HttpLimits, 'parked' | 'parkedMs'>): Parking {
  const parked = new Map<string, Parked>()
  const ofOwner = (owner: string) => [...parked.values()].filter((one) => one.owner === owner).length
  const remove = (state: string): Parked | undefined => {
    const one = parked.get(state)
    parked.delete(state)
    clearTimeout(one?.timer)
    return one
  }
  return {
    park: (run, claim) => {
      if (parked.size >= limits.parked) return undefined
      if (ofOwner(claim.owner) >= Math.max(1, Math.floor(limits.parked / shareOfOne))) return undefined
      const state = randomBytes(24).toString('base64url')
      const timer = setTimeout(() => remove(state)?.run.abort('its client did not come again'), limits.parkedMs).unref()
      parked.set(state, { run, owner: claim.owner, digest: digestOf(claim), timer })
      return state
    },
    take: (state, claim) => {
      const one = typeof state === 'string' ? parked.get(state) : undefined
      if (one === undefined || typeof state !== 'string') return undefined
      if (one.owner !== claim.owner || one.digest !== digestOf(claim)) return undefined
      return remove(state)?.run
    },
    close: async () => {
      const runs = [...parked.keys()].map((state) => remove(state)?.run)
      for (const run of runs) run?.abort('the endpoint ends')
      await Promise.all(runs.map((run) => run?.ended))
    },
  }
}

function digestOf({ method, params }: Claim): string {
  return createHash('sha256').update(canonicalJson({ method, params })).digest('hex')
}
