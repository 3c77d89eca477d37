// A living session with one server: what the pool holds, and what a call goes through. INVARIANT: whoever opened it
// ends it, and when `end` resolves nothing of the server is running.

import type { Definition } from '../core/candidate.ts'
import type { Json, JsonObject } from '../core/json.ts'

/** A sign of life of a call, as the server sent it; its token and its `_meta` are left out. */
export interface CallProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** An error of JSON-RPC, as received. */
export interface RpcError {
  readonly code: number
  readonly message: string
  /** Absent: it came without. */
  readonly data?: Json
}

export interface RequestOptions {
  /** Aborted: the server is told, and the request fails with `call-cancelled`. */
  readonly signal?: AbortSignal
  /** Told in order; what came before the result is told before it. A listener that throws costs nothing. */
  readonly onProgress?: (progress: CallProgress) => void
  /** So many signs of progress in a row are all passed on; beyond, the newest, 20 times a second. Absent: 1. */
  readonly progressBurst?: number
  /** Goes along as `_meta`, without the keys that are reserved for each hop. */
  readonly meta?: JsonObject
  /** Milliseconds without an answer or a sign of progress. While the peer of the session is asked, they do not count. */
  readonly idleTimeoutMs: number
  /** Milliseconds in all. */
  readonly totalTimeoutMs: number
}

export interface CallOptions extends RequestOptions {
  /** As listed; some headers of 2026-07-28 are made from it. Absent: none of them is sent. */
  readonly definition?: Definition
}

/** Who answers what a server asks of its client. */
export interface SessionPeer {
  /** Declared as ours, whole: `sampling`, `elicitation`, `roots`. What is not declared is refused and never asked. */
  readonly capabilities: JsonObject
  /**
   * Answers `sampling/createMessage`, `elicitation/create` or `roots/list`. What it rejects with reaches the server as
   * an error of JSON-RPC when it has a whole number as `code` (with `message` and `data`), and otherwise without words.
   */
  readonly ask: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>
}

/** A notification as received, without the keys of `_meta` that are reserved for each hop. */
export type NotificationListener = (method: string, params: JsonObject | undefined) => void

export interface OpenSession {
  /** The handshake that worked: `initialize`, or that of 2026-07-28. */
  readonly era: 'legacy' | 'modern'
  readonly protocolVersion: string | undefined
  /** False when the server says that it has no tools at all. */
  readonly hasTools: boolean
  /** What the server told of itself in the handshake, whole and unchecked. */
  readonly capabilities: JsonObject
  readonly serverInfo?: JsonObject
  readonly instructions?: string
  /** stdio: the process and leader of its group. */
  readonly pid: number | undefined
  /** A page of `tools/list` as received. Rejects with an Unavailable, or a DeadlinePassed when the signal was aborted. */
  readonly page: (cursor: string | undefined, options?: { readonly signal?: AbortSignal }) => Promise<unknown>
  /**
   * Calls a tool by its original name. Gives the result as received, `isError` results included. Rejects with a
   * CallFailure; never sends a call a second time, because a call may have had its effect.
   */
  readonly call: (originalName: string, args: JsonObject, options: CallOptions) => Promise<JsonObject>
  /**
   * Any other request. Gives the result as received. Rejects with a CallFailure, whose `rpc` is the server's error when
   * there was one. `logging/setLevel` and `resources/subscribe` of the older revisions are done in the way of
   * 2026-07-28 where the session speaks that.
   */
  readonly request: (method: string, params: JsonObject, options: RequestOptions) => Promise<JsonObject>
  /** Nothing is sent where the revision of the session has no such notification. Rejects with a CallFailure. */
  readonly notify: (method: string, params?: JsonObject) => Promise<void>
  /**
   * Called for each notification, in order, but for progress and `tools/list_changed`. What came before the first
   * listener is kept for it, 1,000 of them and 1 MiB at most. Returns what ends the subscription.
   */
  readonly onNotification: (listener: NotificationListener) => () => void
  /** True when the server answers in time. */
  readonly ping: (timeoutMs: number) => Promise<boolean>
  /**
   * Called for a burst of `list_changed`: soon after the first, and once more when the burst is over if others came; in
   * one that does not end, every 30 s. Returns what ends the subscription.
   */
  readonly onListChanged: (listener: () => void) => () => void
  /** Settles when the session is over by whatever way, with printable words such as `exited with code 3`. */
  readonly closed: Promise<string>
  readonly isOpen: () => boolean
  /** What it sent that is of no use: each fault once, with how often it came. */
  readonly findings: () => readonly SessionFinding[]
  /** Bytes received so far. */
  readonly received: () => number
  /** Ends the session and the whole process group. Safe to call again. */
  readonly end: () => Promise<void>
}

export interface SessionFinding {
  /**
   * `stdout-noise`: on standard output, lines that are no messages and answers that nobody waits for.
   * `unknown-answer`: such answers over HTTP.
   * `notifications-dropped`: notifications that came before anybody listened, and were more than are kept.
   */
  readonly word: 'stdout-noise' | 'unknown-answer' | 'notifications-dropped'
  readonly times: number
  /** The first of them, printable and short. */
  readonly first: string
}
