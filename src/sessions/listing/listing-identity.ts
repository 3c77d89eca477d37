// Which server a stored listing belongs to. Whoever changes the command, the place or what we say we can do gets
// another identity, and so no listing of what was there before.

import { createHash } from 'node:crypto'
import type { McpServerConfig } from '../../config/config.ts'
import { canonicalJson } from '../../core/json.ts'
import { clientCapabilities } from '../wire/client-identity.ts'

/**
 * SHA-256 over name, way, command, arguments, folder and URL, the names (not the values) of variables and headers,
 * and our capabilities. Values are left out: a renewed token is no other server, and no secret is hashed.
 */
export function listingIdentity(server: McpServerConfig): string {
  const { name, transport, command, args, cwd, url } = server
  const env = Object.keys(server.env).sort()
  const headers = Object.keys(server.headers).sort()
  const identity = { name, transport, command, args, cwd, url, env, headers, capabilities: clientCapabilities }
  return createHash('sha256').update(canonicalJson(identity)).digest('hex')
}
