// Renewing a login, once however many sessions and processes notice that it is time: an authorization server that
// gives a new refresh token each time takes the second use of the old one for theft, and ends the login.
//
//   in this process   all wait for one renewal of a place
//   across processes  one holds the lock; the next one reads what the first one stored
//   all the same      after a refusal the file is read again: somebody may have renewed it without us seeing

import {
  discoverAuthorizationServerMetadata,
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
} from '@modelcontextprotocol/client'
import type { OauthConfig } from '../../config/config.ts'
import type { CredentialStore } from './credential-store.ts'
import { type Credential, type CredentialPlace, isFresh } from './oauth-credential.ts'
import { whileAlone } from './oauth-lock.ts'
import { clientOf, storedTokens, wordsOf } from './oauth-tokens.ts'

export type Renewal =
  | { readonly kind: 'renewed'; readonly credential: Credential }
  /** A person has to log in again; `why` is printable. */
  | { readonly kind: 'refused'; readonly why: string }

export interface RenewOptions {
  readonly store: CredentialStore
  readonly oauth: OauthConfig | undefined
  /** For every request; see guarded-fetch.ts. */
  readonly fetchFn: FetchLike
}

const underWay = new Map<string, Promise<Renewal>>()

/**
 * A login that is not the stale one: renewed by us, or found renewed by somebody else. The refresh token goes to the
 * token endpoint that the login's own issuer names today, whatever the server says of its issuers by now. Rejects when
 * nobody can be asked (GuardedFetchError), another process is at it for too long (LockHeld), or nothing can be stored.
 */
export function renewed(stale: Credential, options: RenewOptions): Promise<Renewal> {
  const key = options.store.lockOf(stale)
  const running = underWay.get(key)
  if (running !== undefined) return running
  const renewal = whileAlone(key, () => renewedAlone(stale, options))
  underWay.set(key, renewal)
  const done = (): void => void underWay.delete(key)
  renewal.then(done, done)
  return renewal
}

async function renewedAlone(stale: Credential, options: RenewOptions): Promise<Renewal> {
  const { store, oauth, fetchFn } = options
  const current = await store.read(stale)
  if (current === undefined) return { kind: 'refused', why: 'it was removed' }
  if (isOther(current, stale) && isFresh(current.tokens)) return { kind: 'renewed', credential: current }
  const { refresh } = current.tokens
  if (refresh === undefined) return { kind: 'refused', why: 'it cannot be renewed' }
  const client = clientOf(current, oauth)
  if (client === undefined) return { kind: 'refused', why: 'the client_id of the configuration is another one now' }
  const metadata = await discoverAuthorizationServerMetadata(current.issuer, { fetchFn })
  if (metadata === undefined) throw new Error(`${current.issuer} has no metadata of an authorization server any more`)
  try {
    const answer = await refreshAuthorization(current.issuer, {
      metadata,
      clientInformation: client,
      refreshToken: refresh,
      ...(current.resource === undefined ? {} : { resource: current.resource }),
      fetchFn,
    })
    // Whoever removed the login in the meantime wants it gone.
    if ((await store.read(stale)) === undefined) return { kind: 'refused', why: 'it was removed' }
    const credential = { ...current, tokens: storedTokens(answer, current.tokens) }
    await store.write(credential)
    return { kind: 'renewed', credential }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    if (!saysNo.has(error.code)) throw new Error(wordsOf(error, [current, client.client_secret]))
    return afterRefusal(error, current, options)
  }
}

/** Answers that stay the same however often the same question is asked (RFC 6749 §5.2). */
const saysNo: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
  OAuthErrorCode.UnsupportedGrantType,
  OAuthErrorCode.InvalidScope,
])

async function afterRefusal(error: OAuthError, tried: Credential, { store }: RenewOptions): Promise<Renewal> {
  const current = await store.read(tried)
  if (current !== undefined && isOther(current, tried) && isFresh(current.tokens))
    return { kind: 'renewed', credential: current }
  // A dead token is not offered again and again. Any other refusal may be mended in the configuration.
  if (error.code === OAuthErrorCode.InvalidGrant && current?.tokens.refresh === tried.tokens.refresh) {
    const { refresh: _dead, ...tokens } = tried.tokens
    await store.write({ ...tried, tokens })
  }
  return { kind: 'refused', why: wordsOf(error, [tried]) }
}

const isOther = (one: CredentialPlace & Pick<Credential, 'tokens'>, other: Credential): boolean =>
  one.tokens.access !== other.tokens.access
