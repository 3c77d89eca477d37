// What lies between the scripted server's answers and the wires that carry them: standard input and output, and HTTP.
// Types only, so that the program stays one file over standard input.

import type { Writable } from 'node:stream'
import type { ServerPlan } from './scripted-plan.ts'

/** A message as it came in; nothing of it was checked. */
export interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: {
    readonly cursor?: string
    readonly protocolVersion?: string
    readonly name?: string
    readonly arguments?: unknown
    readonly requestId?: unknown
    readonly inputResponses?: unknown
    readonly requestState?: unknown
    readonly notifications?: unknown
    readonly _meta?: { readonly [key: string]: unknown }
  }
  readonly result?: unknown
  readonly error?: unknown
}

export type Parts = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Where messages are written: each whole before the next, at the pace of its reader. */
export interface Outlet {
  /** One message in parts. Resolves when it is written, or its reader is gone. */
  readonly send: (parts: Parts) => Promise<void>
  /** Bytes that need be no message. */
  readonly raw: (bytes: Uint8Array) => Promise<void>
  readonly close: () => void
}

/** An outlet on a stream, with what stands before and after each message there. */
export type OutletOn = (stream: Writable, before: string, end: string) => Outlet

/** One client: the other end of standard input, a session of HTTP, or one request of 2026-07-28 over HTTP. */
export interface Peer {
  /** For what belongs to no request; used once `initialize` came. */
  readonly unasked: Outlet | undefined
  /** True once `initialize` came and was not refused. */
  legacy: boolean
  /** By id of the request: aborted when it is cancelled. */
  readonly running: Map<unknown, AbortController>
  /** By id of `subscriptions/listen`. */
  readonly subscriptions: Map<unknown, Outlet>
  /** By id of what the server asked. */
  readonly waiting: Map<unknown, (answer: Message) => void>
  /** Ends the session, where there is one to end. */
  readonly forget: () => void
}

export interface Engine {
  readonly plan: ServerPlan
  readonly join: (unasked?: Outlet, forget?: () => void) => Peer
  readonly leave: (peer: Peer) => void
  /** Records one message, with how it came, and deals with it. Resolves when nothing more comes of it. */
  readonly receive: (peer: Peer, message: Message, outlet: Outlet, came?: object) => Promise<void>
  /** Adds a line to the record for what is no message. */
  readonly record: (line: object) => void
  /** True for a request that brings its protocol revision along, as all do since 2026-07-28. */
  readonly isModern: (message: Message) => boolean
  readonly outletOn: OutletOn
}

/** A call of a tool that is carried out. */
export interface Call {
  readonly plan: ServerPlan
  readonly peer: Peer
  readonly message: Message
  readonly outlet: Outlet
  /** Aborted when the call is cancelled. */
  readonly signal: AbortSignal
  /** Tells every client something. Absent: that the list of tools changed. */
  readonly announce: (notification?: { readonly method: string; readonly params?: object }) => Promise<void>
  /** Lists from now on another of `lists`. */
  readonly switchTo: (list: number) => Promise<void>
}

export interface Pace {
  readonly times: number
  readonly everyMs: number
}
