// State in one SQLite file that several processes share. Writes of one store go in the order in which they were asked
// for; reads do not wait for them.

import { isAbsolute, join } from 'node:path'
import type { Finding } from '../../core/finding.ts'
import { finding, ToolgateError } from '../../errors.ts'
import { approvalTable } from '../sqlite/approval-table.ts'
import { askedCallTable } from '../sqlite/asked-call-table.ts'
import { checkpointTable } from '../sqlite/checkpoint-table.ts'
import { promotionTable } from '../sqlite/promotion-table.ts'
import { type Access, patientAccess, refusal } from '../sqlite/sqlite-access.ts'
import { type SqliteDriver, sqliteDriver } from '../sqlite/sqlite-driver.ts'
import { memoryFile, type SqliteFile, sqliteFile } from '../sqlite/sqlite-file.ts'
import { threadTable } from '../sqlite/thread-table.ts'
import { useTable } from '../sqlite/use-table.ts'
import type { StateStore } from '../state-store.ts'
import type { StoreKind } from '../store-kind.ts'

export const sqlite: StoreKind = {
  schemes: ['sqlite'],
  open: async (rest, { folder, busyMs }) => {
    if (rest === ':memory:') {
      const file = memoryFile(await sqliteDriver())
      return storeOn(file, patientAccess(file, busyMs, 'memory'), { findings: [], place: 'memory' })
    }
    if (rest === '' || rest.startsWith(':') || rest.includes('\0')) throw noPath()
    return openSqlite(isAbsolute(rest) ? rest : join(folder, rest), await sqliteDriver(), busyMs)
  },
}

/** The store in the file at an absolute path. It is looked at now, so that what is wrong with it is told at once. */
export async function openSqlite(path: string, driver: SqliteDriver, busyMs: number): Promise<StateStore> {
  const findings: Finding[] = []
  const file = sqliteFile(path, driver, findings)
  const access = patientAccess(file, busyMs, path)
  await access('read', () => undefined)
  return storeOn(file, access, { findings, place: path })
}

const noPath = (): ToolgateError =>
  new ToolgateError(
    finding('state-url', 'error', '"state.url" names no file', {
      subject: 'state.url',
      hint: 'write sqlite: and a path, or sqlite::memory:',
      origin: { in: 'configuration', key: 'state.url' },
    }),
  )

interface Around {
  readonly findings: readonly Finding[]
  /** The path, for messages. */
  readonly place: string
}

function storeOn(file: SqliteFile, patient: Access, { findings, place }: Around): StateStore {
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  const access: Access = async (purpose, work) => {
    if (isClosed) throw refusal('state-closed', place, 'the state is closed')
    return patient(purpose, work)
  }
  const inOrder = <T>(write: (access: Access) => Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(refusal('state-closed', place, 'the state is closed'))
    // What was asked for before the end is still done.
    const result = last.then(() => write(patient))
    last = result.catch(() => {})
    return result
  }
  return {
    promotions: promotionTable(access, inOrder, place),
    use: useTable(access, inOrder, place),
    approvals: approvalTable(access, inOrder, place),
    askedCalls: askedCallTable(access, inOrder, place),
    threads: threadTable(access, inOrder, place),
    checkpoints: checkpointTable(access, inOrder, place),
    findings,
    close: async () => {
      isClosed = true
      await last
      file.close()
    },
  }
}
