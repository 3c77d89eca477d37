// Conversations that outlive a process: which threads there are and how they stand, and the checkpoints from which the
// agent goes on. What a checkpoint holds is the agent framework's affair; a store keeps it as it is.

import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { ThreadKey } from './state-store.ts'

/** How a turn ended. running: it has not, or its program was ended before it could say so. */
export type TurnState = 'running' | 'answered' | 'waiting' | 'limit' | 'cancelled' | 'failed'

/** What a turn that ended as `waiting` waits for. */
export type WaitingFor =
  /** The person answers with the next message. */
  | {
      readonly kind: 'clarification'
      /** Id of the call in the conversation. */
      readonly callId: string
      /** Who asks: the agent of the thread or a child. */
      readonly agent: string
      readonly question: JsonObject
    }
  /** The person answers the stored question `approvalId` (`StateStore.askedCalls`). */
  | {
      readonly kind: 'approval'
      readonly callId: string
      readonly agent: string
      readonly approvalId: string
      readonly tool: string
      readonly args: JsonObject
    }

/** One conversation of one agent. */
export interface ThreadRecord extends ThreadKey {
  /** The first words of the person, one printable line. */
  readonly title: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly updatedAt: string
  /** Turns that were begun. */
  readonly turns: number
  readonly state: TurnState
  /** Skills in use in this thread beside those of the configuration. `[]`: none. */
  readonly skills: readonly string[]
  /** `[]`: nothing. */
  readonly waitingFor: readonly WaitingFor[]
}

export interface ThreadStore {
  /** Undefined: there is no such conversation, or what was stored cannot be read. */
  readonly read: (key: ThreadKey) => Promise<ThreadRecord | undefined>
  /**
   * Reads, changes and writes with nobody in between; as `PromotionStore.update`. What is written names this key.
   * Undefined takes the record away and leaves the checkpoints.
   */
  readonly update: (
    key: ThreadKey,
    change: (before: ThreadRecord | undefined) => ThreadRecord | undefined,
  ) => Promise<ThreadRecord | undefined>
  /** Conversations of a user, the one that was last written first, at most `limit`. */
  readonly list: (of: { readonly user: string; readonly limit: number }) => Promise<readonly ThreadRecord[]>
  /**
   * Forgets the conversations of a thread with all their checkpoints, those of its children included. Claims stay: a
   * turn that goes on writes again, so whoever forgets claims the conversation first.
   */
  readonly forget: (of: Pick<ThreadKey, 'user' | 'thread'>) => Promise<void>
  /**
   * Takes a conversation, there or not, for a turn until the given time, so that no two programs carry on one
   * conversation at once. False: another holder has it. The same holder takes it again to prolong. `now` and `until`:
   * milliseconds of `Date`, at most an hour apart; a claim that lies further ahead, as after a clock was set back,
   * holds nobody off.
   */
  readonly claim: (
    key: ThreadKey,
    claim: { readonly holder: string; readonly now: number; readonly until: number },
  ) => Promise<boolean>
  /** Gives it back; nothing where another holder has it. */
  readonly release: (key: ThreadKey, holder: string) => Promise<void>
}

/** A conversation of the framework: that of an agent, or of one run of a child. */
export interface CheckpointPlace extends ThreadKey {
  /** Id of the call that started this child. `''`: the conversation of the agent itself. */
  readonly run: string
  /** The framework's namespace of a graph inside a graph. `''`: the outermost. */
  readonly namespace: string
}

/** A value in the framework's own form: the name of its encoding and its bytes. */
export interface Encoded {
  readonly type: string
  readonly bytes: Uint8Array
}

export interface StoredCheckpoint {
  /** Ids are of one length and sort in the order in which they were made, as long as no clock is set back. */
  readonly id: string
  readonly parentId?: string
  readonly checkpoint: Encoded
  readonly metadata: Encoded
}

