import type { ApprovalKey, ApprovalStore, Grant } from '../approval-state.ts'
import { column, textOfColumn } from './column.ts'
import { type Access, type InOrder, together } from './sqlite-access.ts'
import type { Row } from './sqlite-driver.ts'

/** Approvals of one user and agent; nobody looks through more of them. */
const grantsMax = 1000

const columns = '"user", agent, tool, rule, definition, given_at'
const at = 'FROM approval WHERE "user" = ? AND agent = ? AND tool = ? AND rule = ?'
const find = `SELECT ${columns} ${at}`
/** A new row for an approval that is given again: it is the youngest then. */
const put = `INSERT OR REPLACE INTO approval (${columns}) VALUES (?, ?, ?, ?, ?, ?)`
const forgetOldest = `DELETE FROM approval WHERE seq IN
  (SELECT seq FROM approval WHERE "user" = ? AND agent = ? ORDER BY seq DESC LIMIT -1 OFFSET ${grantsMax})`
/** `''`, which no column holds, stands for all of them. */
const which = `FROM approval WHERE "user" = ?1 AND (?2 = '' OR agent = ?2) AND (?3 = '' OR tool = ?3) AND (?4 = '' OR rule = ?4)`
const list = `SELECT ${columns} ${which} ORDER BY seq`
const forget = `DELETE ${which} RETURNING seq`

export function approvalTable(access: Access, inOrder: InOrder, place: string): ApprovalStore {
  const some = (text: string | undefined, what: string): string => (text === undefined ? '' : column(text, what, place))
  const keyOf = ({ user, agent, tool, rule }: ApprovalKey): readonly string[] => [
    column(user, 'user', place),
    column(agent, 'agent', place),
    column(tool, 'tool', place),
    column(rule, 'rule', place),
  ]
  return {
    find: async (key) => {
      const values = keyOf(key)
      const rows = await access('read', (database) => database.rows(find, ...values))
      return rows?.map(grantOf)[0]
    },
    remember: async (grant) => {
      const key = keyOf(grant)
      const values = [...key, column(grant.definitionHash, 'definition', place), column(grant.at, 'time', place)]
      await inOrder((ordered) =>
        ordered('write', (database) =>
          together(database, 'FULL', () => {
            database.run(put, ...values)
            database.run(forgetOldest, ...key.slice(0, 2))
          }),
        ),
      )
    },
    list: async ({ user, agent }) => {
      const values = [column(user, 'user', place), some(agent, 'agent'), '', '']
      const rows = await access('read', (database) => database.rows(list, ...values))
      return (rows ?? []).map(grantOf).filter((grant) => grant !== undefined)
    },
    forget: async ({ user, agent, tool, rule }) => {
      const values = [
        column(user, 'user', place),
        column(agent, 'agent', place),
        some(tool, 'tool'),
        some(rule, 'rule'),
      ]
      const gone = await inOrder((ordered) =>
        ordered('write', (database) => together(database, 'FULL', () => database.rows(forget, ...values).length)),
      )
      return gone ?? 0
    },
  }
}

/** Undefined where somebody else wrote it. */
function grantOf(row: Row): Grant | undefined {
  const [user, agent, tool, rule] = [row.user, row.agent, row.tool, row.rule].map(textOfColumn)
  const [definitionHash, at] = [row.definition, row.given_at].map(textOfColumn)
  if (user === undefined || agent === undefined || tool === undefined || rule === undefined) return undefined
  if (definitionHash === undefined || at === undefined) return undefined
  return { user, agent, tool, rule, definitionHash, at }
}
