import type { UseStore } from '../state-store.ts'
import { column, textOfColumn } from './column.ts'
import { type Access, type InOrder, together } from './sqlite-access.ts'

/** Tools that are counted for one agent; of more, the least called are forgotten. */
const toolsMax = 5000

const addCall = `INSERT INTO tool_use (agent, tool, calls) VALUES (?, ?, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1 RETURNING calls = 1 AS is_new`
/** Node's library throws at a number that JavaScript cannot hold. */
const mostCalled = `SELECT tool, calls FROM tool_use
  WHERE agent = ? AND calls BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER} ORDER BY calls DESC, tool LIMIT ?`
/** Never the one that was counted just now: it would have no chance to become one of the most called. */
const forgetLeast = `DELETE FROM tool_use WHERE agent = ?1 AND tool IN
  (SELECT tool FROM tool_use WHERE agent = ?1 AND tool <> ?2 ORDER BY calls DESC, tool LIMIT -1 OFFSET ${toolsMax - 1})`

export function useTable(access: Access, inOrder: InOrder, place: string): UseStore {
  return {
    count: async (agent, id) => {
      const columns = [column(agent, 'agent', place), column(id, 'tool', place)]
      await inOrder((ordered) =>
        ordered('write', (database) =>
          // A count that is lost with the power costs nothing, and no call should wait for the disk.
          together(database, 'NORMAL', () => {
            if (database.rows(addCall, ...columns)[0]?.is_new === 1) database.run(forgetLeast, ...columns)
          }),
        ),
      )
    },
    most: async (agent, limit) => {
      const values = [column(agent, 'agent', place), Math.max(0, Math.min(Math.floor(limit) || 0, toolsMax))]
      const rows = await access('read', (database) => database.rows(mostCalled, ...values))
      return (rows ?? []).flatMap(({ tool, calls }) => {
        const id = textOfColumn(tool)
        return id === undefined || typeof calls !== 'number' ? [] : [{ id, calls }]
      })
    },
  }
}
