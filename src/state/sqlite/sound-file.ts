// Opening a file and looking at it before anything rests on it.

import { type BigIntStats, chmodSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { printable } from '../../core/printable.ts'
import type { ToolgateError } from '../../errors.ts'
import { besides, isAbsent, refused, regular, stands } from './file-place.ts'
import { isDamage, type SqliteDatabase, type SqliteDriver, saidBy } from './sqlite-driver.ts'
import { kindOf } from './sqlite-schema.ts'

/** Longest wait inside SQLite, which stops everything else of this process; longer waits are made outside. */
export const busyMs = 3
/** A whole check reads the file: 140 MB took 70 ms. A bigger file is checked when SQLite stumbles over something. */
const checkedBytesMax = 256n * 1024n * 1024n
const walBytesMax = 4 * 1024 * 1024

type Sound = { readonly database: SqliteDatabase; readonly kind: 'fresh' | 'ours' | 'older' }

/** The file opened and looked at; one sentence when it is damaged. Throws where it is not ours to open. */
export function sound(
  path: string,
  file: BigIntStats,
  driver: SqliteDriver,
  isSuspect: boolean,
): Sound | { readonly damage: string } {
  if (file.size === 0n && !isAbsent(path)) return { damage: 'it is empty, and changes lie beside it' }
  const database = driver.open(path)
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`)
    const kind = kindOf(database)
    if (kind === 'foreign' || kind === 'newer') throw notOurs(path, kind)
    const isChecked = isSuspect || file.size <= checkedBytesMax
    const damage = kind === 'not-what-it-says' ? 'it lacks tables' : isChecked ? damageOf(database) : undefined
    if (damage === undefined && kind !== 'not-what-it-says') return { database, kind }
    database.close()
    return { damage: damage ?? '' }
  } catch (error) {
    database.close()
    if (isDamage(error)) return { damage: saidBy(error) }
    throw error
  }
}

function damageOf(database: SqliteDatabase): string | undefined {
  const said = Object.values(database.rows('PRAGMA quick_check(1)')[0] ?? {})[0]
  return said === 'ok' ? undefined : printable(String(said), 120)
}

/** What is kept in the file itself, and what each connection has to say anew. */
export function settle(path: string, database: SqliteDatabase): void {
  const mode = Object.values(database.rows('PRAGMA journal_mode')[0] ?? {})[0]
  // Where there is no shared memory, as on some network disks, SQLite stays with its older journal.
  if (mode !== 'wal') database.exec('PRAGMA journal_mode = WAL')
  database.exec(`PRAGMA journal_size_limit = ${walBytesMax}`)
  if (process.platform === 'win32') return
  // Files that were copied or unpacked may have come with the modes of somebody's habits.
  for (const file of [path, ...besides.map((beside) => path + beside)]) {
    const about = regular(file)
    if (about !== undefined && (about.mode & 0o077n) !== 0n) closeToOthers(file)
  }
}

function closeToOthers(file: string): void {
  try {
    chmodSync(file, 0o600)
  } catch {
    // It belongs to somebody else, or the disk may not be written: then it is as private as it was.
  }
}

/** Opened for reading alone: with the changes that lie beside it where SQLite can have them, else without. */
export function readable(
  path: string,
  driver: SqliteDriver,
): { readonly database: SqliteDatabase; readonly file: BigIntStats } | undefined {
  for (const way of ['mode=ro', 'immutable=1']) {
    let database: SqliteDatabase | undefined
    try {
      const file = stands(path)
      if (file === undefined) return undefined
      database = driver.open(`${pathToFileURL(path).href}?${way}`)
      if (kindOf(database) === 'ours') return { database, file }
    } catch {
      // The next way, or none.
    }
    database?.close()
  }
  return undefined
}

function notOurs(path: string, kind: 'foreign' | 'newer'): ToolgateError {
  const file = printable(path, 300)
  return kind === 'newer'
    ? refused(
        'state-newer',
        path,
        `${file} was written by a newer version`,
        'use that version, or name another file in `state.url`',
      )
    : refused(
        'state-foreign',
        path,
        `${file} is a database of another program`,
        'name a file of its own in `state.url`',
      )
}
