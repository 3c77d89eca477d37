// `subscriptions/listen` of 2026-07-28 over HTTP: a stream that stays open and carries the changes that it asked for.

import type { ServerResponse } from 'node:http'
import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { type ClientSession, WireError } from '../service.ts'
import { listenKinds, resourceUpdated } from './methods.ts'
import { beginEvents, eventText, keptAlive, writeEvents } from './reply.ts'

export interface Filter {
  readonly methods: ReadonlySet<string>
  readonly uris: ReadonlySet<string>
  /** What is honoured, as the client is told. */
  readonly told: JsonObject
}

/** What of the wishes can be had. Throws a WireError where they cannot be read. */
export function filterOf(params: unknown, capabilities: JsonObject, urisMax: number): Filter {
  const wishes = isJsonObject(params) ? params.notifications : undefined
  const fault = new WireError(
    -32602,
    "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter",
  )
  if (!isJsonObject(wishes)) throw fault
  const methods = new Set<string>()
  const told: { [key: string]: boolean | readonly string[] } = {}
  const can = (of: string, bit: string) => isJsonObject(capabilities[of]) && capabilities[of][bit] === true
  for (const { kind, method, of } of listenKinds) {
    const wish = wishes[kind]
    if (wish !== undefined && typeof wish !== 'boolean') throw fault
    if (wish !== true || !can(of, 'listChanged')) continue
    methods.add(method)
    told[kind] = true
  }
  const uris = wishes.resourceSubscriptions ?? []
  if (!isStrings(uris)) throw fault
  if (uris.length > urisMax) throw new WireError(-32602, `more than ${urisMax} resources in one subscription`)
  const honoured = can('resources', 'subscribe') ? uris : []
  if (honoured.length > 0) told.resourceSubscriptions = honoured
  return { methods, uris: new Set(honoured), told }
}

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

export const passes = ({ methods, uris }: Filter, method: string, params: JsonObject): boolean =>
  method === resourceUpdated ? typeof params.uri === 'string' && uris.has(params.uri) : methods.has(method)

export interface Listener {
  readonly told: (method: string, params: JsonObject) => void
  /** Ends the stream as one that is over, not as one that broke. */
  readonly end: () => void
}

export function listenStream(
  response: ServerResponse,
  given: {
    readonly id: string | number
    readonly filter: Filter
    readonly session: ClientSession
    readonly keepAliveMs: number
  },
): Listener {
  const { filter, id, keepAliveMs, session } = given
  const notify = (method: string, params: JsonObject) => {
    const _meta = { ...(isJsonObject(params._meta) ? params._meta : {}), [SUBSCRIPTION_ID_META_KEY]: id }
    writeEvents(response, eventText({ jsonrpc: '2.0', method, params: { ...params, _meta } }))
  }
  const end = () => {
    if (response.writableEnded || response.destroyed) return
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: session.serverInfo }
    response.end(eventText({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } }))
  }
  beginEvents(response)
  keptAlive(response, keepAliveMs)
  notify('notifications/subscriptions/acknowledged', { notifications: filter.told })
  if (Object.keys(filter.told).length === 0) end()
  return { end, told: (method, params) => passes(filter, method, params) && notify(method, params) }
}

/** Tells the service which resources are looked at. A resource that cannot be is no reason to refuse the others. */
export async function subscribe(session: ClientSession, uris: Iterable<string>, signal: AbortSignal): Promise<void> {
  const context = {
    signal,
    progress: () => {},
    notify: () => {},
    ask: () => Promise.reject(new WireError(-32601, 'a client cannot be asked here')),
  }
  for (const uri of uris) await session.request('resources/subscribe', { uri }, context).catch(() => {})
}
