// What a server listed. Types only, so that whoever speaks of listings loads no client of the protocol.

import type { UnavailableState } from '../../core/candidate.ts'

/** How a listing came about. */
export interface ListedBy {
  readonly identity: string
  /** The handshake that worked: `initialize`, or that of 2026-07-28. */
  readonly era: 'legacy' | 'modern'
  readonly protocolVersion?: string
}

export interface Listing extends ListedBy {
  /** As received. */
  readonly tools: readonly unknown[]
  /** What was wrong with the list as such, one sentence each. */
  readonly problems: readonly string[]
  /** How long the server says that it may be kept, milliseconds. Absent: it said nothing. */
  readonly ttlMs?: number
  readonly tookMs: number
}

/** Why a server gave none. */
export interface NoListing {
  readonly state: UnavailableState
  /** One printable line. */
  readonly message: string
}
