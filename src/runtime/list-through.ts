// Listing through a session that stays open: what a long-lived program does in place of start, list and end.

import type { McpServerConfig } from '../config/config.ts'
import { CallFailure } from '../sessions/call-failure.ts'
import { listOpen } from '../sessions/listing/list-server.ts'
import type { Listing } from '../sessions/listing/listing.ts'
import type { SessionPool } from '../sessions/pool/pool.ts'
import { Unavailable } from '../sessions/unavailable.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'

/** The tools of a server through the owner's session, or why there are none. Never rejects. */
export async function listThrough(
  pool: SessionPool,
  server: McpServerConfig,
  owner: ThreadOwner,
  signal?: AbortSignal,
): Promise<Listing | Unavailable> {
  try {
    const options = signal === undefined ? {} : { signal }
    return await pool.use(server, owner, (session) => listOpen(server, session, options), options)
  } catch (error) {
    if (error instanceof Unavailable) return error
    if (error instanceof CallFailure && error.cause instanceof Unavailable) return error.cause
    return new Unavailable('failed-to-start', error instanceof Error ? error.message : String(error))
  }
}
