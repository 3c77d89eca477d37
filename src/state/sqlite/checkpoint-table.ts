// Checkpoints are kept with `synchronous = NORMAL`. Whoever ends the process loses nothing; when the power fails, the
// last steps may be gone, of which the file then holds no trace: the conversation goes on one step earlier. The next
// write of a conversation or a promotion, which is FULL, brings all of them to the disk.

import type { CheckpointPlace, CheckpointStore, CheckpointWithWrites } from '../thread-state.ts'
import { bytesMax, checkpointColumns, checkpointOf, inStepOrder, writeColumns, writeOf } from './checkpoint-row.ts'
import { column, textOfColumn } from './column.ts'
import { type Access, type InOrder, refusal, together } from './sqlite-access.ts'
import type { Row, SqliteDatabase } from './sqlite-driver.ts'

/** Writes of one checkpoint: those of one step. */
const writesMax = 10_000
/** Places of one thread beside the conversations of its agents: runs of children, graphs inside graphs. */
const placesMax = 1000
const listMax = 1000

const ofThread = '"user" = ?1 AND thread = ?2'
const ofRun = `${ofThread} AND agent = ?3 AND run = ?4`
const ofPlace = `${ofRun} AND namespace = ?5`
const placeColumns = '"user", thread, agent, run, namespace'

const select = `SELECT id, parent, type, metadata_type, CASE WHEN length(metadata) <= ${bytesMax} THEN metadata END AS metadata,
  CASE WHEN length(body) <= ${bytesMax} THEN body END AS body FROM checkpoint`
