// Which session a server's tools are listed through. Usually the owner's; after a session was started anew, that one
// once: a server that died may list other tools than before.

import { canonicalJson } from '../core/json.ts'
import type { SessionPool, SessionState } from '../sessions/pool/pool.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'

export interface Relisting {
  /** A session is in another phase. Told are those that somebody's call has started anew. */
  readonly noted: (state: SessionState) => void
  /** Runs a listing with the owner of the session that it goes through. */
  readonly through: <T>(server: string, list: (owner: ThreadOwner) => Promise<T>) => Promise<T>
}

export interface RelistingInput {
  /** Whose session listings usually go through. */
  readonly owner: ThreadOwner
  readonly states: SessionPool['states']
  /** A session of this server was started anew, and is open. */
  readonly startedAnew: (server: string) => void
}

export function relisting({ owner, states, startedAnew }: RelistingInput): Relisting {
  /** Owners of sessions that are new and were not listed yet. */
  const fresh = new Map<string, ThreadOwner>()
  /** Sessions that are being listed: if such a one is started anew, that is for the listing. */
  const listing = new Set<string>()
  const isOpen = (server: string, { user, thread }: ThreadOwner): boolean =>
    states().some(
      (state) =>
        state.server === server &&
        state.owner.user === user &&
        state.owner.thread === thread &&
        (state.phase === 'open' || state.phase === 'busy'),
    )
  return {
    noted: ({ server, owner: whose, phase, starts }) => {
      if (starts < 2 || (phase !== 'open' && phase !== 'busy') || listing.has(keyOf(server, whose))) return
      fresh.set(server, whose)
      startedAnew(server)
    },
    through: async (server, list) => {
      const whose = fresh.get(server)
      fresh.delete(server)
      // A thread that has ended meanwhile gets no session for the sake of a listing.
      const through = whose !== undefined && isOpen(server, whose) ? whose : owner
      const key = keyOf(server, through)
      listing.add(key)
      try {
        return await list(through)
      } finally {
        listing.delete(key)
      }
    },
  }
}

const keyOf = (server: string, { user, thread }: ThreadOwner): string => canonicalJson([server, user, thread])
