// A session of the 2025 revisions over HTTP: the SDK's server of it, and the transport that brings each message to the
// response that it belongs to. A connection that breaks calls nothing off in these revisions.

import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { GatewayService } from '../service.ts'
import { type EventStream, eventLog } from './event-log.ts'
import type { HttpLimits } from './limits.ts'
import { infoOf } from './modern-http.ts'
import { outcomes, protocolServer, reachingOut, threadKey } from './protocol-server.ts'
import { type Refusal, sendJson } from './refusal.ts'
import { isId, type Known } from './who.ts'

export interface LegacySession {
  readonly id: string
  readonly principal: string
  /** Brings a message of the client in. A request is answered at the response; undefined: it is taken. */
  readonly receive: (message: JSONRPCMessage, response: ServerResponse) => Refusal | undefined
  /** The stream of a GET. */
  readonly listen: (response: ServerResponse, lastEventId: string | undefined) => void
  /** Nothing runs and nobody listens. */
  readonly isIdle: () => boolean
  /** Resolves when nothing of it is running. */
  readonly close: () => Promise<void>
}

interface Exchange {
  readonly response: ServerResponse
  stream?: EventStream
}

export interface SessionSpec {
  readonly service: GatewayService
  readonly limits: HttpLimits
  readonly known: Known
  /** The `initialize` that asks for it. */
  readonly message: JSONRPCRequest
  readonly report: (error: unknown) => void
  /** It is over, whoever ended it. */
  readonly onClosed: () => void
}

/** Rejects with a WireError where the service does not take the client. */
export async function legacySession(spec: SessionSpec): Promise<LegacySession> {
  const { known, limits, message, report } = spec
  const id = randomUUID()
  const headers = { 'mcp-session-id': id }
  const log = eventLog(limits, headers)
  const standing = log.open()
  const exchanges = new Map<string | number, Exchange>()
  const kept = outcomes()

  const params = isJsonObject(message.params) ? message.params : {}
  const capabilities = isJsonObject(params.capabilities) ? params.capabilities : {}
  const info = infoOf(params.clientInfo)
  const client = {
    ...known.identity,
    thread: known.identity.thread ?? threadOf(params) ?? `session-${id}`,
    era: 'legacy' as const,
    capabilities,
    ...(info === undefined ? {} : { info }),
  }
  let isOpen = false
  const session = await spec.service.open({
    ...client,
    ...reachingOut('legacy', capabilities, () => (isOpen ? server : undefined)),
  })
  const server = protocolServer({ session, report, era: { kind: 'legacy', outcomes: kept, capabilities } })

  const streamOf = (exchange: Exchange): EventStream => {
    if (exchange.stream === undefined) {
      exchange.stream = log.open()
      if (!exchange.response.destroyed) exchange.stream.attach(exchange.response, 0)
    }
    return exchange.stream
  }
  const settle = (of: string | number, answer?: unknown) => {
    const exchange = exchanges.get(of)
    if (exchange === undefined) return
    exchanges.delete(of)
    if (exchange.stream === undefined && answer !== undefined)
      sendJson(exchange.response, 200, { body: answer, headers })
    else {
      // Called off: there is no answer, and the stream says so by ending.
      const stream = streamOf(exchange)
      if (answer !== undefined) stream.push(answer)
      stream.finish()
    }
  }
  const transport: Transport = {
    sessionId: id,
    start: async () => {},
    send: async (out, options) => {
      if (!('method' in out)) {
        if (out.id !== undefined) settle(out.id, kept.restored(out))
        return
      }
      const related = options?.relatedRequestId
      if (related === undefined) standing.push(out)
      else {
        const exchange = exchanges.get(related)
        if (exchange !== undefined) streamOf(exchange).push(out)
      }
    },
    close: async () => {
      transport.onclose?.()
    },
  }
  await server.connect(transport)
  isOpen = true

  let closing: Promise<void> | undefined
  const close = async () => {
    isOpen = false
    await server.close()
    for (const of of [...exchanges.keys()])
      settle(of, { jsonrpc: '2.0', id: of, error: { code: -32000, message: 'session-ended: the session is over' } })
    standing.finish()
    await session.close()
    spec.onClosed()
  }
  return {
    id,
    principal: known.principal,
    receive: (given, response) => {
      if (!isOpen) return { status: 404, word: 'session-not-found', message: 'the session is over' }
      if ('method' in given && 'id' in given) {
        if (exchanges.has(given.id))
          return { status: 400, code: -32600, word: 'id-in-use', message: 'a request with this id is running' }
        exchanges.set(given.id, { response })
        transport.onmessage?.(given)
        return undefined
      }
      transport.onmessage?.(given)
      response.writeHead(202, { 'content-length': 0 }).end()
      const called =
        'method' in given && given.method === 'notifications/cancelled' ? given.params?.requestId : undefined
      if (typeof called === 'string' || typeof called === 'number') settle(called)
      return undefined
    },
    listen: (response, lastEventId) => {
      const found = lastEventId === undefined ? undefined : log.find(lastEventId)
      const { after, stream } = found ?? { stream: standing, after: standing.written() }
      stream.attach(response, after)
    },
    isIdle: () => exchanges.size === 0 && !standing.isAttached(),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

function threadOf(params: JsonObject): string | undefined {
  const named = isJsonObject(params._meta) ? params._meta[threadKey] : undefined
  return isId(named) ? named : undefined
}
