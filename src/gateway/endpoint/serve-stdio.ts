// The gateway for one client on two streams. What the client sends first says which revision it speaks; the SDK follows
// that, and this file gives it a server for it.

import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio as sdkServeStdio } from '@modelcontextprotocol/server/stdio'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { ClientIdentity, ClientSession, GatewayService } from '../service.ts'
import { defaultLimits } from './limits.ts'
import { filterOf, subscribe } from './listen.ts'
import { infoOf } from './modern-http.ts'
import { parking } from './parking.ts'
import { outcomes, protocolServer, reachingOut, threadKey } from './protocol-server.ts'
import { isId } from './who.ts'

export interface StdioEndpointSpec {
  readonly service: GatewayService
  readonly identity: ClientIdentity
  readonly input: Readable
  /** Nothing but messages is written to it. */
  readonly output: Writable
  readonly signal?: AbortSignal
  /** Longest message, in bytes. Absent: 4 MiB. */
  readonly messageBytes?: number
  /** Errors that are nobody's answer. Absent: they are dropped. */
  readonly report?: (error: unknown) => void
}

/** Resolves when the client is gone or the signal says so, and nothing of it is running. */
export async function serveStdio(spec: StdioEndpointSpec): Promise<void> {
  const { identity, service } = spec
  const report = spec.report ?? (() => {})
  const parked = parking(defaultLimits)
  const kept = outcomes()
  const sessions = new Set<ClientSession>()
  const gone = new AbortController()
  const thread = identity.thread ?? `stdio-${randomUUID()}`
  /** The first message of each revision: in it the client introduces itself. */
  const first: { legacy?: JSONRPCMessage; modern?: JSONRPCMessage } = {}
  let modern: ClientSession | undefined
  const listening = new Map<string | number, ReadonlySet<string>>()

  const wire = new StdioServerTransport(spec.input, spec.output, {
    maxBufferSize: spec.messageBytes ?? defaultLimits.bodyBytes,
  })
  let ended = () => {}
  const over = new Promise<void>((resolve) => {
    ended = resolve
  })
  const transport: Transport = {
    start: async () => {
      wire.onmessage = (message) => {
        if ('method' in message && message.method === 'initialize') first.legacy ??= message
        else if (envelopeOf(message) !== undefined) first.modern ??= message
        if (modern !== undefined) watchListening(message, modern)
        transport.onmessage?.(message)
      }
      wire.onerror = (error) => transport.onerror?.(error)
      wire.onclose = () => {
        transport.onclose?.()
        ended()
      }
      await wire.start()
    },
    send: (message) => wire.send(kept.restored(message)),
    close: () => wire.close(),
  }

  /** The SDK keeps the list of what is listened to; which resources that are, the service has to know as well. */
  const watchListening = (message: JSONRPCMessage, session: ClientSession) => {
    if (!('method' in message)) return
    if (message.method === 'subscriptions/listen' && 'id' in message) {
      try {
        const { uris } = filterOf(message.params, session.capabilities, defaultLimits.subscriptions)
        listening.set(message.id, uris)
        void subscribe(session, uris, gone.signal)
      } catch {
        // It is refused by the SDK.
      }
    }
    if (message.method !== 'notifications/cancelled') return
    const id = message.params?.requestId
    if (typeof id !== 'string' && typeof id !== 'number') return
    const left = listening.get(id)
    listening.delete(id)
    const others = new Set([...listening.values()].flatMap((uris) => [...uris]))
    for (const uri of left ?? [])
      if (!others.has(uri)) void session.request('resources/unsubscribe', { uri }, silent(gone.signal)).catch(() => {})
  }

  const open = async (era: 'legacy' | 'modern'): Promise<Server> => {
    const client = introduction(era, first[era])
    let server: Server | undefined
    const session = await service.open({
      ...identity,
      thread: identity.thread ?? client.thread ?? thread,
      era,
      capabilities: client.capabilities,
      ...(client.info === undefined ? {} : { info: client.info }),
      ...reachingOut(era, client.capabilities, () => server),
    })
    sessions.add(session)
    if (era === 'modern') {
      modern = session
      if (first.modern !== undefined) watchListening(first.modern, session)
    } else modern = undefined
    server = protocolServer({
      session,
      report,
      era:
        era === 'legacy'
          ? { kind: 'legacy', outcomes: kept, capabilities: client.capabilities }
          : { kind: 'modern', parking: parked, owner: thread },
    })
    return server
  }

  const handle = sdkServeStdio(({ era }) => open(era), { transport, onerror: report })
  const stop = () => void handle.close()
  spec.signal?.addEventListener('abort', stop, { once: true })
  if (spec.signal?.aborted === true) stop()
  await over
  spec.signal?.removeEventListener('abort', stop)
  gone.abort()
  await handle.close()
  await parked.close()
  await Promise.all([...sessions].map((session) => session.close().catch(report)))
}

/** `_meta` of a message that belongs to 2026-07-28. */
function envelopeOf(message: JSONRPCMessage): JsonObject | undefined {
  const params = 'method' in message && isJsonObject(message.params) ? message.params : {}
  return isJsonObject(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta ? params._meta : undefined
}

function introduction(era: 'legacy' | 'modern', message: JSONRPCMessage | undefined) {
  const params = message !== undefined && 'method' in message && isJsonObject(message.params) ? message.params : {}
  const meta: JsonObject = isJsonObject(params._meta) ? params._meta : {}
  const [capabilities, info] =
    era === 'legacy'
      ? [params.capabilities, params.clientInfo]
      : [meta[CLIENT_CAPABILITIES_META_KEY], meta[CLIENT_INFO_META_KEY]]
  const thread = meta[threadKey]
  return {
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    info: infoOf(info),
    thread: isId(thread) ? thread : undefined,
  }
}

const silent = (signal: AbortSignal) => ({
  signal,
  progress: () => {},
  notify: () => {},
  ask: () => Promise.reject(new Error('nobody can be asked here')),
})