export interface StoredWrite {
  readonly taskId: string
  /** Place of the task in its step. `''`: before all that have one. */
  readonly taskPath: string
  /** Place among the writes of its task; negative for the framework's own. */
  readonly index: number
  readonly channel: string
  readonly value: Encoded
}

export interface CheckpointWithWrites {
  readonly checkpoint: StoredCheckpoint
  /** In the order of task path, task and index; texts by code point. */
  readonly writes: readonly StoredWrite[]
}

export interface CheckpointStore {
  /**
   * Keeps a checkpoint; of more than `keep` in this place those that were put first are forgotten with their writes,
   * never the one that is put now. Of more than 1000 places of a thread those that were longest left alone are
   * forgotten, but never the conversation of an agent itself.
   */
  readonly put: (place: CheckpointPlace, checkpoint: StoredCheckpoint, keep: number) => Promise<void>
  /**
   * Keeps writes of a checkpoint, which may be put later; one with the same task and index takes the place of an
   * earlier one where `replace` is true, else the earlier stays.
   */
  readonly putWrites: (
    place: CheckpointPlace,
    checkpointId: string,
    writes: readonly (StoredWrite & { readonly replace: boolean })[],
  ) => Promise<void>
  /** Absent id: the one that was put last, which a clock that was set back does not change. */
  readonly read: (place: CheckpointPlace, id?: string) => Promise<CheckpointWithWrites | undefined>
  /** By id, youngest first, at most `limit`. `before`: only older ones than this id. */
  readonly list: (
    place: CheckpointPlace,
    options: { readonly before?: string; readonly limit: number },
  ) => Promise<readonly CheckpointWithWrites[]>
  /** Where there are checkpoints. Absent agent, run or namespace: of all of them. */
  readonly places: (
    of: Pick<CheckpointPlace, 'user' | 'thread'> & Partial<Pick<CheckpointPlace, 'agent' | 'run' | 'namespace'>>,
  ) => Promise<readonly CheckpointPlace[]>
  /** Forgets one conversation, in all namespaces. */
  readonly forget: (place: Omit<CheckpointPlace, 'namespace'>) => Promise<void>
}

const turnStates: readonly string[] = [
  'running',
  'answered',
  'waiting',
  'limit',
  'cancelled',
  'failed',
] satisfies readonly TurnState[]

/** A conversation as it was stored. Undefined: it is not of that form. */
export function readThreadRecord(value: unknown): ThreadRecord | undefined {
  if (!isJsonObject(value)) return undefined
  const texts = [value.user, value.thread, value.agent, value.title, value.startedAt, value.updatedAt]
  if (!texts.every((text) => typeof text === 'string')) return undefined
  const { user, thread, agent, title, startedAt, updatedAt, turns, state, skills } = value as unknown as ThreadRecord
  if (!Number.isSafeInteger(turns) || turns < 0 || !turnStates.includes(state)) return undefined
  if (!Array.isArray(skills) || !skills.every((skill) => typeof skill === 'string')) return undefined
  if (!Array.isArray(value.waitingFor)) return undefined
  const waitingFor = value.waitingFor.map(readWaitingFor)
  if (!waitingFor.every((one) => one !== undefined)) return undefined
  return { user, thread, agent, title, startedAt, updatedAt, turns, state, skills: [...skills], waitingFor }
}

function readWaitingFor(value: unknown): WaitingFor | undefined {
  if (!isJsonObject(value)) return undefined
  const { kind, callId, agent, question, approvalId, tool, args } = value
  if (typeof callId !== 'string' || typeof agent !== 'string') return undefined
  if (kind === 'clarification') return isJsonObject(question) ? { kind, callId, agent, question } : undefined
  if (kind !== 'approval' || typeof approvalId !== 'string' || typeof tool !== 'string') return undefined
  return isJsonObject(args) ? { kind, callId, agent, approvalId, tool, args } : undefined
}
