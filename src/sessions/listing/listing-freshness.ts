// May a stored listing stand in for the server? Only where it is whole, young, of the very thing that would be started,
// and nothing has failed since.

import { isSameLaunch, type LaunchStamp } from './listing-launch.ts'
import type { StoredListing } from './listing-store.ts'

export interface Freshness {
  /** Milliseconds since 1970. */
  readonly now: number
  /** `listings.max_age_ms`; 0: never. */
  readonly maxAgeMs: number
  /** What would be started now, with the salt of the stored stamp. */
  readonly launch: LaunchStamp
}

/**
 * True when the listing may be served. A server's own hint (`ttlMs`, revision 2026-07-28) shortens the time and never
 * lengthens it. A hint of 0 counts as none: it is what SDKs send where nobody said anything, and with it a cold start
 * would start every server to learn what it knows.
 */
export function isFresh(listing: StoredListing, { now, maxAgeMs, launch }: Freshness): boolean {
  const { listedAt, failedAt, ttlMs = 0, whole } = listing
  if (!whole || listing.launch === undefined || !isSameLaunch(listing.launch, launch)) return false
  if (failedAt !== undefined && Date.parse(failedAt) >= Date.parse(listedAt)) return false
  const age = now - Date.parse(listedAt)
  return age >= 0 && age < (ttlMs > 0 ? Math.min(ttlMs, maxAgeMs) : maxAgeMs)
}
