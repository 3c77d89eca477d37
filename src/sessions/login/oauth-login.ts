// A person logs in to a remote server: authorization code with PKCE, by a browser that they open themselves.
//
//   server ──▶ who is asked ──▶ listen on loopback ──▶ a client ──▶ the person ──▶ one answer ──▶ tokens, stored
//
// INVARIANT: no address that a server named is opened or becomes an argument of a program. It is shown, with its host
// beside it, and the person decides.

import { randomBytes } from 'node:crypto'
import {
  type AuthorizationServerMetadata,
  exchangeAuthorization,
  type FetchLike,
  registerClient,
  type StoredOAuthClientInformation,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../../config/config.ts'
import { printable } from '../../core/printable.ts'
import { type CredentialStore, credentialStore } from './credential-store.ts'
import { type GuardOptions, guardedFetch } from './guarded-fetch.ts'
import { type CallbackAnswer, type CallbackListener, listenForCallback } from './oauth-callback.ts'
import { type Credential, credentialUrl, isCarriable, type StoredClient } from './oauth-credential.ts'
import { type Authority, authorityOf } from './oauth-discovery.ts'
import { failureOf, LoginFailure } from './oauth-failure.ts'
import { isLoopbackHost } from './oauth-reach.ts'
import { hasAuthorizationHeader } from './oauth-session.ts'
import { configuredClient, storedTokens, wordsOf } from './oauth-tokens.ts'

/** What a person needs to see before they open anything. */
export interface LoginPage {
  /** Printable, https or an address of this machine. */
  readonly url: string
  /** Where it leads, apart from the rest, which a stranger wrote. */
  readonly host: string
  readonly issuer: string
  /** The authorization server of the login before, when it was another one. */
  readonly issuerBefore?: string
  readonly redirectUrl: string
  readonly deadlineMs: number
}

export interface LoginOptions extends Pick<GuardOptions, 'lookup'> {
  /** Absolute. */
  readonly stateFolder: string
  /** Called once, when the person is to act. */
  readonly show: (page: LoginPage) => void
  /** How long the person may take. Absent: 5 minutes. */
  readonly deadlineMs?: number
  /** Calls the login off. */
  readonly signal?: AbortSignal
}

const deadlineMsDefault = 5 * 60_000

/** Logs in and stores the login. Rejects with a LoginFailure. */
export async function loginTo(server: McpServerConfig, options: LoginOptions): Promise<Credential> {
  const { signal, lookup } = options
  const fault = loginFault(server)
  if (fault !== undefined) throw fault
  const store = credentialStore(options.stateFolder)
  await store.prepare().catch((error: unknown) => {
    throw cannotStore(error)
  })
  const guard = { ...(signal === undefined ? {} : { signal }), ...(lookup === undefined ? {} : { lookup }) }
  const fetchFn = guardedFetch(server, guard)
  const authority = await authorityOf(server, fetchFn)
  const state = randomBytes(32).toString('base64url')
  const deadline = AbortSignal.timeout(options.deadlineMs ?? deadlineMsDefault)
  const ends = AbortSignal.any([deadline, ...(signal === undefined ? [] : [signal])])
  const listener = await listening(server, state, ends)
  try {
    return await through(server, { ...options, store, fetchFn, authority, state, listener, ends })
  } finally {
    await listener.close()
  }
}

/** Why there is no login to be had by the configuration alone, or nothing. */
export function loginFault(server: McpServerConfig): LoginFailure | undefined {
  if (server.transport === 'stdio' || server.url === undefined)
    return new LoginFailure(
      'login-unsupported',
      `server "${server.name}" is started here; only a server with a url has a login`,
      'give it its credential under env',
    )
  if (hasAuthorizationHeader(server))
    return new LoginFailure(
      'login-unsupported',
      `server "${server.name}" has an Authorization header in its configuration, which is sent as it is`,
      'remove the header to log in',
    )
  return undefined
}

async function listening(server: McpServerConfig, state: string, signal: AbortSignal): Promise<CallbackListener> {
  const port = server.oauth?.redirectPort
  return listenForCallback({ state, signal, ...(port === undefined ? {} : { port }) }).catch((error: unknown) => {
    const where = port === undefined ? 'no port of 127.0.0.1' : `port ${port} of 127.0.0.1`
    throw new LoginFailure(
      'login-failed',
      `the login could not come back: ${where} cannot be listened on (${wordsOf(error, [])})`,
      'choose another oauth.redirect_port, or end what uses this one',
    )
  })
}

interface Flow extends LoginOptions {
  readonly store: CredentialStore
  readonly fetchFn: FetchLike
  readonly authority: Authority
  readonly state: string
  readonly listener: CallbackListener
  readonly ends: AbortSignal
}

async function through(server: McpServerConfig, flow: Flow): Promise<Credential> {
  const { authority, listener, fetchFn, store, state } = flow
  const { metadata, resource, scope } = authority
  const { issuer } = metadata
  const place = { server: server.name, url: credentialUrl(server.url ?? ''), issuer }
  const client = await clientFor(server, flow)
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
    metadata,
    clientInformation: client,
    redirectUrl: listener.redirectUrl,
    state,
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  }).catch((error: unknown) => {
    throw failureOf(error, 'preparing the login')
  })
  const { credential: before } = await store.find(place)
  flow.show({
    ...shown(authorizationUrl, server),
    issuer: printable(issuer, 200),
    ...(before === undefined || before.issuer === issuer ? {} : { issuerBefore: printable(before.issuer, 200) }),
    redirectUrl: listener.redirectUrl,
    deadlineMs: flow.deadlineMs ?? deadlineMsDefault,
  })
  const answer = await answered(flow)
  const code = codeIn(answer, metadata)
  const tokens = await exchangeAuthorization(issuer, {
    metadata,
    clientInformation: client,
    authorizationCode: code,
    codeVerifier,
    redirectUri: listener.redirectUrl,
    ...(answer.iss === undefined ? {} : { iss: answer.iss }),
    ...(resource === undefined ? {} : { resource }),
    fetchFn,
  })
    .then((given) => storedTokens(given))
    .catch((error: unknown) => {
      const secrets = [code, codeVerifier, client.client_secret].filter((text) => text !== undefined)
      throw failureOf(error, 'the exchange of the answer for tokens', secrets)
    })
  const from: StoredClient['from'] = server.oauth?.clientId === undefined ? 'registration' : 'configuration'
  const login = { ...place, client: storedClient(client, from), tokens, loggedInAt: new Date().toISOString() }
  const credential: Credential = { ...login, ...(resource === undefined ? {} : { resource }) }
  await store.write(credential).catch((error: unknown) => {
    throw cannotStore(error)
  })
  return credential
}

