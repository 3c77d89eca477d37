// The contract of the session pool; `sessionPool` in session-pool.ts makes one.
//
//   use(server, owner, work)  one session a key (server, user, thread): opened once however many ask, held while
//                             `work` runs, kept open afterwards, closed when it was idle for too long

import type { McpServerConfig } from '../config/config.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import type { OpenSession } from './session.ts'

export interface OpenRequest {
  readonly server: McpServerConfig
  readonly owner: ThreadOwner
  /** Aborted when nobody waits for the session any more, or the pool closes. */
  readonly signal: AbortSignal
}

/** Times are monotonic milliseconds; tests bring their own. */
export interface Clock {
  readonly now: () => number
  /** Runs `work` once after so many milliseconds; the result calls it off. Does not keep the process alive. */
  readonly after: (ms: number, work: () => void) => () => void
}

export interface PoolOptions {
  /** Opens a session, or rejects with an `Unavailable`. What it gives is ended by the pool. */
  readonly open: (request: OpenRequest) => Promise<OpenSession>
  /** Sessions that are open or opening at one time. */
  readonly max: number
  /** A session that nobody used for so long is ended. */
  readonly idleMs: number
  /** How long a caller waits for room when every session is busy. */
  readonly waitMs?: number
  readonly clock?: Clock
  /** A number from 0 to 1 that spreads retries; tests bring their own. */
  readonly random?: () => number
  /** One call for each change of state, for people and pages. */
  readonly onState?: (state: SessionState) => void
  /** The server says that its list changed. Called at most once for a burst. */
  readonly onListChanged?: (server: string) => void
}

export type SessionPhase = 'starting' | 'open' | 'busy' | 'closing' | 'waiting' | 'broken'

export interface SessionState {
  readonly server: string
  readonly owner: ThreadOwner
  /** waiting: after a failure, until it may be tried again. broken: it failed so often that it is left alone for a while. */
  readonly phase: SessionPhase
  /** ISO 8601: since when it is in this phase. */
  readonly since: string
  readonly pid?: number
  /** Calls that are running. */
  readonly busy: number
  /** How often it was started, and how often in a row that failed or it died early. */
  readonly starts: number
  readonly failures: number
  /** Printable: why the last session ended or did not start. */
  readonly lastError?: string
  /** waiting, broken: milliseconds until it may be tried again. */
  readonly retryInMs?: number
}

export interface SessionPool {
  /**
   * Runs `work` with the session of that key. Rejects with a CallFailure: `server-unavailable` (it did not start, or
   * must not be tried again yet), `pool-full`, `pool-closed`, `call-cancelled`, `invalid-id`; or with whatever `work`
   * rejects with. Work is never run twice.
   */
  readonly use: <T>(
    server: McpServerConfig,
    owner: ThreadOwner,
    work: (session: OpenSession) => Promise<T>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<T>
  /** Ends the sessions of a thread once their calls have ended or were cancelled. */
  readonly endThread: (owner: ThreadOwner) => Promise<void>
  /** Ends all sessions of a server, as after an edit of its configuration; running calls end first, within `graceMs`. */
  readonly endServer: (server: string, graceMs?: number) => Promise<void>
  readonly states: () => readonly SessionState[]
  /** Ends everything. Final: nothing is opened afterwards. */
  readonly close: () => Promise<void>
}