const last = `${select} WHERE seq = (SELECT max(seq) FROM checkpoint WHERE ${ofPlace})`
const byId = `${select} WHERE ${ofPlace} AND id = ?6`
/** `''`, which no column holds, stands for the youngest of all. */
const olderThan = `${select} WHERE ${ofPlace} AND (?6 = '' OR id < ?6) ORDER BY id DESC LIMIT ?7`
/** A new row for one that is put again: it is the last then. */
const put = `INSERT OR REPLACE INTO checkpoint (${placeColumns}, id, parent, type, metadata_type, metadata, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const isThere = `SELECT 1 FROM checkpoint WHERE ${ofPlace} LIMIT 1`
const forgetOldest = `DELETE FROM checkpoint WHERE seq IN
  (SELECT seq FROM checkpoint WHERE ${ofPlace} ORDER BY seq DESC LIMIT -1 OFFSET ?6) RETURNING id`

const writesOf = `SELECT task, number, path, channel, type, CASE WHEN length(body) <= ${bytesMax} THEN body END AS body
  FROM checkpoint_write WHERE ${ofPlace} AND id = ?6
    AND number BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`
const sizeOfWrites = `SELECT count(*) AS writes, coalesce(sum(length(body)), 0) AS bytes
  FROM checkpoint_write WHERE ${ofPlace} AND id = ?6`
const intoWrites = `checkpoint_write (${placeColumns}, id, task, number, path, channel, type, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const replaceWrite = `INSERT OR REPLACE INTO ${intoWrites}`
const addWrite = `INSERT OR IGNORE INTO ${intoWrites}`
const forgetWrites = `DELETE FROM checkpoint_write WHERE ${ofPlace} AND id = ?6`
/** Writes whose checkpoint was never put, because the process ended, or came when it was forgotten already. */
const forgetStrays = `DELETE FROM checkpoint_write WHERE ${ofPlace} AND id < (SELECT min(id) FROM checkpoint WHERE ${ofPlace})`

const places = `SELECT agent, run, namespace FROM checkpoint
  WHERE ${ofThread} AND (?3 = '' OR agent = ?3) AND (?4 = '' OR run = ?4) AND (?5 = '' OR namespace = ?5)
  GROUP BY agent, run, namespace`
const surplusPlaces = `SELECT agent, run, namespace FROM checkpoint
  WHERE ${ofThread} AND NOT (run = '""' AND namespace = '""')
  GROUP BY agent, run, namespace ORDER BY max(seq) DESC LIMIT -1 OFFSET ${placesMax}`

const tables = ['checkpoint', 'checkpoint_write'] as const

/** Forgets the checkpoints of a thread, given as columns, inside of a transaction. */
export function forgetThread(database: SqliteDatabase, columns: readonly string[]): void {
  for (const table of tables) database.run(`DELETE FROM ${table} WHERE ${ofThread}`, ...columns)
}

export function checkpointTable(access: Access, inOrder: InOrder, place: string): CheckpointStore {
  const written = async (work: (database: SqliteDatabase) => void): Promise<void> => {
    await inOrder((ordered) => ordered('write', (database) => together(database, 'NORMAL', () => work(database))))
  }
  const some = (text: string | undefined, what: string): string => (text === undefined ? '' : column(text, what, place))
  const runOf = ({ user, thread, agent, run }: Omit<CheckpointPlace, 'namespace'>): readonly string[] => [
    column(user, 'user', place),
    column(thread, 'thread', place),
    column(agent, 'agent', place),
    column(run, 'run', place),
  ]
  const placeOf = (at: CheckpointPlace): readonly string[] => [...runOf(at), column(at.namespace, 'namespace', place)]
  return {
    put: async (at, checkpoint, keep) => {
      const columns = placeOf(at)
      const values = checkpointColumns(checkpoint, place)
      const kept = Math.max(1, Math.min(Math.floor(keep) || 1, Number.MAX_SAFE_INTEGER))
      await written((database) => {
        const isNew = database.rows(isThere, ...columns).length === 0
        database.run(put, ...columns, ...values)
        for (const { id } of database.rows(forgetOldest, ...columns, kept))
          database.run(forgetWrites, ...columns, String(id))
        database.run(forgetStrays, ...columns)
        if (isNew) forgetSurplus(database, columns.slice(0, 2))
      })
    },
    putWrites: async (at, checkpointId, writes) => {
      const columns = [...placeOf(at), column(checkpointId, 'id', place)]
      const rows = writes.map((write) => ({ values: writeColumns(write, place), replace: write.replace }))
      if (rows.length === 0) return
      await written((database) => {
        for (const { values, replace } of rows) database.run(replace ? replaceWrite : addWrite, ...columns, ...values)
        const [size] = database.rows(sizeOfWrites, ...columns)
        if (Number(size?.writes) > writesMax || Number(size?.bytes) > bytesMax)
          throw refusal('state-refused', place, `the writes of a step are more than ${writesMax}, or ${bytesMax} bytes`)
      })
    },
    read: async (at, id) => {
      const columns = placeOf(at)
      const values = id === undefined ? columns : [...columns, column(id, 'id', place)]
      return access('read', (database) => {
        const [row] = database.rows(id === undefined ? last : byId, ...values)
        return row === undefined ? undefined : withWrites(database, columns, row)
      })
    },
    list: async (at, { before, limit }) => {
      const columns = placeOf(at)
      const values = [...columns, some(before, 'id'), Math.max(0, Math.min(Math.floor(limit) || 0, listMax))]
      const found = await access('read', (database) =>
        database.rows(olderThan, ...values).map((row) => withWrites(database, columns, row)),
      )
      return (found ?? []).filter((one) => one !== undefined)
    },
    places: async ({ user, thread, agent, run, namespace }) => {
      const values = [
        column(user, 'user', place),
        column(thread, 'thread', place),
        some(agent, 'agent'),
        some(run, 'run'),
        some(namespace, 'namespace'),
      ]
      const rows = await access('read', (database) => database.rows(places, ...values))
      return (rows ?? []).flatMap((row) => {
        const [agent, run, namespace] = [row.agent, row.run, row.namespace].map(textOfColumn)
        if (agent === undefined || run === undefined || namespace === undefined) return []
        return [{ user, thread, agent, run, namespace }]
      })
    },
    forget: async (at) => {
      const columns = runOf(at)
      await written((database) => {
        for (const table of tables) database.run(`DELETE FROM ${table} WHERE ${ofRun}`, ...columns)
      })
    },
  }
}

function forgetSurplus(database: SqliteDatabase, thread: readonly string[]): void {
  for (const { agent, run, namespace } of database.rows(surplusPlaces, ...thread))
    for (const table of tables)
      database.run(`DELETE FROM ${table} WHERE ${ofPlace}`, ...thread, ...[agent, run, namespace].map(String))
}

/** Undefined where somebody else wrote the row. */
function withWrites(database: SqliteDatabase, columns: readonly string[], row: Row): CheckpointWithWrites | undefined {
  const checkpoint = checkpointOf(row)
  if (checkpoint === undefined) return undefined
  const writes = database.rows(writesOf, ...columns, String(row.id)).map(writeOf)
  return { checkpoint, writes: writes.filter((write) => write !== undefined).sort(inStepOrder) }
}
