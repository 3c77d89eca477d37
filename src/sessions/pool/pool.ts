// The contract of the session pool; `sessionPool` in session-pool.ts makes one.
//
//   use(server, owner, work)  one session a key (server and how it is started, user, thread): opened once however
//                             many ask, held while `work` runs, kept open afterwards, ended when it was idle too long
//
//   starting ─▶ open ◀─▶ busy ─▶ closing ─▶ ended                 by itself, for room, or because somebody said so
//       └──────────┴────────┴──▶ closing ─▶ waiting ─▶ starting   it failed: left alone for a moment
//                                              └─▶ broken         it failed again and again: left alone for longer

import type { McpServerConfig } from '../../config/config.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import type { NotificationListener, OpenSession, SessionPeer } from '../session.ts'

export interface OpenRequest {
  readonly server: McpServerConfig
  readonly owner: ThreadOwner
  /** Answers what the server asks of its client. Absent: nobody. */
  readonly peer?: SessionPeer
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
  /**
   * Opens a session, or rejects with an `Unavailable` once nothing of the server is running. It keeps the server's
   * start deadline itself. What it gives is ended by the pool, also when it comes after the signal was aborted.
   */
  readonly open: (request: OpenRequest) => Promise<OpenSession>
  /** Sessions that are opening, open or ending at one time. At least 1. */
  readonly max: number
  /** A session that nobody used for so long is ended. */
  readonly idleMs: number
  /** How long a caller waits for room when every session is busy. Absent: 10 s. */
  readonly waitMs?: number
  readonly clock?: Clock
  /** A number from 0 to 1 that spreads retries; tests bring their own. */
  readonly random?: () => number
  /** One call for each change of state, for people and pages. A call of a tool that begins or ends is none. */
  readonly onState?: (state: SessionState) => void
  /** The server says that its list changed, in one session or many. Called at most once for a burst. */
  readonly onListChanged?: (server: string) => void
  /** Who answers for this owner; asked whenever a session is opened. Absent, or nothing: nobody. */
  readonly peerOf?: (server: McpServerConfig, owner: ThreadOwner) => SessionPeer | undefined
  /**
   * What a server says by itself, in the order of its session, as `OpenSession.onNotification` tells it. In 2026-07-28
   * changes of prompts and resources are listened for when this is present.
   */
  readonly onNotification?: (server: string, owner: ThreadOwner, ...told: Parameters<NotificationListener>) => void
}

export type SessionPhase = 'starting' | 'open' | 'busy' | 'closing' | 'waiting' | 'broken' | 'ended'

export interface SessionState {
  readonly server: string
  readonly owner: ThreadOwner
  /**
   * waiting: after a failure, until it may be tried again. broken: it failed so often that it is left alone for a
   * while, then one try decides. ended: nothing of it is left; told to `onState` only.
   */
  readonly phase: SessionPhase
  /** ISO 8601: since when it is in this phase. Wall time, for people; nothing is decided by it. */
  readonly since: string
  readonly pid?: number
  /** Calls that are running. */
  readonly busy: number
  /** How often it was started, and how often in a row that failed or it died early. */
  readonly starts: number
  readonly failures: number
  /** Printable: why the last session ended by itself or did not start. */
  readonly lastError?: string
  /** waiting, broken: milliseconds until it may be tried again. */
  readonly retryInMs?: number
}

export interface SessionPool {
  /**
   * Runs `work` with the session of that key. Rejects with a CallFailure: `server-unavailable` (it did not start, or
   * must not be tried again yet), `pool-full`, `pool-closed`, `call-cancelled`, `invalid-id`; or with whatever `work`
   * rejects with. Work is never run twice. The signal ends the wait for a session; a call that runs is ended by the
   * signal that `work` hands to it.
   */
  readonly use: <T>(
    server: McpServerConfig,
    owner: ThreadOwner,
    work: (session: OpenSession) => Promise<T>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<T>
  /**
   * Hands over a session that was opened for something else, such as a listing, in the place where this owner's
   * sessions start. True: it is the pool's. False: there was no room, one exists already, or somebody answers for this
   * owner and this session knows nothing of them; it was ended.
   * Rejects with `invalid-id`, the session ended.
   */
  readonly adopt: (server: McpServerConfig, owner: ThreadOwner, session: OpenSession) => Promise<boolean>
  /**
   * Ends the sessions of a thread: running calls may end first, within `graceMs` (absent: 5 s); who waits for a session
   * gets `call-cancelled`. The thread may be used again afterwards. Rejects with `invalid-id`.
   */
  readonly endThread: (owner: ThreadOwner, graceMs?: number) => Promise<void>
  /**
   * Ends all sessions of a server, as after an edit of its configuration or a login, and forgets its failures. Running
   * calls may end first, within `graceMs` (absent: 5 s); who waits for a session gets `server-unavailable`.
   */
  readonly endServer: (server: string, graceMs?: number) => Promise<void>
  /** Every session and every failure that is remembered, in the order in which they were first asked for. */
  readonly states: () => readonly SessionState[]
  /**
   * Ends everything; running calls may end first, within `graceMs` (absent: 5 s). Final: nothing is opened afterwards.
   * A second call may shorten the time.
   */
  readonly close: (graceMs?: number) => Promise<void>
}
