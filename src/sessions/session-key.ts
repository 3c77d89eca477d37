// Whose session it is. Two owners never share a key, whatever their names hold: it is the canonical form of the three,
// not the three put together with a separator.

import { canonicalJson } from '../core/json.ts'

export interface SessionOwner {
  readonly server: string
  readonly user: string
  readonly thread: string
}

/** Different for every two owners; the same for the same one, on every machine. */
export const sessionKey = ({ server, user, thread }: SessionOwner): string => canonicalJson([server, user, thread])
