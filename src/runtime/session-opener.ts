// The pool of a program: how a session of a thread is opened, where, and with which login.

import type { Config, McpServerConfig } from '../config/config.ts'
import { listingIdentity } from '../sessions/listing/listing-identity.ts'
import { listingStore } from '../sessions/listing/listing-store.ts'
import { sessionAuth } from '../sessions/login/oauth-session.ts'
import { openSession } from '../sessions/open-session.ts'
import type { OpenRequest, PoolOptions, SessionPool } from '../sessions/pool/pool.ts'
import { sessionPool } from '../sessions/pool/session-pool.ts'
import { sessionPlace } from '../sessions/processes/session-place.ts'
import type { OpenSession } from '../sessions/session.ts'
import { openServerFolder } from '../workspace/server-folder.ts'
import { openThread } from './threads.ts'

export interface PoolInput extends Pick<PoolOptions, 'onState' | 'onListChanged'> {
  /** The configuration in force. */
  readonly config: () => Config
  readonly stateFolder: string
  readonly environment: { readonly [name: string]: string | undefined }
}

export function poolFor(input: PoolInput): SessionPool {
  const { onState, onListChanged } = input
  const { max, idleMs } = input.config().sessions
  return sessionPool({
    open: (request) => opened(request, input),
    max,
    idleMs,
    ...(onState === undefined ? {} : { onState }),
    ...(onListChanged === undefined ? {} : { onListChanged }),
  })
}

async function opened({ server, owner, signal }: OpenRequest, input: PoolInput): Promise<OpenSession> {
  const { environment, stateFolder } = input
  const config = input.config()
  const workspace = await openThread(config, stateFolder, owner)
  const { temp, tempName = temp } = workspace
  const folders = { cwd: openServerFolder(workspace, server.name).host, temp: tempName }
  const place = sessionPlace(server, { workspace: folders, configFolder: config.folder, environment })
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
  })
}

/** The handshake that worked the last time, with the listing of that day. */
async function eraOf(server: McpServerConfig, stateFolder: string): Promise<'legacy' | 'modern' | undefined> {
  const { listing } = await listingStore(stateFolder).read(server.name, listingIdentity(server))
  return listing?.era
}
