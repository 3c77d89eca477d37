// The file of a store: made when something is first written, opened when something is there, checked before anything
// rests on it, and set aside under another name when it is no sound database. What is a database, but another
// program's or a newer version's, is refused and left as it is.
//
//   state.db  state.db-wal  state.db-shm     0600, in a folder 0700
//   state.db.bad  state.db.bad-wal  …        what was set aside
//   state.db.lock                            empty; who sets something aside holds it
//
// INVARIANT: nothing but SQLite opens the file: on POSIX systems, closing it elsewhere would drop SQLite's locks.

import type { BigIntStats } from 'node:fs'
import type { Finding } from '../../core/finding.ts'
import { ToolgateError } from '../../errors.ts'
import { about, isAbsent, isMoved, make, stands } from './file-place.ts'
import { setAside } from './set-aside.ts'
import { readable, settle, sound } from './sound-file.ts'
import { isBusy, type SqliteDatabase, type SqliteDriver, saidBy } from './sqlite-driver.ts'
import { migrate } from './sqlite-schema.ts'

export interface SqliteFile {
  /**
   * The open database; undefined when there is nothing to read. For writing, it is made where it is not there. Opens
   * anew when the file was removed or replaced, and when it could only be read so far. Throws SQLite's errors, errors
   * of the system, and ToolgateErrors.
   */
  readonly database: (purpose: 'read' | 'write') => SqliteDatabase | undefined
  /** SQLite says that the file is damaged: it is closed, and checked when it is next opened. */
  readonly suspect: () => void
  readonly close: () => void
}

interface Held {
  readonly database: SqliteDatabase
  readonly file: BigIntStats
  readonly canWrite: boolean
}

const triesMax = 4

/** A store's file at an absolute path. Findings are added to the list, each once. */
export function sqliteFile(path: string, driver: SqliteDriver, findings: Finding[]): SqliteFile {
  let held: Held | undefined
  let isSuspect = false

  const close = (): void => {
    const { database } = held ?? {}
    held = undefined
    database?.close()
  }

  /** With its last changes inside of it, so that whoever copies the one file has everything. */
  const closeWhole = (): void => {
    try {
      if (held?.canWrite === true && !isMoved(path, held.file)) held.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // The changes lie beside it, which is as safe.
    }
    close()
  }

  function opened(purpose: 'read' | 'write', tries = triesMax): Held | undefined {
    if (tries === 0) throw new Error('the file is replaced again and again')
    if (isAbsent(path)) {
      if (purpose === 'read') return undefined
      make(path)
    }
    const file = stands(path)
    if (file === undefined) return opened(purpose, tries - 1)
    const result = sound(path, file, driver, isSuspect)
    if ('damage' in result) {
      tell(setAside(path, driver, result.damage))
      isSuspect = false
      return opened(purpose, tries - 1)
    }
    const { database, kind } = result
    try {
      if (kind === 'fresh' && purpose === 'read') return closed(database)
      if (kind !== 'ours') migrate(database)
      settle(path, database)
    } catch (error) {
      database.close()
      throw error
    }
    isSuspect = false
    if (!isMoved(path, file)) return { database, file, canWrite: true }
    // Somebody set it aside, or removed it, between a look and the next.
    database.close()
    return opened(purpose, tries - 1)
  }

  /** Where the disk is full or may not be written, a file can still be read; at worst without its last changes. */
  function openedForReading(): Held | undefined {
    try {
      return opened('read')
    } catch (error) {
      if (isBusy(error)) throw error
      if (!(error instanceof ToolgateError)) return heldForReading(error)
      if (error.finding.code !== 'state-file') throw error
      tell(error.finding)
      return undefined
    }
  }

  function heldForReading(error: unknown): Held | undefined {
    const found = readable(path, driver)
    const how = found === undefined ? 'cannot be read' : 'can be read and not written'
    const hint = 'make room on the disk, or make the file and its folder writable'
    tell(about(path, 'warning', `the state ${how}: ${saidBy(error)}`, hint))
    return found === undefined ? undefined : { ...found, canWrite: false }
  }

  const tell = (found: Finding | undefined): void => {
    if (found !== undefined && !findings.some(({ message }) => message === found.message)) findings.push(found)
  }

  return {
    database: (purpose) => {
      // What can only be read may be as it was some time ago, so it is tried anew each time.
      if (held !== undefined && (!held.canWrite || isMoved(path, held.file))) close()
      held ??= purpose === 'read' ? openedForReading() : opened('write')
      return held?.database
    },
    suspect: () => {
      close()
      isSuspect = true
    },
    close: closeWhole,
  }
}

const closed = (database: SqliteDatabase): undefined => {
  database.close()
}

/** A store that ends with the program. */
export function memoryFile(driver: SqliteDriver): SqliteFile {
  const database = driver.open(':memory:')
  migrate(database)
  return { database: () => database, suspect: () => {}, close: database.close }
}
