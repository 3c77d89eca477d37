// What is open to everybody who may reach the endpoint: how it is, and whom a client asks for a token.

import type { IncomingMessage } from 'node:http'
import type { GatewayService } from '../service.ts'
import type { Auth } from './who.ts'

const metadataPath = '/.well-known/oauth-protected-resource'

export const metadataUrl = (auth: Auth, request: IncomingMessage): string | undefined =>
  auth.kind === 'tokens' && auth.resource !== undefined ? `http://${request.headers.host}${metadataPath}` : undefined

export interface Document {
  readonly status: number
  readonly body: unknown
}

/** The document at a path. Names of servers are told only where everybody may have them. Undefined: there is none. */
export function documentAt(
  target: string,
  { auth, path, service }: { readonly auth: Auth; readonly path: string; readonly service: GatewayService },
): Document | undefined {
  if (target === '/') return { status: 200, body: { name: 'toolgate', mcp: path, health: '/health', ready: '/ready' } }
  if (target === '/health' || target === '/ready') {
    const { servers, state } = service.health()
    const body = auth.kind === 'none' ? { state, servers } : { state }
    return { status: target === '/ready' && state !== 'ready' ? 503 : 200, body }
  }
  if (auth.kind !== 'tokens' || auth.resource === undefined) return undefined
  if (target !== metadataPath && target !== `${metadataPath}${path}`) return undefined
  const { authorizationServers, resource, scopes } = auth.resource
  return {
    status: 200,
    body: {
      resource,
      authorization_servers: authorizationServers,
      bearer_methods_supported: ['header'],
      ...(scopes === undefined ? {} : { scopes_supported: scopes }),
    },
  }
}
