// Who a client is: its token says what it may have, its path or header which of that it wants. A credential ends here:
// nothing behind this file ever sees one.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { printable } from '../../core/printable.ts'
import type { ClientIdentity } from '../service.ts'
import type { Refusal } from './refusal.ts'

/** What a credential stands for. */
export interface Grant {
  /** Of whom, for limits and logs; not shown to clients. */
  readonly name: string
  /** The view that is meant where the client names none. */
  readonly view: string
  /** Other views that it may name. Absent or `[]`: none. */
  readonly views?: readonly string[]
  /** Whose folders, sessions and approvals. An id. */
  readonly user: string
}

/** One of the two. The value is never kept. */
export type StaticToken = Grant & ({ readonly sha256: string } | { readonly value: string })

export interface TokenAuth {
  readonly kind: 'tokens'
  readonly tokens: readonly StaticToken[]
  /** Asked about a token that is none of the list, such as a JWT. Undefined: nobody's. */
  readonly verify?: (token: string) => Promise<Grant | undefined>
  /** Where a client learns which authorization server to ask. Absent: it learns nothing. */
  readonly resource?: {
    readonly resource: string
    readonly authorizationServers: readonly string[]
    readonly scopes?: readonly string[]
  }
}

/** Everybody who reaches the endpoint. Any view that the service knows may be named. */
export interface NoAuth {
  readonly kind: 'none'
  readonly view: string
  readonly user: string
}

export type Auth = TokenAuth | NoAuth

export interface Known {
  readonly identity: ClientIdentity
  /** Two requests with the same principal are of the same client as far as sessions are concerned. */
  readonly principal: string
}

export interface Asking {
  /** As the path names it. */
  readonly view: string | undefined
  readonly resourceMetadataUrl: string | undefined
}

export type Identify = (request: IncomingMessage, asking: Asking) => Promise<Known | Refusal>

const digestOf = (value: string): Buffer => createHash('sha256').update(value).digest()

/** Throws a TypeError when a digest is not 64 hex digits. */
export function identifier(auth: Auth): Identify {
  if (auth.kind === 'none') {
    return async (request, { view }) => {
      const wanted = wantedView(request, view)
      if (typeof wanted !== 'string' && wanted !== undefined) return wanted
      return known(request, { name: '', view: wanted ?? auth.view, user: auth.user })
    }
  }
  const tokens = auth.tokens.map((token) => {
    const digest = 'sha256' in token ? Buffer.from(token.sha256, 'hex') : digestOf(token.value)
    if (digest.length !== 32)
      throw new TypeError(`the token "${printable(token.name)}" has no SHA-256 of 64 hex digits`)
    const { name, user, view, views } = token
    const grant: Grant = { name, user, view, ...(views === undefined ? {} : { views }) }
    return { digest, grant }
  })
  return async (request, asking) => {
    const given = bearerOf(request)
    const unknown = unauthenticated(given === undefined ? 'missing' : 'wrong', asking)
    if (given === undefined) return unknown
    // Each digest is compared, and each in constant time: how long it takes tells nothing of any token.
    const digest = digestOf(given)
    let grant: Grant | undefined
    for (const token of tokens) if (timingSafeEqual(token.digest, digest)) grant ??= token.grant
    if (grant === undefined && auth.verify !== undefined) grant = await auth.verify(given).catch(() => undefined)
    if (grant === undefined) return unknown
    const wanted = wantedView(request, asking.view)
    if (typeof wanted !== 'string' && wanted !== undefined) return wanted
    if (wanted !== undefined && wanted !== grant.view && grant.views?.includes(wanted) !== true)
      return { status: 403, word: 'view-not-allowed', message: 'this token does not open the view that is asked for' }
    return known(request, { ...grant, view: wanted ?? grant.view })
  }
}

function bearerOf(request: IncomingMessage): string | undefined {
  const match = /^bearer +([!-~]{1,8192})$/i.exec(request.headers.authorization ?? '')
  return match?.[1]
}

const unauthenticated = (which: 'missing' | 'wrong', { resourceMetadataUrl }: Asking): Refusal => ({
  status: 401,
  word: 'unauthenticated',
  message: which === 'missing' ? 'send a token as "Authorization: Bearer …"' : 'the token is not known here',
  headers: {
    'www-authenticate': [
      'Bearer realm="toolgate"',
      ...(which === 'wrong' ? ['error="invalid_token"'] : []),
      ...(resourceMetadataUrl === undefined ? [] : [`resource_metadata="${resourceMetadataUrl}"`]),
    ].join(', '),
  },
})

function wantedView(request: IncomingMessage, ofPath: string | undefined): string | Refusal | undefined {
  const header = headerOf(request, 'x-toolgate-view')
  if (header !== undefined && ofPath !== undefined && header !== ofPath)
    return {
      status: 400,
      word: 'view-mismatch',
      message: 'the path and the header X-Toolgate-View name different views',
    }
  return ofPath ?? header
}

function known(request: IncomingMessage, grant: Grant): Known | Refusal {
  const thread = headerOf(request, 'x-toolgate-thread')
  if (thread !== undefined && !isId(thread))
    return { status: 400, word: 'invalid-id', message: 'X-Toolgate-Thread is not 1 to 64 letters, digits, _ and -' }
  const { name, user, view } = grant
  return {
    identity: { view, user, ...(thread === undefined ? {} : { thread }) },
    principal: JSON.stringify([name, user, view]),
  }
}

export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What a thread may be called. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)
