// A request at the path of MCP: who it is of, whether there is room for it, and to which revision its message belongs.

import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  classifyInboundRequest,
  isJsonContentType,
  type JSONRPCMessage,
  type JSONRPCRequest,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server'
import type { Json } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { readBody } from './body.ts'
import { metadataUrl } from './documents.ts'
import { headerFault } from './headers-agree.ts'
import type { LegacyHttp, LegacyRequest } from './legacy-http.ts'
import type { HttpLimits } from './limits.ts'
import type { ModernHttp } from './modern-http.ts'
import { modernVersion } from './protocol-server.ts'
import { isRefusal, methodNotAllowed, type Refusal } from './refusal.ts'
import { type Traffic, traffic } from './traffic.ts'
import { type Auth, headerOf, type Identify, identifier, type Known } from './who.ts'

export interface McpSpec {
  readonly auth: Auth
  readonly limits: HttpLimits
  readonly legacy: LegacyHttp
  readonly modern: ModernHttp
}

export interface McpRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As the path names it. */
  readonly view: string | undefined
}

/** Serves requests; gives why one is not served. Throws a TypeError for a token that cannot be read. */
export function mcpRoute(spec: McpSpec): (given: McpRequest) => Promise<Refusal | undefined> {
  const whole = { ...spec, identify: identifier(spec.auth), load: traffic(spec.limits) }
  return (given) => served(given, whole)
}

async function served(
  { request, response, view }: McpRequest,
  spec: McpSpec & { readonly identify: Identify; readonly load: Traffic },
): Promise<Refusal | undefined> {
  const { auth, identify, legacy, load } = spec
  const verbs = ['POST', 'GET', 'DELETE']
  if (!verbs.includes(request.method ?? '')) return methodNotAllowed(verbs)
  const known = await identify(request, { view, resourceMetadataUrl: metadataUrl(auth, request) })
  if (isRefusal(known)) return known
  const session = legacy.sessionOf(request, known)
  if (isRefusal(session)) return session
  const leave = load.enter(session?.id ?? clientOf(auth, known, request))
  if (isRefusal(leave)) return leave
  const given = { request, response, known }
  // A request is over when its answer is, whichever way that came.
  response.once('close', leave)
  if (request.method === 'POST') return posted(given, spec)
  if (request.method === 'DELETE') return legacy.delete(given)
  if (!accepts(request, 'text/event-stream')) return notAcceptable('text/event-stream')
  return legacy.get(given)
}

async function posted(given: LegacyRequest, { legacy, limits, modern }: McpSpec): Promise<Refusal | undefined> {
  const { known, request, response } = given
  const fault = mediaFault(request)
  if (fault !== undefined) return fault
  const body = await readBody(request, limits)
  if (isRefusal(body)) return body
  const { value } = body
  if (Array.isArray(value))
    return { status: 400, code: -32600, word: 'batch', message: '-32600, one message in a request' }
  const disagreement = headerFault(request, value, false)
  if (disagreement !== undefined) return { ...disagreement, ...idOf(value) }
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: value,
    ...headers(request),
  })
  if (route.kind === 'reject') {
    const { code, data, httpStatus, message } = route
    const more = data === undefined ? {} : { data: data as Json }
    return {
      status: httpStatus,
      code,
      word: 'invalid-request',
      message: `${code}, ${message}`,
      ...more,
      ...idOf(value),
    }
  }
  if (route.kind === 'legacy') return legacy.post(value as JSONRPCMessage, given)
  const missing = headerFault(request, value, route.messageKind === 'request')
  if (missing !== undefined) return { ...missing, ...idOf(value) }
  if (route.classification.revision !== modernVersion) return unsupported(route.classification.revision, value)
  if (route.messageKind === 'notification') {
    response.writeHead(202, { 'content-length': 0 }).end()
    return undefined
  }
  await modern.serve(response, {
    message: value as JSONRPCRequest,
    classification: route.classification,
    known,
    thread: `client-${createHash('sha256').update(known.principal).digest('hex').slice(0, 32)}`,
  })
  return undefined
}

const headers = (request: IncomingMessage) => {
  const [version, method, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((one) =>
    headerOf(request, one),
  )
  return {
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
    ...(name === undefined ? {} : { mcpNameHeader: name }),
  }
}

function unsupported(requested: string | undefined, body: unknown): Refusal {
  const { code, data, message } = new UnsupportedProtocolVersionError({
    supported: [modernVersion],
    requested: printable(requested ?? 'unknown', 40),
  })
  return { status: 400, code, word: 'unsupported-version', message, data: data as Json, ...idOf(body) }
}

/** So that an error can be matched by its client. */
const idOf = (body: unknown): { readonly id?: Json } => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? { id } : {}
}

/** Without tokens there is nothing to tell clients apart by but their connections. */
const clientOf = (auth: Auth, known: Known, { socket }: IncomingMessage): string =>
  auth.kind === 'tokens' ? known.principal : `${socket.remoteAddress}:${socket.remotePort}`

function mediaFault(request: IncomingMessage): Refusal | undefined {
  if (!isJsonContentType(request.headers['content-type'] ?? null))
    return { status: 415, word: 'content-type', message: 'the content-type of a message is application/json' }
  for (const type of ['application/json', 'text/event-stream']) if (!accepts(request, type)) return notAcceptable(type)
  return undefined
}

const accepts = (request: IncomingMessage, type: string): boolean => {
  const accepted = (request.headers.accept ?? '*/*').split(',').map((one) => one.split(';', 1)[0]?.trim().toLowerCase())
  return accepted.includes(type) || accepted.includes('*/*') || accepted.includes(`${type.split('/', 1)[0]}/*`)
}

const notAcceptable = (type: string): Refusal => ({
  status: 406,
  word: 'not-acceptable',
  message: `the header Accept leaves out ${type}`,
})
