// Rows of checkpoints and of their writes, both ways. What a row holds is checked when it is read.

import type { Encoded, StoredCheckpoint, StoredWrite } from '../thread-state.ts'
import { bytesOfColumn, column, textOfColumn } from './column.ts'
import { refusal } from './sqlite-access.ts'
import type { Row } from './sqlite-driver.ts'

/** Bytes of one checkpoint, and of all writes of one checkpoint. */
export const bytesMax = 64 * 1024 * 1024

function encoded({ type, bytes }: Encoded, place: string): readonly [type: string, bytes: Uint8Array] {
  if (!(bytes instanceof Uint8Array)) throw refusal('state-refused', place, 'a value of a checkpoint is no bytes')
  if (bytes.length <= bytesMax) return [column(type, 'encoding', place), bytes]
  const what = `a value of a checkpoint takes ${bytes.length} bytes, and at most ${bytesMax} are kept`
  throw refusal('state-refused', place, what)
}

export function checkpointColumns({ id, parentId, checkpoint, metadata }: StoredCheckpoint, place: string) {
  const [type, body] = encoded(checkpoint, place)
  const [metadataType, about] = encoded(metadata, place)
  const parent = parentId === undefined ? '' : column(parentId, 'id', place)
  return [column(id, 'id', place), parent, type, metadataType, about, body] as const
}

export function writeColumns({ taskId, taskPath, index, channel, value }: StoredWrite, place: string) {
  if (!Number.isSafeInteger(index)) throw refusal('state-refused', place, 'the index of a write is no whole number')
  const [type, body] = encoded(value, place)
  const [task, path] = [column(taskId, 'task', place), column(taskPath, 'path of a task', place)]
  return [task, index, path, column(channel, 'channel', place), type, body] as const
}

/** Undefined where somebody else wrote the row. */
export function checkpointOf(row: Row): StoredCheckpoint | undefined {
  const [id, parentId] = [row.id, row.parent].map(textOfColumn)
  const [checkpoint, metadata] = [encodedOf(row.type, row.body), encodedOf(row.metadata_type, row.metadata)]
  if (id === undefined || checkpoint === undefined || metadata === undefined) return undefined
  if (row.parent === '') return { id, checkpoint, metadata }
  return parentId === undefined ? undefined : { id, parentId, checkpoint, metadata }
}

/** Undefined where somebody else wrote the row. */
export function writeOf(row: Row): StoredWrite | undefined {
  const [taskId, taskPath, channel] = [row.task, row.path, row.channel].map(textOfColumn)
  const value = encodedOf(row.type, row.body)
  const { number: index } = row
  if (taskId === undefined || taskPath === undefined || channel === undefined) return undefined
  return value === undefined || typeof index !== 'number' ? undefined : { taskId, taskPath, index, channel, value }
}

function encodedOf(typeColumn: unknown, bytesColumn: unknown): Encoded | undefined {
  const type = textOfColumn(typeColumn)
  const bytes = bytesOfColumn(bytesColumn)
  return type === undefined || bytes === undefined ? undefined : { type, bytes }
}

/** The order in which the framework applies the writes of a step. */
export const inStepOrder = (one: StoredWrite, other: StoredWrite): number =>
  byCodePoint(one.taskPath, other.taskPath) || byCodePoint(one.taskId, other.taskId) || one.index - other.index

/** UTF-8 sorts as code points do. */
const byCodePoint = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
