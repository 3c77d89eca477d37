// A living session with one server: what the pool holds, and what a call goes through. INVARIANT: whoever opened it
// ends it, and when `end` resolves nothing of the server is running.

import type { Definition } from '../core/candidate.ts'
import type { JsonObject } from '../core/json.ts'

/** A sign of life of a call, as the server sent it. */
export interface CallProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface CallOptions {
  /** As listed; some headers of 2026-07-28 are made from it. Absent: none of them is sent. */
  readonly definition?: Definition
  /** Aborted: the server is told, and the call fails with `call-cancelled`. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CallProgress) => void
  /** Milliseconds without an answer or a sign of progress. */
  readonly idleTimeoutMs: number
  /** Milliseconds in all. */
  readonly totalTimeoutMs: number
}

export interface OpenSession {
  /** The handshake that worked: `initialize`, or that of 2026-07-28. */
  readonly era: 'legacy' | 'modern'
  readonly protocolVersion: string | undefined
  /** False when the server says that it has no tools at all. */
  readonly hasTools: boolean
  /** stdio: the process and leader of its group. */
  readonly pid: number | undefined
  /** A page of `tools/list` as received. Rejects with an Unavailable, or a DeadlinePassed when the signal was aborted. */
  readonly page: (cursor: string | undefined, options?: { readonly signal?: AbortSignal }) => Promise<unknown>
  /**
   * Calls a tool by its original name. Gives the result as received, `isError` results included. Rejects with a
   * CallFailure; never sends a call a second time, because a call may have had its effect.
   */
  readonly call: (originalName: string, args: JsonObject, options: CallOptions) => Promise<JsonObject>
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
   */
  readonly word: 'stdout-noise' | 'unknown-answer'
  readonly times: number
  /** The first of them, printable and short. */
  readonly first: string
}
