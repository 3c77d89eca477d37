// Work on an open file. SQLite's calls are synchronous, so none of them waits long: who finds the file busy tries again
// a little later. What goes wrong gets a name of ours.

import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { printable } from '../../core/printable.ts'
import { type ErrorCode, finding, ToolgateError } from '../../errors.ts'
import { isBusy, isDamage, type SqliteDatabase, saidBy } from './sqlite-driver.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { rollback } from './sqlite-schema.ts'

/** Undefined when there is nothing to read. Rejects with a ToolgateError, or with what a caller's own function threw. */
export type Access = <T>(purpose: 'read' | 'write', work: (database: SqliteDatabase) => T) => Promise<T | undefined>

/** Does its work when all that was asked for before is done. */
export type InOrder = <T>(write: (access: Access) => Promise<T>) => Promise<T>

const tryAgainMs = 5

/** Tries again for `busyMs` while the file is busy, and once more where it turns out damaged. */
export function patientAccess(file: SqliteFile, busyMs: number, place: string): Access {
  return async (purpose, work) => {
    const until = performance.now() + busyMs
    let repairs = 1
    for (;;) {
      try {
        const database = file.database(purpose)
        return database === undefined ? undefined : work(database)
      } catch (error) {
        if (isBusy(error) && performance.now() < until) {
          // Not in step with whoever else waits.
          await sleep(tryAgainMs * (0.5 + Math.random()))
        } else if (isDamage(error) && repairs > 0) {
          repairs -= 1
          file.suspect()
        } else {
          throw named(error, purpose, place)
        }
      }
    }
  }
}

/** All of it or nothing, with nobody in between. FULL: it is on the disk when this returns, not only with the system. */
export function together<T>(database: SqliteDatabase, synchronous: 'FULL' | 'NORMAL', work: () => T): T {
  database.exec(`PRAGMA synchronous = ${synchronous}`)
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    rollback(database)
    throw error
  }
}

/** Carries what a caller's own function threw past the naming. */
class CallersError extends Error {}

/** Does what a caller handed in; what it throws is what the caller gets. */
export function ofCaller<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new CallersError('', { cause })
  }
}

function named(error: unknown, purpose: 'read' | 'write', place: string): unknown {
  if (error instanceof CallersError) return error.cause
  if (error instanceof ToolgateError) return error
  if (isBusy(error)) return refusal('state-busy', place, 'another process keeps the state locked')
  return purpose === 'read'
    ? refusal('state-file', place, `the state could not be read: ${saidBy(error)}`)
    : refusal('state-write-failed', place, `nothing was stored: ${saidBy(error)}`)
}

export const refusal = (code: ErrorCode, place: string, message: string): ToolgateError =>
  new ToolgateError(finding(code, 'error', message, { origin: { in: printable(place, 300) } }))
