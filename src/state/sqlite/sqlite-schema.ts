// What stands in a state file, and how it is told from other files. Texts are JSON, which is well-formed Unicode
// without U+0000 whatever the text: equal column, equal text. Bytes stand last in a row: they may fill many pages.

import { resultCode, type SqliteDatabase } from './sqlite-driver.ts'

/** "TGst": no other program's file says so. */
export const applicationId = 0x54477374

/** Element n leads from version n to n + 1. INVARIANT: elements are added and never changed. */
const steps: readonly string[] = [
  `CREATE TABLE promotion (
     "user" TEXT NOT NULL, thread TEXT NOT NULL, agent TEXT NOT NULL, state TEXT NOT NULL,
     PRIMARY KEY ("user", thread, agent)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE tool_use (
     agent TEXT NOT NULL, tool TEXT NOT NULL, calls INTEGER NOT NULL,
     PRIMARY KEY (agent, tool)
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE approval (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     "user" TEXT NOT NULL, agent TEXT NOT NULL, tool TEXT NOT NULL, rule TEXT NOT NULL,
     definition TEXT NOT NULL, given_at TEXT NOT NULL,
     UNIQUE ("user", agent, tool, rule)
   ) STRICT;
   CREATE TABLE asked_call (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE, "user" TEXT NOT NULL, thread TEXT NOT NULL, agent TEXT NOT NULL, call TEXT NOT NULL,
     state TEXT NOT NULL,
     UNIQUE ("user", thread, agent, call)
   ) STRICT;`,
  `CREATE TABLE conversation (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     "user" TEXT NOT NULL, thread TEXT NOT NULL, agent TEXT NOT NULL, state TEXT NOT NULL,
     UNIQUE ("user", thread, agent)
   ) STRICT;
   CREATE TABLE conversation_claim (
     "user" TEXT NOT NULL, thread TEXT NOT NULL, agent TEXT NOT NULL, holder TEXT NOT NULL, until INTEGER NOT NULL,
     PRIMARY KEY ("user", thread, agent)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE checkpoint (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     "user" TEXT NOT NULL, thread TEXT NOT NULL, agent TEXT NOT NULL, run TEXT NOT NULL, namespace TEXT NOT NULL,
     id TEXT NOT NULL, parent TEXT NOT NULL, type TEXT NOT NULL, metadata_type TEXT NOT NULL,
     metadata BLOB NOT NULL, body BLOB NOT NULL,
     UNIQUE ("user", thread, agent, run, namespace, id)
   ) STRICT;
   CREATE TABLE checkpoint_write (
     seq INTEGER PRIMARY KEY,
     "user" TEXT NOT NULL, thread TEXT NOT NULL, agent TEXT NOT NULL, run TEXT NOT NULL, namespace TEXT NOT NULL,
     id TEXT NOT NULL, task TEXT NOT NULL, number INTEGER NOT NULL, path TEXT NOT NULL, channel TEXT NOT NULL,
     type TEXT NOT NULL, body BLOB NOT NULL,
     UNIQUE ("user", thread, agent, run, namespace, id, task, number)
   ) STRICT;`,
]
export const schemaVersion = steps.length

/** Each fails where a file says that it is ours and does not hold what this version writes. */
const probes: readonly string[] = [
  'SELECT "user", thread, agent, state FROM promotion LIMIT 0',
  'SELECT agent, tool, calls FROM tool_use LIMIT 0',
  'SELECT seq, "user", agent, tool, rule, definition, given_at FROM approval LIMIT 0',
  'SELECT seq, id, "user", thread, agent, call, state FROM asked_call LIMIT 0',
  'SELECT seq, "user", thread, agent, state FROM conversation LIMIT 0',
  'SELECT "user", thread, agent, holder, until FROM conversation_claim LIMIT 0',
  'SELECT seq, "user", thread, agent, run, namespace, id, parent, type, metadata_type, metadata, body FROM checkpoint LIMIT 0',
  'SELECT seq, "user", thread, agent, run, namespace, id, task, number, path, channel, type, body FROM checkpoint_write LIMIT 0',
]

export type Kind = 'fresh' | 'ours' | 'older' | 'newer' | 'foreign' | 'not-what-it-says'

/** What an open database is. Throws SQLite's errors. */
export function kindOf(database: SqliteDatabase): Kind {
  const version = numberOf(database, 'user_version')
  const application = numberOf(database, 'application_id')
  if (application === 0 && version === 0 && database.rows('SELECT 1 FROM sqlite_master LIMIT 1').length === 0)
    return 'fresh'
  if (application !== applicationId) return 'foreign'
  if (version > schemaVersion) return 'newer'
  if (version < schemaVersion) return 'older'
  return probes.every((probe) => isAnswered(database, probe)) ? 'ours' : 'not-what-it-says'
}

/** Brings a fresh or older file to this version, at once or not at all, whoever else does it now. */
export function migrate(database: SqliteDatabase): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = numberOf(database, 'user_version')
    for (const step of steps.slice(version)) database.exec(step)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`)
    database.exec('COMMIT')
  } catch (error) {
    rollback(database)
    throw error
  }
}

/** After whatever went wrong; SQLite may have done it itself. */
export function rollback(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // There is no transaction any more, which is what was wanted.
  }
}

export function numberOf(database: SqliteDatabase, pragma: string): number {
  const value = Object.values(database.rows(`PRAGMA ${pragma}`)[0] ?? {})[0]
  return typeof value === 'number' ? value : 0
}

const sqliteError = 1

function isAnswered(database: SqliteDatabase, sql: string): boolean {
  try {
    database.rows(sql)
    return true
  } catch (error) {
    if (resultCode(error) === sqliteError) return false
    throw error
  }
}
