import { type PromotionState, readPromotionState } from '../../catalog/promotion.ts'
import type { PromotionStore, ThreadKey } from '../state-store.ts'
import { column } from './column.ts'
import { type Access, type InOrder, ofCaller, refusal, together } from './sqlite-access.ts'
import type { SqliteDatabase } from './sqlite-driver.ts'

/** Bytes of one stored state: room for as many promotions as a state may hold, with names of usual length. */
const bytesMax = 512 * 1024

const ofThread = 'FROM promotion WHERE "user" = ? AND thread = ?'
const at = `${ofThread} AND agent = ?`
/** What is too long to be ours is not even brought here. */
const take = `SELECT CASE WHEN length(CAST(state AS BLOB)) <= ${bytesMax} THEN state END AS state ${at}`
const put = `INSERT INTO promotion ("user", thread, agent, state) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET state = excluded.state`

export function promotionTable(access: Access, inOrder: InOrder, place: string): PromotionStore {
  const columnsOf = ({ user, thread, agent }: ThreadKey): readonly string[] => [
    column(user, 'user', place),
    column(thread, 'thread', place),
    column(agent, 'agent', place),
  ]
  return {
    read: async (key) => {
      const columns = columnsOf(key)
      return access('read', (database) => stateAt(database, columns))
    },
    update: async (key, change) => {
      const columns = columnsOf(key)
      return inOrder(async (ordered) => {
        // Most changes of a turn change nothing: that must take no lock, and no room on a full disk.
        const before = await ordered('read', (database) => stateAt(database, columns))
        if (change(before) === before) return before
        return ordered('write', (database) =>
          together(database, 'FULL', () => {
            const now = stateAt(database, columns)
            const after = ofCaller(() => change(now))
            if (after === now) return now
            const stored = after === undefined ? undefined : storable(after, place)
            if (stored === undefined) database.run(`DELETE ${at}`, ...columns)
            else database.run(put, ...columns, stored.text)
            return stored?.state
          }),
        )
      })
    },
    forget: async ({ user, thread }) => {
      const columns = [column(user, 'user', place), column(thread, 'thread', place)]
      await inOrder(async (ordered) => {
        const stored = await ordered('read', (database) => database.rows(`SELECT 1 ${ofThread} LIMIT 1`, ...columns))
        if (stored === undefined || stored.length === 0) return
        await ordered('write', (database) =>
          together(database, 'FULL', () => database.run(`DELETE ${ofThread}`, ...columns)),
        )
      })
    },
  }
}

function stateAt(database: SqliteDatabase, columns: readonly string[]): PromotionState | undefined {
  const text = database.rows(take, ...columns)[0]?.state
  if (typeof text !== 'string') return undefined
  try {
    return readPromotionState(JSON.parse(text))
  } catch {
    return undefined
  }
}

function storable(after: PromotionState, place: string): { readonly text: string; readonly state: PromotionState } {
  const state = readPromotionState(after)
  if (state === undefined) throw refusal('state-refused', place, 'these promotions have no form that can be read again')
  const text = JSON.stringify(state)
  const bytes = Buffer.byteLength(text)
  if (bytes > bytesMax)
    throw refusal(
      'state-refused',
      place,
      `the promotions of a thread take ${bytes} bytes, and at most ${bytesMax} are kept`,
    )
  return { text, state }
}
