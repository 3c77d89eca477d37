import type { ThreadKey } from '../state-store.ts'
import { readThreadRecord, type ThreadRecord, type ThreadStore } from '../thread-state.ts'
import { forgetThread } from './checkpoint-table.ts'
import { column } from './column.ts'
import { type Access, type InOrder, ofCaller, refusal, together } from './sqlite-access.ts'
import type { Row, SqliteDatabase } from './sqlite-driver.ts'

/** Bytes of one record, which is mostly what it waits for. */
const bytesMax = 1024 * 1024
const listMax = 1000
const claimMsMax = 60 * 60 * 1000

const at = 'WHERE "user" = ? AND thread = ? AND agent = ?'
/** What is too long to be ours is not even brought here. */
const select = `SELECT "user", thread, agent, CASE WHEN length(CAST(state AS BLOB)) <= ${bytesMax} THEN state END AS state
  FROM conversation`
const byKey = `${select} ${at}`
const ofUser = `${select} WHERE "user" = ? ORDER BY seq DESC LIMIT ?`
/** A new row each time: it is the one that was last written then. */
const put = 'INSERT OR REPLACE INTO conversation ("user", thread, agent, state) VALUES (?, ?, ?, ?)'
const drop = `DELETE FROM conversation ${at}`
const forget = 'DELETE FROM conversation WHERE "user" = ? AND thread = ?'

const dropExpired = 'DELETE FROM conversation_claim WHERE until NOT BETWEEN ? AND ?'
const take = `INSERT INTO conversation_claim ("user", thread, agent, holder, until) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET until = excluded.until WHERE holder = excluded.holder RETURNING holder`
const release = `DELETE FROM conversation_claim ${at} AND holder = ?`

export function threadTable(access: Access, inOrder: InOrder, place: string): ThreadStore {
  const written = async <T>(synchronous: 'FULL' | 'NORMAL', work: (database: SqliteDatabase) => T): Promise<T> =>
    (await inOrder((ordered) =>
      ordered('write', (database) => together(database, synchronous, () => work(database))),
    )) as T
  const keyOf = ({ user, thread, agent }: ThreadKey): readonly string[] => [
    column(user, 'user', place),
    column(thread, 'thread', place),
    column(agent, 'agent', place),
  ]
  return {
    read: async (key) => {
      const columns = keyOf(key)
      return access('read', (database) => recordAt(database, columns))
    },
    update: async (key, change) => {
      const columns = keyOf(key)
      return inOrder(async (ordered) => {
        // What changes nothing takes no lock, and no room on a full disk.
        const before = await ordered('read', (database) => recordAt(database, columns))
        if (change(before) === before) return before
        return ordered('write', (database) =>
          together(database, 'FULL', () => {
            const now = recordAt(database, columns)
            const after = ofCaller(() => change(now))
            if (after === now) return now
            const stored = after === undefined ? undefined : storable(after, columns, place)
            if (stored === undefined) database.run(drop, ...columns)
            else database.run(put, ...columns, stored.text)
            return stored?.record
          }),
        )
      })
    },
    list: async ({ user, limit }) => {
      const values = [column(user, 'user', place), Math.max(0, Math.min(Math.floor(limit) || 0, listMax))]
      const rows = await access('read', (database) => database.rows(ofUser, ...values))
      return (rows ?? []).map(recordOf).filter((record) => record !== undefined)
    },
    forget: async ({ user, thread }) => {
      const columns = [column(user, 'user', place), column(thread, 'thread', place)]
      await written('FULL', (database) => {
        database.run(forget, ...columns)
        forgetThread(database, columns)
      })
    },
    claim: async (key, { holder, now, until }) => {
      const columns = [...keyOf(key), column(holder, 'holder', place)]
      if (!Number.isSafeInteger(now) || !Number.isSafeInteger(until) || until > now + claimMsMax)
        throw refusal('state-refused', place, 'a conversation is claimed for an hour at most')
      // A claim that is lost with the power holds nothing off that is still there.
      return written('NORMAL', (database) => {
        database.run(dropExpired, now + 1, now + claimMsMax)
        return database.rows(take, ...columns, until).length === 1
      })
    },
    release: async (key, holder) => {
      const columns = [...keyOf(key), column(holder, 'holder', place)]
      await written('NORMAL', (database) => database.run(release, ...columns))
    },
  }
}

const recordAt = (database: SqliteDatabase, columns: readonly string[]): ThreadRecord | undefined =>
  database.rows(byKey, ...columns).map(recordOf)[0]

/** Undefined where somebody else wrote it. */
function recordOf({ user, thread, agent, state }: Row): ThreadRecord | undefined {
  try {
    const record = typeof state === 'string' ? readThreadRecord(JSON.parse(state)) : undefined
    return record !== undefined && isOf(record, [user, thread, agent]) ? record : undefined
  } catch {
    return undefined
  }
}

const isOf = ({ user, thread, agent }: ThreadRecord, columns: readonly unknown[]): boolean =>
  [user, thread, agent].every((text, index) => JSON.stringify(text) === columns[index])

function storable(
  after: ThreadRecord,
  columns: readonly string[],
  place: string,
): { readonly text: string; readonly record: ThreadRecord } {
  const text = textOf(after)
  const bytes = Buffer.byteLength(text ?? '')
  if (bytes > bytesMax) {
    const what = `a conversation takes ${bytes} bytes beside its messages, and at most ${bytesMax} are kept`
    throw refusal('state-refused', place, what)
  }
  const record = text === undefined ? undefined : readThreadRecord(JSON.parse(text))
  if (text === undefined || record === undefined || !isOf(record, columns))
    throw refusal('state-refused', place, 'this conversation has no form that can be read again under its key')
  return { text, record }
}

/** Undefined where it has no form as JSON. */
function textOf(after: ThreadRecord): string | undefined {
  try {
    return JSON.stringify(readThreadRecord(after))
  } catch {
    return undefined
  }
}
