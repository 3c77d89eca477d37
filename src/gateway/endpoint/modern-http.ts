// A request of 2026-07-28 over HTTP: there is no session, so the service is opened for it and closed after it.

import type { ServerResponse } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCRequest,
  type MessageClassification,
} from '@modelcontextprotocol/server'
import { isJsonObject } from '../../core/json.ts'
import { type ClientSession, type GatewayClient, type GatewayService, WireError } from '../service.ts'
import type { HttpLimits } from './limits.ts'
import { filterOf, type Listener, listenStream, subscribe } from './listen.ts'
import { servedMethods } from './methods.ts'
import { OneRequestTransport } from './one-request.ts'
import type { Parking } from './parking.ts'
import {
  errorBody,
  ownParams,
  protocolServer,
  reachingOut,
  staleState,
  threadKey,
  wireErrorOf,
} from './protocol-server.ts'
import { sendJson } from './refusal.ts'
import { reply } from './reply.ts'
import type { Run } from './run.ts'
import { isId, type Known } from './who.ts'

export interface ModernHttp {
  /** Resolves when the exchange is over. Never rejects. */
  readonly serve: (response: ServerResponse, given: ModernRequest) => Promise<void>
  /** Ends streams as over, calls off what runs. */
  readonly close: () => Promise<void>
}

export interface ModernRequest {
  readonly message: JSONRPCRequest
  readonly classification: MessageClassification
  readonly known: Known
  /** The thread of a client that names none. */
  readonly thread: string
}

interface ModernSpec {
  readonly service: GatewayService
  readonly limits: HttpLimits
  readonly parking: Parking
  readonly report: (error: unknown) => void
}

export function modernHttp({ limits, parking, report, service }: ModernSpec): ModernHttp {
  const listeners = new Set<Listener>()
  const transports = new Set<OneRequestTransport>()
  let isClosing = false
  const stillOpen = () => {
    if (isClosing) throw new WireError(-32000, 'the endpoint is ending')
  }
  /** Sessions that are still being closed. */
  const closing = new Set<Promise<void>>()

  const closeAfter = (session: ClientSession, runs: readonly Run[]) => {
    const closed: Promise<void> = Promise.all(runs.map((run) => run.ended))
      .then(() => session.close())
      .catch(report)
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }

  const listen = async (response: ServerResponse, { message }: ModernRequest, client: GatewayClient) => {
    let listener: Listener | undefined
    const session = await service.open({ ...client, notify: (method, params) => listener?.told(method, params) })
    try {
      stillOpen()
      const filter = filterOf(message.params, session.capabilities, limits.subscriptions)
      const gone = new AbortController()
      const over = new Promise<void>((resolve) => response.once('close', resolve))
      void over.then(() => gone.abort())
      if (response.destroyed) return
      listener = listenStream(response, { id: message.id, filter, session, keepAliveMs: limits.keepAliveMs })
      listeners.add(listener)
      await subscribe(session, filter.uris, gone.signal)
      await over
    } finally {
      if (listener !== undefined) listeners.delete(listener)
      closeAfter(session, [])
    }
  }

  const carryOut = async (response: ServerResponse, request: ModernRequest, client: GatewayClient) => {
    const { classification, known, message } = request
    const owner = JSON.stringify([known.principal, client.thread])
    const { sent } = ownParams(message)
    const { inputResponses: _answers, requestState, ...params } = sent
    const resumed =
      requestState === undefined ? undefined : parking.take(requestState, { owner, method: message.method, params })
    if (requestState !== undefined && resumed === undefined) throw staleState()
    const session = resumed?.session ?? (await service.open(client))
    const runs: Run[] = []
    const server = protocolServer({
      session,
      report,
      era: {
        kind: 'modern',
        parking,
        owner,
        carries: (run) => runs.push(run),
        ...(resumed === undefined ? {} : { resumed }),
      },
    })
    const transport = new OneRequestTransport(reply(response, limits), { classification })
    transports.add(transport)
    try {
      stillOpen()
      const over = new Promise<void>((resolve) => {
        server.onclose = resolve
      })
      await server.connect(transport)
      if (response.destroyed) await transport.close()
      else transport.deliver(message)
      await over
    } finally {
      transports.delete(transport)
      if (resumed === undefined) closeAfter(session, runs)
      else if (runs.length === 0) resumed.abort('nobody took it up')
    }
  }

  return {
    serve: async (response, request) => {
      const { message } = request
      const isListen = message.method === 'subscriptions/listen'
      try {
        const isKnown = servedMethods.modern.has(message.method) || message.method === 'server/discover' || isListen
        if (!isKnown) throw new WireError(-32601, 'Method not found')
        const client = openingOf(request)
        await (isListen ? listen(response, request, client) : carryOut(response, request, client))
      } catch (error) {
        const told = wireErrorOf(error, report)
        const status = told.code === -32601 ? 404 : 200
        sendJson(response, status, { body: { jsonrpc: '2.0', id: message.id, error: errorBody(told) } })
      }
    },
    close: async () => {
      isClosing = true
      for (const listener of listeners) listener.end()
      await parking.close()
      for (const transport of transports) await transport.close()
      await Promise.all(closing)
    },
  }
}

function openingOf({ known, message, thread }: ModernRequest): GatewayClient {
  const params = isJsonObject(message.params) ? message.params : {}
  const meta = isJsonObject(params._meta) ? params._meta : {}
  const named = meta[threadKey]
  if (named !== undefined && !isId(named))
    throw new WireError(-32602, `_meta["${threadKey}"] is not 1 to 64 letters, digits, _ and -`)
  const capabilities = isJsonObject(meta[CLIENT_CAPABILITIES_META_KEY]) ? meta[CLIENT_CAPABILITIES_META_KEY] : {}
  const info = infoOf(meta[CLIENT_INFO_META_KEY])
  return {
    ...known.identity,
    thread: known.identity.thread ?? named ?? thread,
    era: 'modern',
    capabilities,
    ...(info === undefined ? {} : { info }),
    ...reachingOut('modern', capabilities, () => undefined),
  }
}

/** How a client introduces itself. Undefined: not in a form that can be read. */
export function infoOf(value: unknown): { readonly name: string; readonly version: string } | undefined {
  if (!isJsonObject(value) || typeof value.name !== 'string' || typeof value.version !== 'string') return undefined
  return { name: value.name.slice(0, 200), version: value.version.slice(0, 200) }
}
