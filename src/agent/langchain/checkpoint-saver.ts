// The framework's checkpoints in the state store. A class, because the framework asks for one.
//
// A checkpoint is stored whole, with everything that was said so far, and only the last ones of a conversation are
// kept: nobody travels in time, and a conversation must not cost the square of its length.

import type { RunnableConfig } from '@langchain/core/runnables'
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
} from '@langchain/langgraph'
import {
  type CheckpointListOptions,
  type CheckpointPendingWrite,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  TASKS,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint'
import { isJsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { finding, ToolgateError } from '../../errors.ts'
import type { StateStore } from '../../state/state-store.ts'
import type { CheckpointPlace, CheckpointStore, CheckpointWithWrites, Encoded } from '../../state/thread-state.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import { checkpointSerde } from './checkpoint-serde.ts'

export interface CheckpointSaverOptions {
  readonly owner: ThreadOwner
  /** Checkpoints that are kept of a conversation. Absent: 2, so that one stands before the last. */
  readonly keep?: number
}

type Store = () => Promise<Pick<StateStore, 'checkpoints'>>

/** `configurable.thread_id` of an agent's conversation. `run`: id of the call that started this child, else `''`. */
export const conversationId = (agent: string, run: string): string => JSON.stringify([agent, run])

/** The framework's saver over a store that is opened when it is first needed. Rejects with ToolgateErrors of the store. */
export const checkpointSaver = (store: Store, options: CheckpointSaverOptions): BaseCheckpointSaver =>
  new StoreSaver(store, options)

/** Checkpoints that are brought here at once where many are looked through. */
const pageSize = 16

class StoreSaver extends BaseCheckpointSaver {
  readonly #store: Store
  readonly #owner: ThreadOwner
  readonly #keep: number

  constructor(store: Store, { owner, keep = 2 }: CheckpointSaverOptions) {
    super(checkpointSerde())
    this.#store = store
    this.#owner = owner
    this.#keep = keep
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const threadId: string | undefined = config.configurable?.thread_id
    if (threadId === undefined) return undefined
    const place = this.#placeOf(config)
    const { checkpoints } = await this.#store()
    const found = await checkpoints.read(place, getCheckpointId(config) || undefined)
    return found === undefined ? undefined : this.#tupleOf(found, { place, threadId, checkpoints })
  }

  override async *list(
    config: RunnableConfig,
    { limit = Number.POSITIVE_INFINITY, before, filter = {} }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id: threadId, checkpoint_ns: namespace } = config.configurable ?? {}
    const only = getCheckpointId(config)
    const { checkpoints } = await this.#store()
    const of = threadId === undefined ? {} : conversationOf(threadId)
    let left = limit
    for (const place of await checkpoints.places({ ...this.#owner, ...of, namespace })) {
      const around = { place, threadId: threadId ?? idOf(place), checkpoints }
      for await (const found of youngestFirst(checkpoints, place, before && getCheckpointId(before))) {
        if (left <= 0) return
        if (only !== '' && found.checkpoint.id !== only) continue
        const tuple = await this.#tupleOf(found, around)
        const about = tuple.metadata as { readonly [key: string]: unknown } | undefined
        if (!Object.entries(filter).every(([key, value]) => about?.[key] === value)) continue
        left -= 1
        yield tuple
      }
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const place = this.#placeOf(config)
    // Before anything is awaited: the framework goes on with these objects.
    const encoding = [this.#encoded(checkpoint), this.#encoded(metadata)] as const
    const [encodedCheckpoint, encodedMetadata] = await Promise.all(encoding)
    const { checkpoints } = await this.#store()
    await checkpoints.put(
      place,
      {
        id: checkpoint.id,
        parentId: getCheckpointId(config) || undefined,
        checkpoint: encodedCheckpoint,
        metadata: encodedMetadata,
      },
      this.#keep + stepsOfChanges(metadata),
    )
    return configOf(config.configurable?.thread_id, place.namespace, checkpoint.id)
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const place = this.#placeOf(config)
    const id = getCheckpointId(config)
    if (id === '') throw new Error('writes of no checkpoint: "checkpoint_id" is missing')
    const encoding = writes.map(async ([channel, value], number) => {
      const own = Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel] : undefined
      const index = own ?? number
      return { taskId, taskPath, index, channel, value: await this.#encoded(value), replace: index < 0 }
    })
    const encoded = await Promise.all(encoding)
    const { checkpoints } = await this.#store()
    await checkpoints.putWrites(place, id, encoded)
  }

  override async deleteThread(threadId: string): Promise<void> {
    const { checkpoints } = await this.#store()
    await checkpoints.forget({ ...this.#owner, ...conversationOf(threadId) })
  }

  #placeOf({ configurable = {} }: RunnableConfig): CheckpointPlace {
    const { thread_id: threadId, checkpoint_ns: namespace = '' } = configurable
    if (typeof threadId !== 'string') throw new Error('a conversation without an id: "thread_id" is missing')
    return { ...this.#owner, ...conversationOf(threadId), namespace }
  }

  async #encoded(value: unknown): Promise<Encoded> {
    const [type, bytes] = await this.serde.dumpsTyped(value)
    return { type, bytes }
  }

  async #decoded({ type, bytes }: Encoded, { place }: Around): Promise<unknown> {
    try {
      return await this.serde.loadsTyped(type, bytes)
    } catch (error) {
      throw unreadable(place, error instanceof Error ? error.message : String(error))
    }
  }

  async #tupleOf({ checkpoint: stored, writes }: CheckpointWithWrites, around: Around): Promise<CheckpointTuple> {
    const { place, threadId } = around
    const [checkpoint, metadata] = await Promise.all([
      this.#decoded(stored.checkpoint, around),
      this.#decoded(stored.metadata, around),
    ])
    if (!isJsonObject(checkpoint)) throw unreadable(place, 'it is no checkpoint')
    const { parentId } = stored
    return {
      config: configOf(threadId, place.namespace, stored.id),
      checkpoint: await this.#withSends(checkpoint as unknown as Checkpoint, parentId, around),
      metadata: metadata as CheckpointMetadata,
      pendingWrites: await Promise.all(
        writes.map(async ({ taskId, channel, value }): Promise<CheckpointPendingWrite> => {
          return [taskId, channel, await this.#decoded(value, around)]
        }),
      ),
      ...(parentId === undefined ? {} : { parentConfig: configOf(threadId, place.namespace, parentId) }),
    }
  }

  /** Before version 4 of the format, what was sent to tasks of the next step stood in the writes of the parent. */
  async #withSends(checkpoint: Checkpoint, parentId: string | undefined, around: Around): Promise<Checkpoint> {
    if (checkpoint.v >= 4 || parentId === undefined) return checkpoint
    const parent = await around.checkpoints.read(around.place, parentId)
    const sent = (parent?.writes ?? []).filter(({ channel }) => channel === TASKS)
    const sends = await Promise.all(sent.map(({ value }) => this.#decoded(value, around)))
    const versions = Object.values(checkpoint.channel_versions)
    const version = versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined)
    return {
      ...checkpoint,
      channel_values: { ...checkpoint.channel_values, [TASKS]: sends },
      channel_versions: { ...checkpoint.channel_versions, [TASKS]: version },
    }
  }
}

interface Around {
  readonly place: CheckpointPlace
  readonly threadId: string
  readonly checkpoints: CheckpointStore
}

/** A text of another form is the name of an agent. */
function conversationOf(threadId: string): Pick<CheckpointPlace, 'agent' | 'run'> {
  try {
    const read: unknown = JSON.parse(threadId)
    const [agent, run, more] = Array.isArray(read) ? read : []
    if (typeof agent === 'string' && typeof run === 'string' && more === undefined) return { agent, run }
  } catch {
    // No JSON.
  }
  return { agent: threadId, run: '' }
}

/** The id that reads as this conversation: as short as it can be, since it is not known how it was written. */
const idOf = ({ agent, run }: CheckpointPlace): string =>
  run === '' && conversationOf(agent).agent === agent ? agent : conversationId(agent, run)

const configOf = (threadId: string, namespace: string, id: string): RunnableConfig => ({
  configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: id },
})

/** Channels that are stored as changes need every step since they were last stored whole. */
const stepsOfChanges = ({ counters_since_delta_snapshot: counters = {} }: CheckpointMetadata): number =>
  Math.max(0, ...Object.values(counters).map(([, steps]) => steps))

async function* youngestFirst(
  checkpoints: CheckpointStore,
  place: CheckpointPlace,
  from: string | undefined,
): AsyncGenerator<CheckpointWithWrites> {
  let before = from || undefined
  for (;;) {
    const page = await checkpoints.list(place, { before, limit: pageSize })
    yield* page
    before = page.at(-1)?.checkpoint.id
    if (before === undefined) return
  }
}

/** It is told, since a conversation that silently begins anew would make its calls again. */
const unreadable = ({ agent }: CheckpointPlace, why: string): ToolgateError =>
  new ToolgateError(
    finding(
      'state-file',
      'error',
      `what is stored of the conversation of "${printable(agent)}" cannot be read: ${printable(why, 200)}`,
      {
        subject: printable(agent),
        hint: 'begin another thread',
      },
    ),
  )