/** The operator's client, or one that is registered now: what an authorization server has forgotten would be no use. */
async function clientFor(
  server: McpServerConfig,
  { authority, listener, fetchFn }: Flow,
): Promise<StoredOAuthClientInformation> {
  const { metadata, scope } = authority
  const configured = configuredClient(server.oauth, metadata.issuer)
  if (configured !== undefined) return configured
  if (metadata.registration_endpoint === undefined) {
    throw new LoginFailure(
      'login-failed',
      `the authorization server ${printable(metadata.issuer, 120)} registers no programs by itself`,
      'register a client by hand with the redirect address http://127.0.0.1:PORT/callback, and write oauth.client_id and oauth.redirect_port',
    )
  }
  const registration = await registerClient(metadata.issuer, {
    metadata,
    clientMetadata: {
      client_name: 'toolgate',
      redirect_uris: [listener.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethodFor(metadata),
      application_type: 'native',
    },
    ...(scope === undefined ? {} : { scope }),
    fetchFn,
  }).catch((error: unknown) => {
    throw failureOf(error, 'registering this program')
  })
  const { client_secret: secret } = registration
  if (secret !== undefined && !isCarriable(secret))
    throw new LoginFailure('login-failed', 'the authorization server gave a client secret that cannot be sent')
  return { ...registration, issuer: metadata.issuer }
}

/** A program on somebody's machine keeps no secret from them; where `none` is not offered, it takes one all the same. */
function authMethodFor({ token_endpoint_auth_methods_supported: offered }: AuthorizationServerMetadata): string {
  if (offered === undefined || offered.includes('none')) return 'none'
  return ['client_secret_post', 'client_secret_basic'].find((method) => offered.includes(method)) ?? 'none'
}

function storedClient(client: StoredOAuthClientInformation, from: StoredClient['from']): StoredClient {
  if (from === 'configuration') return { id: client.client_id, from }
  const method = 'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined
  return {
    id: client.client_id,
    ...(client.client_secret === undefined ? {} : { secret: client.client_secret }),
    ...(typeof method === 'string' ? { authMethod: method } : {}),
    from,
  }
}

/** INVARIANT: only an address of this form is shown to be opened. */
function shown(url: URL, server: McpServerConfig): Pick<LoginPage, 'url' | 'host'> {
  const isHere = isLoopbackHost(url.hostname) && isLoopbackHost(new URL(server.url ?? '').hostname)
  const isSound = url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
  if (isSound && url.username === '' && url.password === '' && /^[\x21-\x7e]{1,8192}$/.test(url.href))
    return { url: url.href, host: url.host }
  throw new LoginFailure(
    'login-failed',
    `the address for the login, at ${printable(`${url.protocol}//${url.host}`, 120)}, is not one to be opened`,
    'it must be https; ask whoever runs the server',
  )
}

async function answered({ listener, ends, signal, deadlineMs = deadlineMsDefault }: Flow): Promise<CallbackAnswer> {
  try {
    return await listener.answer
  } catch (error) {
    if (!ends.aborted) throw error
    if (signal?.aborted === true) throw new LoginFailure('login-failed', 'the login was called off')
    const refused = listener.refused()
    const strangers =
      refused === 0 ? '' : `; ${refused} ${refused === 1 ? 'answer' : 'answers'} with another state came`
    throw new LoginFailure('login-timed-out', `nobody finished the login within ${deadlineMs / 1000} s${strangers}`)
  }
}

/** The code of an answer that is known to come from the right issuer; its other words are read only then (RFC 9207 §2.4). */
function codeIn(answer: CallbackAnswer, metadata: AuthorizationServerMetadata): string {
  try {
    validateAuthorizationResponseIssuer({
      iss: answer.iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    })
  } catch (error) {
    throw failureOf(error, 'checking the answer')
  }
  if (answer.code !== undefined) return answer.code
  const told = answer.errorDescription === undefined ? '' : `: ${printable(answer.errorDescription, 160)}`
  if (answer.error === 'access_denied')
    throw new LoginFailure('login-denied', `the login was not granted${told}`, 'log in again, and allow the access')
  throw new LoginFailure(
    'login-failed',
    `the authorization server answered ${printable(answer.error ?? '', 60)}${told}`,
  )
}

const cannotStore = (error: unknown): LoginFailure =>
  new LoginFailure('state-file', `the login cannot be stored: ${wordsOf(error, [])}`, 'make the state folder writable')
