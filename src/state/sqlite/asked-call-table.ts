import { type AskedCall, type AskedCallStore, readAskedCall } from '../approval-state.ts'
import { column } from './column.ts'
import { type Access, type InOrder, refusal, together } from './sqlite-access.ts'
import type { Row, SqliteDatabase } from './sqlite-driver.ts'

/** Questions of one thread that wait; of more, the oldest are forgotten, and asked again when it comes to that. */
const questionsMax = 100
/** Bytes of one question, which is mostly the arguments of the call. */
const bytesMax = 256 * 1024

const select = `SELECT id, CASE WHEN length(CAST(state AS BLOB)) <= ${2 * bytesMax} THEN state END AS state FROM asked_call`
const byId = `${select} WHERE id = ?`
const byCall = `${select} WHERE "user" = ? AND thread = ? AND agent = ? AND call = ?`
const ofUser = `${select} WHERE "user" = ?1 AND (?2 = '' OR thread = ?2) ORDER BY seq`
const put = 'INSERT OR REPLACE INTO asked_call (id, "user", thread, agent, call, state) VALUES (?, ?, ?, ?, ?, ?)'
const change = 'UPDATE asked_call SET state = ? WHERE id = ?'
const drop = 'DELETE FROM asked_call WHERE id = ?'
const forget = 'DELETE FROM asked_call WHERE "user" = ? AND thread = ?'
const forgetOldest = `DELETE FROM asked_call WHERE seq IN
  (SELECT seq FROM asked_call WHERE "user" = ? AND thread = ? ORDER BY seq DESC LIMIT -1 OFFSET ${questionsMax})`

export function askedCallTable(access: Access, inOrder: InOrder, place: string): AskedCallStore {
  const written = async <T>(work: (database: SqliteDatabase) => T): Promise<T> =>
    (await inOrder((ordered) => ordered('write', (database) => together(database, 'FULL', () => work(database))))) as T
  const idOf = (id: string): string => column(id, 'id', place)
  const callOf = ({ user, thread, agent, call }: Pick<AskedCall, 'user' | 'thread' | 'agent' | 'call'>) => [
    column(user, 'user', place),
    column(thread, 'thread', place),
    column(agent, 'agent', place),
    column(call, 'call', place),
  ]
  const storable = (question: AskedCall): string => {
    const read = readAskedCall(question)
    const text = read === undefined ? undefined : JSON.stringify(read)
    if (text === undefined) throw refusal('state-refused', place, 'this call has no form that can be read again')
    const bytes = Buffer.byteLength(text)
    if (bytes <= bytesMax) return text
    const what = `a call takes ${bytes} bytes, and at most ${bytesMax} are kept until somebody answers`
    throw refusal('state-refused', place, what)
  }
  return {
    ask: async (question) => {
      const values = [idOf(question.id), ...callOf(question)]
      const text = storable(question)
      return written((database) => {
        const [before] = database.rows(byCall, ...values.slice(1)).map(questionOf)
        if (before !== undefined) return before
        database.run(put, ...values, text)
        database.run(forgetOldest, ...values.slice(1, 3))
        return question
      })
    },
    find: async (id) => {
      const value = idOf(id)
      const rows = await access('read', (database) => database.rows(byId, value))
      return rows?.map(questionOf)[0]
    },
    answer: async (id, answer) => {
      const value = idOf(id)
      return written((database) => {
        const [before] = database.rows(byId, value).map(questionOf)
        if (before === undefined || before.answer !== undefined) return undefined
        const after: AskedCall = { ...before, answer }
        database.run(change, storable(after), value)
        return after
      })
    },
    take: async (key) => {
      const values = callOf(key)
      // Most calls that are asked about were never kept: that must take no lock.
      const [found] = (await access('read', (database) => database.rows(byCall, ...values).map(questionOf))) ?? []
      if (found?.answer === undefined) return found
      return written((database) => {
        const [now] = database.rows(byCall, ...values).map(questionOf)
        if (now?.answer !== undefined) database.run(drop, idOf(now.id))
        return now
      })
    },
    drop: async (id) => {
      const value = idOf(id)
      await written((database) => database.run(drop, value))
    },
    list: async ({ user, thread }) => {
      const values = [column(user, 'user', place), thread === undefined ? '' : column(thread, 'thread', place)]
      const rows = await access('read', (database) => database.rows(ofUser, ...values))
      return (rows ?? []).map(questionOf).filter((question) => question !== undefined)
    },
    forget: async ({ user, thread }) => {
      const values = [column(user, 'user', place), column(thread, 'thread', place)]
      await written((database) => database.run(forget, ...values))
    },
  }
}

/** Undefined where somebody else wrote it. */
function questionOf({ state }: Row): AskedCall | undefined {
  try {
    return typeof state === 'string' ? readAskedCall(JSON.parse(state)) : undefined
  } catch {
    return undefined
  }
}
