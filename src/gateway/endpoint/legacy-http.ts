// The 2025 revisions over HTTP: sessions by their id, and requests outside of any session, which are served one by one.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server'
import { type GatewayService, WireError } from '../service.ts'
import { type LegacySession, legacySession } from './legacy-session.ts'
import type { HttpLimits } from './limits.ts'
import { OneRequestTransport } from './one-request.ts'
import { errorBody, outcomes, protocolServer, reachingOut, wireErrorOf } from './protocol-server.ts'
import { type Refusal, safeHeaders, sendJson } from './refusal.ts'
import { reply } from './reply.ts'
import { headerOf, type Known } from './who.ts'

export interface LegacyHttp {
  /** A message by POST. Resolves when it is taken or served; gives why it is not. */
  readonly post: (message: JSONRPCMessage, given: LegacyRequest) => Promise<Refusal | undefined>
  readonly get: (given: LegacyRequest) => Refusal | undefined
  readonly delete: (given: LegacyRequest) => Promise<Refusal | undefined>
  /** The session that a request names, if the client may have it. */
  readonly sessionOf: (request: IncomingMessage, known: Known) => LegacySession | Refusal | undefined
  readonly close: () => Promise<void>
}

export interface LegacyRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly known: Known
}

interface LegacySpec {
  readonly service: GatewayService
  readonly limits: HttpLimits
  readonly report: (error: unknown) => void
}

interface Held {
  readonly session: LegacySession
  /** Milliseconds of the clock at which it was last used. */
  at: number
}

export function legacyHttp(spec: LegacySpec): LegacyHttp {
  const { limits, report, service } = spec
  const sessions = new Map<string, Held>()
  /** Sessions that are being opened count as well. */
  let opening = 0
  const ending = new Set<Promise<void>>()
  /** Requests outside of a session. */
  const singles = new Set<OneRequestTransport>()
  let isClosing = false

  const end = (session: LegacySession): Promise<void> => {
    sessions.delete(session.id)
    const over: Promise<void> = session
      .close()
      .catch(report)
      .finally(() => ending.delete(over))
    ending.add(over)
    return over
  }
  const sweep = () => {
    const old = performance.now() - limits.sessionIdleMs
    for (const held of sessions.values()) {
      if (!held.session.isIdle()) held.at = performance.now()
      else if (held.at <= old) void end(held.session)
    }
  }
  const sweeper = setInterval(sweep, Math.max(10, Math.min(limits.sessionIdleMs / 4, 60_000))).unref()

  /** A client may push out what it has left lying about itself, never what belongs to another. */
  const makeRoom = (principal: string): boolean => {
    if (sessions.size + opening < limits.sessions) return true
    const own = [...sessions.values()].filter(({ session }) => session.principal === principal && session.isIdle())
    const oldest = own.sort((one, other) => one.at - other.at)[0]
    if (oldest === undefined) return false
    void end(oldest.session)
    return true
  }

  const initialize = async (message: JSONRPCRequest, { known, response }: LegacyRequest) => {
    if (!makeRoom(known.principal))
      return {
        status: 503,
        word: 'sessions-full',
        message: 'as many sessions are open as may be',
        headers: { 'retry-after': '10' },
      }
    opening += 1
    try {
      const session = await legacySession({
        service,
        limits,
        known,
        message,
        report,
        onClosed: () => sessions.delete(session.id),
      })
      if (response.destroyed || isClosing) void end(session)
      else {
        sessions.set(session.id, { session, at: performance.now() })
        return session.receive(message, response)
      }
    } finally {
      opening -= 1
    }
    return undefined
  }

  const single = async (message: JSONRPCRequest, { known, response }: LegacyRequest) => {
    const session = await service.open({
      ...known.identity,
      era: 'legacy',
      capabilities: {},
      ...reachingOut('legacy', {}, () => undefined),
    })
    const kept = outcomes()
    const server = protocolServer({ session, report, era: { kind: 'legacy', outcomes: kept, capabilities: {} } })
    const transport = new OneRequestTransport(reply(response, limits), {
      classification: { era: 'legacy' },
      outcomes: kept,
    })
    const over = new Promise<void>((resolve) => {
      server.onclose = resolve
    })
    singles.add(transport)
    const left: Promise<void> = over
      .then(() => session.close())
      .catch(report)
      .finally(() => {
        singles.delete(transport)
        ending.delete(left)
      })
    ending.add(left)
    await server.connect(transport)
    if (response.destroyed || isClosing) await transport.close()
    else transport.deliver(message)
    await over
  }

  const sessionOf = (request: IncomingMessage, known: Known) => {
    const id = headerOf(request, 'mcp-session-id')
    if (id === undefined) return undefined
    const held = sessions.get(id)
    // Whoever may not have it is not told that it exists.
    if (held === undefined || held.session.principal !== known.principal)
      return { status: 404, word: 'session-not-found', message: 'there is no such session; initialize a new one' }
    held.at = performance.now()
    return held.session
  }

  return {
    sessionOf,
    post: async (message, given) => {
      const { known, request, response } = given
      const isRequest = 'method' in message && 'id' in message
      try {
        const session = sessionOf(request, known)
        if (session !== undefined) return 'word' in session ? session : session.receive(message, response)
        if (isRequest && message.method === 'initialize') return await initialize(message, given)
        if (isRequest) await single(message, given)
        else response.writeHead(202, { 'content-length': 0 }).end()
      } catch (error) {
        const told = wireErrorOf(error, report)
        const status = error instanceof WireError ? 400 : 500
        const id = isRequest ? message.id : null
        sendJson(response, status, { body: { jsonrpc: '2.0', id, error: errorBody(told) } })
      }
      return undefined
    },
    get: ({ known, request, response }) => {
      const session = sessionOf(request, known)
      if (session === undefined) return sessionMissing
      if ('word' in session) return session
      session.listen(response, headerOf(request, 'last-event-id'))
      return undefined
    },
    delete: async ({ known, request, response }) => {
      const session = sessionOf(request, known)
      if (session === undefined) return sessionMissing
      if ('word' in session) return session
      await end(session)
      response.writeHead(200, { ...safeHeaders, 'content-length': 0 }).end()
      return undefined
    },
    close: async () => {
      isClosing = true
      clearInterval(sweeper)
      for (const transport of singles) void transport.close()
      for (const { session } of sessions.values()) void end(session)
      await Promise.all(ending)
    },
  }
}

const sessionMissing: Refusal = {
  status: 400,
  word: 'session-missing',
  message: 'this needs the header Mcp-Session-Id of a session',
}
