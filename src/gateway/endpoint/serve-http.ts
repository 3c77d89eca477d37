// The gateway over HTTP. Nothing of a request is read before it is known where it comes from, and nothing of its body
// before it is known from whom.
//
//   Host, Origin ─▶ path ─▶ token ─▶ rate ─▶ body ─▶ headers agree ─▶ 2025 revisions │ 2026-07-28

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { printable } from '../../core/printable.ts'
import { finding, ToolgateError } from '../../errors.ts'
import type { GatewayService } from '../service.ts'
import { documentAt } from './documents.ts'
import { legacyHttp } from './legacy-http.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { mcpRoute } from './mcp-route.ts'
import { modernHttp } from './modern-http.ts'
import { parking } from './parking.ts'
import { foreignness, isLoopback, reachOf } from './reach.ts'
import { methodNotAllowed, type Refusal, refuse, sendJson } from './refusal.ts'
import { type Auth, isId } from './who.ts'

export interface HttpEndpointSpec {
  readonly service: GatewayService
  readonly auth: Auth
  /** Absent: 127.0.0.1. Others than loopback need tokens. */
  readonly host?: string
  /** 0: a free one. */
  readonly port: number
  /** Absent: `/mcp`. */
  readonly path?: string
  /** Names in `Host` beside those of loopback and `host`, without port. */
  readonly allowedHosts?: readonly string[]
  /** Names in `Origin`, likewise. */
  readonly allowedOrigins?: readonly string[]
  /** Absent members: `defaultLimits`. */
  readonly limits?: Partial<HttpLimits>
  readonly signal?: AbortSignal
  /** Errors that are nobody's answer. Absent: they are dropped. */
  readonly report?: (error: unknown) => void
}

export interface HttpEndpoint {
  readonly url: string
  readonly port: number
  /** Ends streams and sessions, and calls off what runs. Resolves when nothing of it is left. */
  readonly close: () => Promise<void>
}

/**
 * Listens. Rejects with a ToolgateError: `serve-unprotected` for an address that others reach without tokens,
 * `serve-address` where it cannot be listened at. Throws a TypeError for a token that cannot be read.
 */
export async function serveHttp(spec: HttpEndpointSpec): Promise<HttpEndpoint> {
  const { auth, host = '127.0.0.1', path = '/mcp', service } = spec
  if (auth.kind === 'none' && !isLoopback(host)) throw unprotected(host)
  const limits: HttpLimits = { ...defaultLimits, ...spec.limits }
  const report = spec.report ?? (() => {})
  const reach = reachOf({ host, allowedHosts: spec.allowedHosts, allowedOrigins: spec.allowedOrigins })
  const legacy = legacyHttp({ service, limits, report })
  const modern = modernHttp({ service, limits, parking: parking(limits), report })
  const serve = mcpRoute({ auth, limits, legacy, modern })
  let isEnding = false

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> => {
    const foreign = foreignness(request, reach)
    if (foreign !== undefined) return foreign
    const target = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const document = documentAt(target, { auth, path, service })
    if (document !== undefined && !isRead) return methodNotAllowed(['GET', 'HEAD'])
    if (document !== undefined) {
      sendJson(response, document.status, { body: document.body })
      return undefined
    }
    const view = target === path ? undefined : viewIn(target, path)
    if (target !== path && view === undefined)
      return { status: 404, word: 'not-found', message: '404, there is nothing at this path' }
    if (isEnding) return { status: 503, word: 'ending', message: 'the endpoint is ending' }
    return serve({ view, request, response })
  }

  const server = httpServer(limits, answer, report)
  const port = await listening(server, host, spec.port)

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= (async () => {
      isEnding = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.all([legacy.close(), modern.close()])
      server.closeIdleConnections()
      // Answers that are written get out; who does not read them does not hold the end up.
      const patience = setTimeout(() => server.closeAllConnections(), 500)
      await closed
      clearTimeout(patience)
      spec.signal?.removeEventListener('abort', stop)
    })()
    return closing
  }
  const stop = () => void close()
  spec.signal?.addEventListener('abort', stop, { once: true })
  if (spec.signal?.aborted === true) await close()
  const shown = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return { url: `http://${shown}:${port}${path}`, port, close }
}

function viewIn(target: string, path: string): string | undefined {
  const rest = target.startsWith(`${path}/`) ? target.slice(path.length + 1) : ''
  return isId(rest) ? rest : undefined
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<Refusal | undefined>

function httpServer(limits: HttpLimits, answer: Answer, report: (error: unknown) => void): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.receiveMs,
      // The body has a clock of its own, which answers before it hangs up.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(limits.receiveMs, 5000),
      keepAliveTimeout: 30_000,
    },
    (request, response) => {
      response.on('error', () => {})
      answer(request, response).then(
        (refusal) => {
          if (refusal !== undefined) refuse(request, response, refusal)
        },
        (error: unknown) => {
          if (request.destroyed && !request.complete) return
          report(error)
          refuse(request, response, { status: 500, code: -32603, word: 'internal-error', message: 'Internal error' })
        },
      )
    },
  )
  server.maxConnections = limits.connections
  // Node has said what is wrong, or there is nobody to tell.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    else socket.destroy()
  })
  return server
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      reject(
        new ToolgateError(
          finding(
            'serve-address',
            'error',
            `${printable(host)} port ${port} cannot be listened at: ${error.code ?? error.message}`,
          ),
        ),
      )
    server.once('error', failed)
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      server.off('error', failed)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

const unprotected = (host: string): ToolgateError =>
  new ToolgateError(
    finding('serve-unprotected', 'error', `others reach ${printable(host)}, and no token is asked for`, {
      hint: 'configure tokens for clients, or listen at 127.0.0.1',
    }),
  )
