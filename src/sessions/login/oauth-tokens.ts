// What goes to an authorization server and comes back from one: the client, the tokens, and its words when it refuses.

import { OAuthError, type OAuthTokens, type StoredOAuthClientInformation } from '@modelcontextprotocol/client'
import type { OauthConfig } from '../../config/config.ts'
import { redactor } from '../../config/redact.ts'
import { printable } from '../../core/printable.ts'
import { type Credential, isCarriable, type StoredClient, type StoredTokens } from './oauth-credential.ts'

/**
 * The client that a login was given to, bound to its issuer. Nothing when the configuration names another client by
 * now: no token of one client is offered in the name of another.
 */
export function clientOf(
  { client, issuer }: Pick<Credential, 'client' | 'issuer'>,
  oauth: OauthConfig | undefined,
): StoredOAuthClientInformation | undefined {
  if (client.from === 'registration') return registered(client, issuer)
  return oauth?.clientId === client.id ? configuredClient(oauth, issuer) : undefined
}

/** The client that an operator registered by hand, if the configuration has one. */
export function configuredClient(
  oauth: OauthConfig | undefined,
  issuer: string,
): StoredOAuthClientInformation | undefined {
  if (oauth?.clientId === undefined) return undefined
  const { clientId, clientSecret } = oauth
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), issuer }
}

const registered = ({ id, secret, authMethod }: StoredClient, issuer: string): StoredOAuthClientInformation => ({
  client_id: id,
  ...(secret === undefined ? {} : { client_secret: secret }),
  ...(authMethod === undefined ? {} : { token_endpoint_auth_method: authMethod }),
  issuer,
})

/** A year: who says more has not said when a token ends. */
const expiryMsMax = 365 * 24 * 3600 * 1000

/**
 * The tokens of an answer, as they are stored; what it leaves out stays as it was. Throws an Error with printable
 * words when they cannot be used: another type than Bearer, or characters that no header carries.
 */
export function storedTokens(answer: OAuthTokens, before?: StoredTokens): StoredTokens {
  const { access_token, refresh_token, token_type, expires_in, scope = before?.scope } = answer
  if (token_type.toLowerCase() !== 'bearer')
    throw new Error(`the authorization server gave a token of the type "${printable(token_type, 40)}", not Bearer`)
  if (!isCarriable(access_token)) throw new Error('the authorization server gave a token that no header can carry')
  const refresh = refresh_token ?? before?.refresh
  const now = Date.now()
  const lastsMs = expires_in === undefined ? Number.NaN : expires_in * 1000
  return {
    access: access_token,
    ...(refresh === undefined ? {} : { refresh }),
    ...(scope === undefined || scope === '' ? {} : { scope }),
    ...(lastsMs >= 0 && lastsMs <= expiryMsMax ? { expiresAt: new Date(now + lastsMs).toISOString() } : {}),
    givenAt: new Date(now).toISOString(),
  }
}

/** A stranger's words as one short printable line, without any secret that was sent to them or came from them. */
export function wordsOf(error: unknown, secrets: readonly (Credential | string | undefined)[]): string {
  const known = secrets.flatMap((secret) => {
    if (secret === undefined || typeof secret === 'string') return secret === undefined ? [] : [secret]
    return [secret.tokens.access, secret.tokens.refresh, secret.client.secret].filter((text) => text !== undefined)
  })
  // Schema faults are lists of many lines that tell people nothing.
  if (error instanceof Error && error.name === 'ZodError') return 'an answer that is not of the form that OAuth gives'
  const text = error instanceof Error ? error.message : String(error)
  const code = error instanceof OAuthError ? error.code : undefined
  const words = code === undefined || text.startsWith(code) ? text : `${code}: ${text}`
  return printable(redactor(known)(words), 200)
}
