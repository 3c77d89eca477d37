// What both ways of opening have in common: a client that has shaken hands on a channel, and what is known of a server
// from the moment its start is tried.

import {
  type AuthProvider,
  Client,
  type ClientCapabilities,
  type ProtocolEra,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import type { JsonObject } from '../core/json.ts'
import { type PeerDesk, peerDesk } from './peer-desk.ts'
import type { SessionFinding, SessionPeer } from './session.ts'
import { type Notifications, notifications } from './session-notifications.ts'
import { clientCapabilities, clientInfo } from './wire/client-identity.ts'
import { type Inbox, messageInbox } from './wire/message-inbox.ts'

export const modernRevision = '2026-07-28'

export interface OpenOptions {
  /** stdio: the whole environment of the process. */
  readonly env: { readonly [name: string]: string }
  /** stdio: where it starts. Absolute. */
  readonly cwd: string
  /** The handshake that worked the last time; it is tried first. */
  readonly era?: ProtocolEra | undefined
  /** Aborted: the opening is given up. An open session does not care. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the start and the handshake together. */
  readonly timeoutMs: number
  /** Longest message that is read, a list of tools aside. Absent: 10 MiB. */
  readonly messageBytesMax?: number
  /** HTTP: the login. Absent: none. */
  readonly auth?: AuthProvider
  /** Answers what the server asks of its client. Absent: nothing is declared, and nothing is answered. */
  readonly peer?: SessionPeer
}

/** The options of one attempt, with the deadline as its signal. */
export type Attempt = OpenOptions & { readonly signal: AbortSignal; readonly messageBytesMax: number }

/** How a connection ended. */
export interface Ending {
  /** Such as `exited with code 3`. */
  readonly how: string
  /** The last line of standard error, printable; empty when there is none. */
  readonly said: string
}

/** A channel on which the handshake has worked. */
export interface Connection {
  readonly client: Client
  readonly inbox: Inbox
  readonly messageBytesMax: number
  /** stdio. */
  readonly pid: number | undefined
  /** HTTP: the URL without its query, for messages. */
  readonly place: string | undefined
  readonly received: () => number
  readonly findings: () => readonly SessionFinding[]
  /** Called for each notice that the list changed. */
  readonly onListChanged: (listener: () => void) => void
  readonly notifications: Notifications
  readonly desk: PeerDesk
  /** False: there is nobody who could answer the server. */
  readonly hasPeer: boolean
  /** True when the server knows this connection by an id, and so may have forgotten it. */
  readonly hasSessionId: () => boolean
  /** Settles when the other side is gone. */
  readonly over: Promise<Ending>
  /** How it ended, when it has. */
  readonly ending: () => Ending | undefined
}

/** A server from the moment its start is tried, for telling what went wrong. */
export interface Contact {
  /** Rejects with whatever the SDK says. */
  readonly connection: Promise<Connection>
  readonly ending: () => Ending | undefined
  readonly lastWords: () => string | undefined
  readonly unreachable: () => string | undefined
  readonly refusedWith: () => number | undefined
  /** Ends everything, the whole process group included. Resolves when nobody is left. Safe to call again. */
  readonly end: () => Promise<void>
}

/** A question in the 2026 way that a server leaves unanswered may take a third of the time, so that the old way has its chance. */
export function clientFor(mode: VersionNegotiationMode, desk: PeerDesk, { timeoutMs, peer }: Attempt): Client {
  const probe = typeof mode === 'object' ? { probe: { timeoutMs: Math.ceil(timeoutMs / 3) } } : {}
  const capabilities = (peer?.capabilities ?? clientCapabilities) as ClientCapabilities
  const client = new Client(clientInfo, { versionNegotiation: { mode, ...probe }, capabilities })
  // Handlers by method would check and cut what is asked and what is answered.
  client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) =>
    desk.ask(method, (params ?? {}) as JsonObject, mcpReq.signal)
  return client
}

export const connected = (client: Client, transport: Transport, { signal, timeoutMs }: Attempt): Promise<void> =>
  client.connect(transport, { signal, timeout: timeoutMs })

/** What is noticed at a channel before anybody listens, and by whom then. */
export function listeningPost({ peer }: Attempt) {
  let onListChanged = () => {}
  const told = notifications()
  return {
    /** An inbox whose messages are noticed here. */
    inbox: (onUnknownAnswer: (words: string) => void): Inbox =>
      messageInbox({ onListChanged: () => onListChanged(), onNotification: told.tell, onUnknownAnswer }),
    /** What the connection has of it. */
    parts: {
      notifications: told,
      desk: peerDesk(peer),
      hasPeer: peer !== undefined,
      onListChanged: (listener: () => void) => {
        onListChanged = listener
      },
    },
  }
}
