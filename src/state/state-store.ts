// What outlives a process. One interface; SQLite by default. A store is opened once and shared; everything in it is
// plain JSON that is checked when it is read, because files are edited, cut off and written by other versions.

import type { PromotionState } from '../catalog/promotion.ts'
import type { Finding } from '../core/finding.ts'
import type { ApprovalStore, AskedCallStore } from './approval-state.ts'
import type { CheckpointStore, ThreadStore } from './thread-state.ts'

export interface ThreadKey {
  readonly user: string
  readonly thread: string
  /** Whose surface: promotions of a child are its own. */
  readonly agent: string
}

export interface PromotionStore {
  /** Undefined: nothing was ever promoted in this thread, or what was stored cannot be read. */
  readonly read: (key: ThreadKey) => Promise<PromotionState | undefined>
  /**
   * Reads, changes and writes with nobody in between, in this process or another. Returns what is stored now.
   * `change` is pure and synchronous, and may be asked twice; returning what it was given writes nothing, and so works
   * where nothing can be written. Updates of one store are done in the order in which they were asked for. Rejects
   * with what `change` throws, or with a ToolgateError; then nothing was written.
   */
  readonly update: (
    key: ThreadKey,
    change: (before: PromotionState | undefined) => PromotionState | undefined,
  ) => Promise<PromotionState | undefined>
  /** Forgets the promotions of one thread, of all its agents. */
  readonly forget: (key: Pick<ThreadKey, 'user' | 'thread'>) => Promise<void>
}

/** How often a tool was called, so that deferral keeps what is used. */
export interface ToolUse {
  /** Identity of the tool (`Candidate.id`). */
  readonly id: string
  readonly calls: number
}

export interface UseStore {
  readonly count: (agent: string, id: string) => Promise<void>
  /** The most called tools of an agent, most called first, at most `limit`. */
  readonly most: (agent: string, limit: number) => Promise<readonly ToolUse[]>
}

export interface StateStore {
  readonly promotions: PromotionStore
  readonly use: UseStore
  /** What people approved for good. */
  readonly approvals: ApprovalStore
  /** Calls that wait for the answer of a person. */
  readonly askedCalls: AskedCallStore
  /** Conversations and how they stand. */
  readonly threads: ThreadStore
  readonly checkpoints: CheckpointStore
  /** What was wrong with the stored state, such as a torn file that was set aside; grows while it is open. `[]`: nothing. */
  readonly findings: readonly Finding[]
  /** Safe to call again. */
  readonly close: () => Promise<void>
}
