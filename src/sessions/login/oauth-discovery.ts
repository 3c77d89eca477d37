// Who is asked for a login of a server: the server names its authorization server, which tells of itself. Everything
// here is a stranger's word, fetched through the guard.

import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../../config/config.ts'
import { printable } from '../../core/printable.ts'
import { GuardedFetchError } from './guarded-fetch.ts'
import { failureOf, LoginFailure } from './oauth-failure.ts'

export interface Authority {
  readonly metadata: AuthorizationServerMetadata
  /** The resource as the server's metadata writes it. Absent: it has no such metadata. */
  readonly resource?: string
  /** What is asked for, blank-separated. Absent: what the authorization server gives by itself. */
  readonly scope?: string
}

/** Asks a server and its authorization server. Throws a LoginFailure when no login with PKCE can be had. */
export async function authorityOf(server: McpServerConfig, fetchFn: FetchLike): Promise<Authority> {
  const url = server.url ?? ''
  const challenge = await challengeOf(server, fetchFn)
  const { resourceMetadataUrl } = challenge
  const info = await discoverOAuthServerInfo(url, {
    fetchFn,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
  }).catch((error: unknown) => {
    throw failureOf(error, 'finding the authorization server')
  })
  const metadata = info.authorizationServerMetadata
  if (metadata === undefined) {
    throw new LoginFailure(
      'login-failed',
      `${new URL(url).origin} names no authorization server that tells of itself`,
      'if it wants an API key, write that into its headers',
    )
  }
  const methods = metadata.code_challenge_methods_supported ?? []
  // The specification has clients stop where nothing says that the code is bound to whoever asked for it.
  if (!methods.includes('S256')) {
    throw new LoginFailure(
      'login-failed',
      `the authorization server ${printable(metadata.issuer, 120)} does not say that it supports PKCE with S256`,
      'ask whoever runs it; without PKCE an intercepted answer could be used by others',
    )
  }
  const scope = scopeOf(server, challenge.scope, info.resourceMetadata, metadata)
  return {
    metadata,
    ...(info.resourceMetadata === undefined ? {} : { resource: resourceFor(url, info.resourceMetadata) }),
    ...(scope === undefined ? {} : { scope }),
  }
}

/** A token for another resource than the one that was configured would be a token for somebody else. */
function resourceFor(url: string, { resource }: OAuthProtectedResourceMetadata): string {
  // RFC 9728 §3.3, with the latitude of the SDK: the same origin, and the same path or one above it.
  const isOurs =
    URL.canParse(resource) && checkResourceAllowed({ requestedResource: url, configuredResource: resource })
  if (isOurs) return resource
  throw new LoginFailure(
    'login-failed',
    `its metadata is that of another resource, ${printable(resource, 160)}`,
    'check the url of the server, also its last slash',
  )
}

interface Challenge {
  readonly resourceMetadataUrl?: URL
  readonly scope?: string
}

/**
 * What the server says when it is asked without a login. A listing is asked for, because it needs no session, begins
 * none, and is what we are after.
 */
async function challengeOf(server: McpServerConfig, fetchFn: FetchLike): Promise<Challenge> {
  const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const headers = new Headers({ ...server.headers })
  headers.set('content-type', 'application/json')
  headers.set('accept', 'application/json, text/event-stream')
  const response = await fetchFn(server.url ?? '', { method: 'POST', headers, body: question }).catch(
    (error: unknown) => {
      // A stream that never ends is an answer without a challenge.
      if (error instanceof GuardedFetchError && error.reason === 'timed-out') return undefined
      throw failureOf(error, 'asking the server')
    },
  )
  if (response?.status !== 401) return {}
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
  return {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  }
}

/** The operator's scopes as they are; else what the server asks for, and whatever keeps the login alive without a person. */
function scopeOf(
  { oauth }: McpServerConfig,
  challenged: string | undefined,
  resource: OAuthProtectedResourceMetadata | undefined,
  metadata: AuthorizationServerMetadata,
): string | undefined {
  if (oauth?.scopes !== undefined) return oauth.scopes.length === 0 ? undefined : oauth.scopes.join(' ')
  const asked = challenged ?? resource?.scopes_supported?.join(' ')
  if (asked === undefined || asked === '') return undefined
  const offline = metadata.scopes_supported?.includes('offline_access') === true
  return offline && !asked.split(' ').includes('offline_access') ? `${asked} offline_access` : asked
}
