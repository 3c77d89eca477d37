// A remote server that wants a login, and the authorization server that gives one, both on loopback: real HTTP, PKCE
// checked, each refresh token good for one use. What they are asked is kept, so that a test can say what was not sent.

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServerConfig } from '../../src/config/config.ts'
import { bareEntry } from '../sources/server-entry.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a test may change while the world runs. */
export interface WorldPlan {
  /** Seconds that an access token is good for. Absent: nobody says. */
  expiresIn?: number
  /** False: no refresh tokens are given. */
  gives?: boolean
  /** The person's answer. Absent: yes. */
  consent?: 'yes' | 'no'
  /** Laid over the address that the browser is sent back to. */
  onReturn?: (back: URL) => void
  /** Laid over the metadata of the authorization server. */
  metadata?: Readonly<Record<string, unknown>>
  /** Laid over the metadata of the resource. */
  resource?: Readonly<Record<string, unknown>>
  /** Answers a request to the token endpoint; nothing leaves it to the usual way. */
  onToken?: (form: URLSearchParams) => Reply | undefined
  /** Milliseconds before the token endpoint answers. */
  tokenDelayMs?: number
  /** Milliseconds before the MCP server refuses a request. */
  refusalDelayMs?: () => number
  /** False: the MCP server lets everybody in. */
  protects?: boolean
  /** Bearer tokens that are good beside those that were given. */
  alsoGood?: string
}

export interface World {
  readonly plan: WorldPlan
  readonly url: string
  readonly issuer: string
  /** What the authorization server was asked. */
  readonly asked: readonly Asked[]
  /** What the MCP server was asked. */
  readonly called: readonly Asked[]
  /** How often a refresh token was offered. */
  readonly refreshes: () => number
  /** Ends every access token that was given, and every refresh token too when `all`. */
  readonly revoke: (all?: boolean) => void
  readonly close: () => Promise<void>
}

interface Grant {
  readonly client: string
  readonly challenge: string
  readonly redirectUri: string
}

interface Client {
  /** Absent: any. */
  readonly redirectUris?: readonly string[]
  readonly secret?: string
}

export const toolNames = ['search', 'fetch', 'notes']

/** A client that an operator registered by hand. */
export const byHand = { clientId: 'by-hand', clientSecret: 'hand-made-secret' }

