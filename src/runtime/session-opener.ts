// The pool of a program: how a session of a thread is opened, where, and with which login.

import type { Config, McpServerConfig } from '../config/config.ts'
import { listingIdentity } from '../sessions/listing/listing-identity.ts'
import { listingStore } from '../sessions/listing/listing-store.ts'
import { sessionAuth } from '../sessions/login/oauth-session.ts'
import { openSession } from '../sessions/open-session.ts'
import type { OpenRequest, PoolOptions, SessionPool } from '../sessions/pool/pool.ts'
import { sessionPool } from '../sessions/pool/session-pool.ts'
import { sessionPlace } from '../sessions/processes/session-place.ts'
import { openThread, threadPlace } from '../sessions/processes/thread-place.ts'
import type { OpenSession } from '../sessions/session.ts'
import { Unavailable } from '../sessions/unavailable.ts'
import { isInForce } from './config-edits.ts'

export interface PoolInput extends Pick<PoolOptions, 'onState' | 'onListChanged' | 'peerOf' | 'onNotification'> {
  /** The configuration in force: nothing is started for an entry that it does not hold. */
  readonly config: () => Config
  readonly stateFolder: string
  readonly environment: { readonly [name: string]: string | undefined }
}

/** `sessions.max` and `sessions.idle_ms` are those of the beginning: an edit of them holds from the next start on. */
export function poolFor(input: PoolInput): SessionPool {
  const { onState, onListChanged, peerOf, onNotification } = input
  const { max, idleMs } = input.config().sessions
  return sessionPool({
    open: (request) => opened(request, input),
    max,
    idleMs,
    ...(onState === undefined ? {} : { onState }),
    ...(onListChanged === undefined ? {} : { onListChanged }),
    ...(peerOf === undefined ? {} : { peerOf }),
    ...(onNotification === undefined ? {} : { onNotification }),
  })
}

async function opened({ server, owner, signal, peer }: OpenRequest, input: PoolInput): Promise<OpenSession> {
  const { environment, stateFolder } = input
  const config = input.config()
  // A call that began before an edit, and waited for a person, must not start what was edited away.
  if (!isInForce(server, config))
    throw new Unavailable('not-configured', 'its entry in the configuration was edited; call again')
  const workspace = await openThread(config, stateFolder, owner)
  const thread = threadPlace(workspace, server.name)
  const place = sessionPlace(server, { workspace: thread, configFolder: config.folder, environment })
  const auth = await sessionAuth(server, stateFolder)
  const era = await eraOf(server, stateFolder)
  return openSession(place.server, {
    env: place.env,
    cwd: place.cwd,
    signal,
    timeoutMs: server.startTimeoutMs,
    messageBytesMax: config.limits.messageBytes,
    ...(era === undefined ? {} : { era }),
    ...(auth === undefined ? {} : { auth }),
    ...(peer === undefined ? {} : { peer }),
  })
}

/** The handshake that worked the last time, with the listing of that day. */
async function eraOf(server: McpServerConfig, stateFolder: string): Promise<'legacy' | 'modern' | undefined> {
  const { listing } = await listingStore(stateFolder).read(server.name, listingIdentity(server))
  return listing?.era
}
