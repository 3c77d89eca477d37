// What a stored login is. Times are absolute, so that a file says the same to whoever reads it later.

/** Where a login belongs. */
export interface CredentialPlace {
  /** Name in the configuration. */
  readonly server: string
  /** The address that the access token is for, and the only one that it is sent to (`credentialUrl`). */
  readonly url: string
  /** The authorization server, by its own metadata. The refresh token and the client go there and nowhere else. */
  readonly issuer: string
}

export interface Credential extends CredentialPlace {
  /** The resource as the server's metadata writes it (RFC 8707). Absent: the server has no such metadata. */
  readonly resource?: string
  readonly client: StoredClient
  readonly tokens: StoredTokens
  /** ISO 8601: when a person logged in. Renewing leaves it. */
  readonly loggedInAt: string
}

export interface StoredClient {
  readonly id: string
  /** Only of a client that was registered for this login; that of a configured client stays in the configuration. */
  readonly secret?: string
  /** How it proves itself, when the registration said so. */
  readonly authMethod?: string
  readonly from: 'configuration' | 'registration'
}

export interface StoredTokens {
  readonly access: string
  /** Absent: the login ends with the access token. */
  readonly refresh?: string
  readonly scope?: string
  /** ISO 8601. Absent: nobody said. */
  readonly expiresAt?: string
  /** ISO 8601: when the access token was given. Absent: nobody knows. */
  readonly givenAt?: string
}

/** A token that ends within this time is renewed before it is used. */
const renewBeforeMs = 60_000
/** Of a token that is given for minutes only, this share: it would be renewed for every request otherwise. */
const renewBeforeShare = 1 / 4

/** True while the access token may be sent without renewing it first. */
export function isFresh({ expiresAt, givenAt }: StoredTokens): boolean {
  if (expiresAt === undefined) return true
  const lastsMs = givenAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.parse(givenAt)
  const marginMs = Math.min(renewBeforeMs, Math.max(0, lastsMs) * renewBeforeShare)
  return Date.parse(expiresAt) - Date.now() > marginMs
}

/** True until the access token ends. */
export const isAlive = ({ expiresAt }: StoredTokens): boolean =>
  expiresAt === undefined || Date.parse(expiresAt) > Date.now()

/** The URL of a server as a login knows it: in the one form that the parser gives it, without a fragment. */
export function credentialUrl(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

/**
 * A token or client secret that a header or form can carry. An authorization server that sent a line break in one would
 * otherwise have it told in the error of whoever builds the header.
 */
export const isCarriable = (text: string): boolean => /^[\x21-\x7e]{1,32768}$/.test(text)

const schema = 'toolgate.credential/1'

export const credentialText = (credential: Credential): string => `${JSON.stringify({ schema, ...credential })}\n`

/** A stored login, or what is wrong with the text; the words hold nothing of it. */
export function parsedCredential(text: string): Credential | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is torn'
  }
  const from = fieldsOf(value)
  if (from.schema !== schema) return `it does not say "${schema}"`
  const { server, url, issuer, resource, loggedInAt } = from
  const client = fieldsOf(from.client)
  const tokens = fieldsOf(from.tokens)
  if (!isText(server) || !isText(url) || !isText(issuer) || !isTime(loggedInAt)) return 'it is no login'
  if (!isText(client.id) || !isText(tokens.access) || !isCarriable(tokens.access)) return 'it is no login'
  return {
    server,
    url,
    issuer,
    ...(isText(resource) ? { resource } : {}),
    client: {
      id: client.id,
      ...(isText(client.secret) ? { secret: client.secret } : {}),
      ...(isText(client.authMethod) ? { authMethod: client.authMethod } : {}),
      from: client.from === 'registration' ? 'registration' : 'configuration',
    },
    tokens: {
      access: tokens.access,
      ...(isText(tokens.refresh) ? { refresh: tokens.refresh } : {}),
      ...(isText(tokens.scope) ? { scope: tokens.scope } : {}),
      ...(isTime(tokens.expiresAt) ? { expiresAt: tokens.expiresAt } : {}),
      ...(isTime(tokens.givenAt) ? { givenAt: tokens.givenAt } : {}),
    },
    loggedInAt,
  }
}

type Fields = { readonly [key: string]: unknown }

const fieldsOf = (value: unknown): Fields => (value !== null && typeof value === 'object' ? (value as Fields) : {})

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 30 && !Number.isNaN(Date.parse(value))
