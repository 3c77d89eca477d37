import { lstatSync, renameSync } from 'node:fs'
import type { Finding } from '../../core/finding.ts'
import { printable } from '../../core/printable.ts'
import { ToolgateError } from '../../errors.ts'
import { about, besides, isAbsent, make, refused, regular, stands } from './file-place.ts'
import { busyMs, sound } from './sound-file.ts'
import { isBusy, type SqliteDatabase, type SqliteDriver, saidBy } from './sqlite-driver.ts'

const asideMax = 100

/**
 * Renames a damaged file and what lies beside it; nothing when somebody else has done so in the meantime. Whoever
 * looks between the steps finds the damaged file or none. Throws what is busy, and a
 * ToolgateError `state-file` where it cannot be renamed.
 */
export function setAside(path: string, driver: SqliteDriver, damage: string): Finding | undefined {
  const lockPath = `${path}.lock`
  let lock: SqliteDatabase | undefined
  try {
    if (regular(lockPath) === undefined) make(lockPath)
    lock = driver.open(lockPath)
    lock.exec(`PRAGMA busy_timeout = ${busyMs}; BEGIN EXCLUSIVE`)
    const file = stands(path)
    if (file === undefined || isAbsent(path)) return undefined
    const again = sound(path, file, driver, true)
    if (!('damage' in again)) {
      again.database.close()
      return undefined
    }
    const aside = freeName(path)
    for (const part of [...besides, '']) if (regular(path + part) !== undefined) renameSync(path + part, aside + part)
    const message = `the state goes on empty, for its file is damaged (${damage}); it was set aside as ${printable(aside, 300)}`
    return about(path, 'warning', message, 'look at what was set aside, or remove it')
  } catch (error) {
    if (isBusy(error) || error instanceof ToolgateError) throw error
    throw refused(
      'state-file',
      path,
      `the file of the state is damaged (${damage}) and could not be set aside: ${saidBy(error)}`,
      'move it away',
    )
  } finally {
    lock?.close()
  }
}

/** An older one that was set aside stays as well. */
function freeName(path: string): string {
  for (let number = 1; number <= asideMax; number += 1) {
    const aside = number === 1 ? `${path}.bad` : `${path}.bad-${number}`
    if (lstatSync(aside, { throwIfNoEntry: false }) === undefined) return aside
  }
  throw new Error(`${asideMax} others that were set aside lie beside it`)
}
