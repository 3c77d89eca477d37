// Whose session it is. Two owners never share a key, whatever their names hold: it is the canonical form of its parts,
// not the parts put together with a separator.

import { createHash } from 'node:crypto'
import type { McpServerConfig } from '../../config/config.ts'
import { canonicalJson } from '../../core/json.ts'

export interface SessionOwner {
  readonly server: string
  readonly user: string
  readonly thread: string
  /** How the server is started, as `launchFingerprint` tells it. Absent: however. */
  readonly launch?: string
}

/** Different for every two owners; the same for the same one, on every machine. */
export const sessionKey = ({ server, user, thread, launch }: SessionOwner): string =>
  canonicalJson(launch === undefined ? [server, user, thread] : [server, user, thread, launch])

/**
 * SHA-256 over what a session of this server depends on: way, command, arguments, folder, variables, URL, headers and
 * login, with their values. An edit gives another fingerprint, and so no session from before it. Time limits and what
 * is offered of the tools are left out: they hold for a session that is open already. It stays in memory: values may
 * be secret.
 */
export function launchFingerprint(server: McpServerConfig): string {
  const known = fingerprints.get(server)
  if (known !== undefined) return known
  const { transport, command, args, cwd, env, url, allowHttp, headers, oauth } = server
  const launch = { transport, command, args, cwd, env, url, allowHttp, headers, oauth: oauth && { ...oauth } }
  const fingerprint = createHash('sha256').update(canonicalJson(launch)).digest('hex')
  fingerprints.set(server, fingerprint)
  return fingerprint
}

/** A configuration is never changed once it was read, so each is worked out once. */
const fingerprints = new WeakMap<McpServerConfig, string>()