export async function world(plan: WorldPlan = {}): Promise<World> {
  const asked: Asked[] = []
  const called: Asked[] = []
  const clients = new Map<string, Client>([[byHand.clientId, { secret: byHand.clientSecret }]])
  const grants = new Map<string, Grant>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  let refreshes = 0

  const authority = answering(asked, (about) => answer(about))
  const issuer = await listening(authority)
  const resource = answering(called, (about) => serve(about))
  const home = await listening(resource)
  const url = `${home}/mcp`

  const tokens = (): Reply => {
    const given = { access_token: secret('access'), refresh_token: secret('refresh') }
    access.add(given.access_token)
    if (plan.gives !== false) refresh.add(given.refresh_token)
    return {
      status: 200,
      body: {
        token_type: 'Bearer',
        access_token: given.access_token,
        ...(plan.gives === false ? {} : { refresh_token: given.refresh_token }),
        ...(plan.expiresIn === undefined ? {} : { expires_in: plan.expiresIn }),
        scope: 'read',
      },
    }
  }

  const token = async (about: Asked): Promise<Reply> => {
    await new Promise((resolve) => setTimeout(resolve, plan.tokenDelayMs ?? 0))
    const form = new URLSearchParams(about.body)
    const other = plan.onToken?.(form)
    if (other !== undefined) return other
    const client = clientIn(about, form)
    const known = clients.get(client.id)
    if (known === undefined || known.secret !== client.secret) return { status: 401, body: { error: 'invalid_client' } }
    if (form.get('resource') !== url) return { status: 400, body: { error: 'invalid_target' } }
    if (form.get('grant_type') === 'authorization_code') {
      const grant = grants.get(form.get('code') ?? '')
      grants.delete(form.get('code') ?? '')
      const verifier = createHash('sha256').update(form.get('code_verifier') ?? '')
      const fits =
        grant !== undefined &&
        grant.client === client.id &&
        grant.redirectUri === form.get('redirect_uri') &&
        verifier.digest('base64url') === grant.challenge
      return fits ? tokens() : { status: 400, body: { error: 'invalid_grant' } }
    }
    const given = form.get('refresh_token') ?? ''
    refreshes += 1
    if (!refresh.delete(given)) {
      // A token that comes twice was stolen: nobody keeps the login.
      refresh.clear()
      access.clear()
      return { status: 400, body: { error: 'invalid_grant', error_description: `no such token: ${given}` } }
    }
    access.clear()
    return tokens()
  }

  const authorize = (about: Asked): Reply => {
    const { searchParams } = new URL(about.path, issuer)
    const redirectUri = searchParams.get('redirect_uri') ?? ''
    const client = clients.get(searchParams.get('client_id') ?? '')
    const fits = client !== undefined && client.redirectUris?.includes(redirectUri) !== false
    if (!fits || searchParams.get('code_challenge_method') !== 'S256')
      return { status: 400, body: { error: 'invalid_request' } }
    const back = new URL(redirectUri)
    back.searchParams.set('state', searchParams.get('state') ?? '')
    back.searchParams.set('iss', issuer)
    if (plan.consent === 'no') {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'not \u001b[31mtoday')
    } else {
      const code = secret('code')
      const challenge = searchParams.get('code_challenge') ?? ''
      grants.set(code, { client: searchParams.get('client_id') ?? '', challenge, redirectUri })
      back.searchParams.set('code', code)
    }
    plan.onReturn?.(back)
    return { status: 302, headers: { location: back.href } }
  }

  const register = (about: Asked): Reply => {
    const wanted = JSON.parse(about.body) as Record<string, unknown>
    const wantsSecret = wanted.token_endpoint_auth_method !== 'none'
    const client = { client_id: secret('client'), ...(wantsSecret ? { client_secret: secret('secret') } : {}) }
    clients.set(client.client_id, {
      redirectUris: wanted.redirect_uris as string[],
      ...(client.client_secret === undefined ? {} : { secret: client.client_secret }),
    })
    return { status: 201, body: { ...wanted, ...client } }
  }

  const answer = (about: Asked): Reply | Promise<Reply> => {
    const { pathname } = new URL(about.path, issuer)
    if (pathname === '/.well-known/oauth-authorization-server')
      return { status: 200, body: { ...metadataOf(issuer), ...plan.metadata } }
    if (pathname === '/register' && about.method === 'POST') return register(about)
    if (pathname === '/authorize') return authorize(about)
    if (pathname === '/token' && about.method === 'POST') return token(about)
    return { status: 404 }
  }

  const serve = async (about: Asked): Promise<Reply> => {
    const { pathname } = new URL(about.path, home)
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return {
        status: 200,
        body: { resource: url, authorization_servers: [issuer], scopes_supported: ['read'], ...plan.resource },
      }
    if (pathname !== '/mcp') return { status: 404 }
    const bearer = /^Bearer (.*)$/.exec(about.headers.authorization ?? '')?.[1] ?? ''
    if (plan.protects !== false && !access.has(bearer) && bearer !== (plan.alsoGood ?? ' ')) {
      await new Promise((resolve) => setTimeout(resolve, plan.refusalDelayMs?.() ?? 0))
      const where = `${home}/.well-known/oauth-protected-resource/mcp`
      return { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${where}", scope="read"` } }
    }
    return about.method === 'POST' ? speak(about) : { status: 405 }
  }

  return {
    plan,
    url,
    issuer,
    asked,
    called,
    refreshes: () => refreshes,
    revoke: (all = false) => {
      access.clear()
      if (all) refresh.clear()
    },
    close: async () => {
      await Promise.all([closed(authority), closed(resource)])
    },
  }
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
  authorization_response_iss_parameter_supported: true,
})

/** The smallest MCP server: a handshake and a list. */
function speak(about: Asked): Reply {
  const { id, method, params } = JSON.parse(about.body) as {
    readonly id?: unknown
    readonly method: string
    readonly params?: { readonly protocolVersion?: string }
  }
  if (id === undefined) return { status: 202 }
  const result = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'behind-a-login', version: '1' },
    },
    'tools/list': { tools: toolNames.map((name) => ({ name, inputSchema: { type: 'object' } })) },
  }[method]
  const error = { code: -32601, message: 'no such method' }
  return { status: 200, body: { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) } }
}

function clientIn(about: Asked, form: URLSearchParams): { readonly id: string; readonly secret?: string } {
  const basic = /^Basic (.*)$/.exec(about.headers.authorization ?? '')?.[1]
  const [id, secret] =
    basic === undefined
      ? [form.get('client_id'), form.get('client_secret')]
      : Buffer.from(basic, 'base64').toString().split(':')
  return { id: id ?? '', ...(secret === null || secret === undefined ? {} : { secret }) }
}

const secret = (kind: string): string => `${kind}-${randomBytes(12).toString('hex')}`

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: none. A text goes out as it is, everything else as JSON. */
  readonly body?: unknown
}

/** A server that keeps what it is asked and answers as it is told; it does not listen yet. */
export function answering(into: Asked[], reply: (about: Asked) => Reply | Promise<Reply>): Server {
  return createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = '', url = '', headers } = request
    const about = { method, path: url, headers, body: Buffer.concat(parts).toString('utf8') }
    into.push(about)
    const { status, body, headers: more } = await reply(about)
    response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more })
    response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
  })
}

/** Starts a server on loopback; gives its origin. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** Everything that a request carried, as one text. */
export const allOf = (requests: readonly Asked[]): string => JSON.stringify(requests)

/** A remote server as the configuration gives it. */
export const remote = (url: string, more: Partial<McpServerConfig> = {}): McpServerConfig =>
  bareEntry('docs', { transport: 'http', url, ...more })

/** A browser that follows where it is sent; gives the page at the end. */
export const browse = async (address: string): Promise<{ readonly status: number; readonly page: string }> => {
  const response = await fetch(address)
  return { status: response.status, page: await response.text() }
}
