// Who answers and hears what upstream servers say by themselves. A session of a server belongs to one thread, and a thread
// of the gateway to one client at a time, so what a server asks or tells goes to the client of its thread: as a part of
// the request that runs there now, or else by itself.

import { canonicalJson, type JsonObject } from '../core/json.ts'
import type { SessionPeer } from '../sessions/session.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { type GatewayClient, type RequestContext, WireError } from './service.ts'

export type Upstream = (server: string, method: string, params: JsonObject) => void

interface Seat {
  readonly client: GatewayClient
  readonly upstream: Upstream
  /** Requests that run, by server, the youngest last. */
  readonly running: Map<string, RequestContext[]>
}

export interface ClientDesk {
  /** A client takes its place. Returns what a request announces itself with, and what ends the place. */
  readonly sit: (
    owner: ThreadOwner,
    client: GatewayClient,
    upstream: Upstream,
  ) => {
    readonly during: <T>(server: string, context: RequestContext, work: () => Promise<T>) => Promise<T>
    readonly leave: () => void
  }
  readonly peerOf: (server: string, owner: ThreadOwner) => SessionPeer | undefined
  readonly told: (server: string, owner: ThreadOwner, method: string, params: JsonObject) => void
  /** The request of a thread at a server that runs now, for what belongs to it. */
  readonly requestOf: (server: string, owner: ThreadOwner) => RequestContext | undefined
}

/** In 2026-07-28 each request says anew what may be asked, so a session is told everything, and the request refuses. */
const anything: JsonObject = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} }

/** What a client may be asked by a server. */
const askable = ['sampling', 'elicitation', 'roots'] as const

export function clientDesk(): ClientDesk {
  const seats = new Map<string, Seat[]>()
  const keyOf = ({ user, thread }: ThreadOwner): string => canonicalJson([user, thread])
  const seatOf = (owner: ThreadOwner): Seat | undefined => seats.get(keyOf(owner))?.at(-1)
  const requestOf = (server: string, owner: ThreadOwner): RequestContext | undefined =>
    seats
      .get(keyOf(owner))
      ?.findLast(({ running }) => running.has(server))
      ?.running.get(server)
      ?.at(-1)
  return {
    sit: (owner, client, upstream) => {
      const key = keyOf(owner)
      const seat: Seat = { client, upstream, running: new Map() }
      seats.set(key, [...(seats.get(key) ?? []), seat])
      return {
        during: async (server, context, work) => {
          const others = seat.running.get(server) ?? []
          seat.running.set(server, [...others, context])
          try {
            return await work()
          } finally {
            const left = (seat.running.get(server) ?? []).filter((one) => one !== context)
            if (left.length === 0) seat.running.delete(server)
            else seat.running.set(server, left)
          }
        },
        leave: () => {
          const left = (seats.get(key) ?? []).filter((one) => one !== seat)
          if (left.length === 0) seats.delete(key)
          else seats.set(key, left)
        },
      }
    },
    peerOf: (server, owner) => {
      const client = seatOf(owner)?.client
      if (client === undefined) return undefined
      const declared = client.era === 'modern' ? anything : client.capabilities
      const offered = askable.flatMap((name) => {
        const capability = declared[name]
        return capability === undefined ? [] : [[name, capability] as const]
      })
      if (offered.length === 0) return undefined
      return {
        capabilities: Object.fromEntries(offered),
        ask: (method, params, signal) => {
          const asked = requestOf(server, owner) ?? seatOf(owner)?.client
          if (asked === undefined) throw new WireError(-32603, 'the client is gone')
          return asked.ask(method, params, signal)
        },
      }
    },
    told: (server, owner, method, params) => {
      const all = seats.get(keyOf(owner)) ?? []
      // What belongs to a request is told with it, and so once; changes concern whoever is there.
      for (const seat of method === 'notifications/message' ? all.slice(-1) : all) seat.upstream(server, method, params)
    },
    requestOf,
  }
}
