// The login of a session that nobody watches: stored tokens, renewed in time, and never a question to a person. Where
// a person is needed, the session fails with the state `login-needed` and the command that helps.
//
// It is the SDK's small AuthProvider rather than its OAuthClientProvider. With the latter the transport runs the whole
// flow by itself, through its own `fetch` and with every header of the configuration laid over each request: an API
// key would go to whatever authorization server the MCP server names.

import type { AuthProvider } from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../../config/config.ts'
import { printable } from '../../core/printable.ts'
import { Unavailable } from '../unavailable.ts'
import { type CredentialStore, credentialStore } from './credential-store.ts'
import { type GuardOptions, guardedFetch } from './guarded-fetch.ts'
import { type Credential, credentialUrl, isAlive, isFresh } from './oauth-credential.ts'
import { type Renewal, renewed } from './oauth-refresh.ts'
import { wordsOf } from './oauth-tokens.ts'

/** What the transports of the SDK take as `authProvider`. */
export type SessionAuth = AuthProvider

/** True when the operator wrote the credential into the configuration; it is sent as it is, and nothing replaces it. */
export function hasAuthorizationHeader({ headers }: Pick<McpServerConfig, 'headers'>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/**
 * The login for sessions of a server; nothing for one that is started. `stateFolder` is absolute. With an
 * Authorization header in the configuration it gives no token, and only says whose credential was refused.
 */
export function sessionAuth(
  server: McpServerConfig,
  stateFolder: string,
  options: Pick<GuardOptions, 'lookup'> = {},
): SessionAuth | undefined {
  if (server.transport === 'stdio' || server.url === undefined || !URL.canParse(server.url)) return undefined
  if (hasAuthorizationHeader(server)) return configuredHeader(server.name)
  return storedLogin(server, server.url, credentialStore(stateFolder), options)
}

function configuredHeader(server: string): SessionAuth {
  return {
    token: async () => undefined,
    onUnauthorized: async ({ response }) => {
      throw new Unavailable(
        'login-needed',
        `it refused the Authorization header of the configuration (HTTP ${response.status}); ` +
          `renew that value, or remove the header and run \`toolgate login ${server}\``,
      )
    },
  }
}

function storedLogin(
  server: McpServerConfig,
  url: string,
  store: CredentialStore,
  guard: Pick<GuardOptions, 'lookup'>,
): SessionAuth {
  const fetchFn = guardedFetch(server, guard)
  const place = { server: server.name, url: credentialUrl(url) }
  const sent = sentTokens()
  let failure: Unavailable | undefined
  const found = async (): Promise<Credential | undefined> => {
    const { credential, findings } = await store.find(place).catch((error: unknown) => {
      throw new Unavailable('failed-to-start', `its stored login cannot be read: ${wordsOf(error, [])}`)
    })
    const [damaged] = findings
    if (credential === undefined && damaged !== undefined) throw loginNeeded(server.name, damaged.message)
    return credential
  }
  const renew = (credential: Credential): Promise<Renewal> =>
    renewed(credential, { store, oauth: server.oauth, fetchFn }).catch((error: unknown) => {
      // The login may be as good as ever: whoever cannot be asked has not refused it.
      throw new Unavailable('failed-to-start', `its login could not be renewed: ${wordsOf(error, [credential])}`)
    })
  return {
    // It does not throw: a transport may lose the error on its way, and our clock may be wrong. A token that seems to
    // have ended is sent all the same, and when the server refuses it, the reason is told then.
    token: async () => {
      failure = undefined
      let token: string | undefined
      try {
        const credential = await found()
        token = credential?.tokens.access
        if (credential !== undefined) token = await usable(credential, server.name, renew)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        failure = error
      }
      if (token !== undefined) sent.note(token)
      return token
    },
    onUnauthorized: async ({ response }) => {
      if (failure !== undefined) throw failure
      const credential = await found()
      const status = `HTTP ${response.status}`
      if (credential === undefined) throw loginNeeded(server.name, `it wants a login (${status})`)
      if (isFresh(credential.tokens) && sent.mayBeOlder(credential.tokens.access)) return
      const renewal = await renew(credential)
      if (renewal.kind === 'refused')
        throw loginNeeded(server.name, `it refused the stored login (${status}), which was not renewed: ${renewal.why}`)
    },
  }
}

/** So long after a token was renewed, an answer may still be to a request that bore the one before. */
const overtakenMs = 10_000

/** Which tokens a session has sent: the answers of the transport do not say which one they refuse. */
function sentTokens() {
  let last: { readonly token: string; readonly since: number; readonly isFirst: boolean } | undefined
  return {
    note: (token: string): void => {
      if (last?.token !== token) last = { token, since: performance.now(), isFirst: last === undefined }
    },
    /** True when what was refused may be a token before this one. Then it is tried before it is renewed. */
    mayBeOlder: (token: string): boolean =>
      last?.token !== token || (!last.isFirst && performance.now() - last.since < overtakenMs),
  }
}

/** The access token of a login, renewed when it is about to end. What is left of a minute is good whatever comes of that. */
async function usable(
  credential: Credential,
  server: string,
  renew: (credential: Credential) => Promise<Renewal>,
): Promise<string> {
  const { tokens } = credential
  if (isFresh(tokens) || (tokens.refresh === undefined && isAlive(tokens))) return tokens.access
  if (tokens.refresh === undefined) throw loginNeeded(server, 'the stored login has ended and cannot be renewed')
  try {
    const renewal = await renew(credential)
    if (renewal.kind === 'renewed') return renewal.credential.tokens.access
    throw loginNeeded(server, `the stored login has ended and was not renewed: ${renewal.why}`)
  } catch (error) {
    if (isAlive(tokens)) return tokens.access
    throw error
  }
}

const loginNeeded = (server: string, what: string): Unavailable =>
  new Unavailable('login-needed', `${printable(what, 300)}; run \`toolgate login ${server}\``)
