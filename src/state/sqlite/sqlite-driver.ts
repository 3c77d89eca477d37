// Two libraries speak to SQLite files, with the same few words: libsql, which comes as a binary for the usual
// platforms, and Node's own, where there is none. Whichever loads first is used.

import { printable } from '../../core/printable.ts'
import { finding, ToolgateError } from '../../errors.ts'

export type SqliteValue = string | number | Uint8Array

export interface SqliteDatabase {
  /** Statements without values and without rows. */
  readonly exec: (sql: string) => void
  /** `?` stands for the next value, or `?1` for the first, and so on: all the one or all the other. No text holds a `?`. */
  readonly run: (sql: string, ...values: readonly SqliteValue[]) => void
  /**
   * All rows, so that no read stays open. A text that holds U+0000 may end there: texts are stored as JSON. Bytes come
   * as an ArrayBuffer or a Uint8Array, as the library has it: see `bytesOfColumn`.
   */
  readonly rows: (sql: string, ...values: readonly SqliteValue[]) => readonly Row[]
  /** Safe to call again. Of libsql, files stay open until what was prepared is collected. */
  readonly close: () => void
}

export interface Row {
  readonly [column: string]: unknown
}

export interface SqliteDriver {
  /** `path` is absolute, `:memory:` or a `file:` URI. Makes the file when it is not there. */
  readonly open: (path: string) => SqliteDatabase
}

interface Database {
  exec: (sql: string) => unknown
  prepare: (sql: string) => Statement
  close: () => unknown
}

interface Statement {
  run: (...values: SqliteValue[]) => unknown
  all: (...values: SqliteValue[]) => unknown[]
}

type Load = () => Promise<new (path: string) => Database>

/** In order. The name of Node's module is a value, because its types and its first bundlers do not know it. */
const libraries: readonly (readonly [name: string, load: Load])[] = [
  ['libsql', async () => (await import('libsql')).default as unknown as new (path: string) => Database],
  ['node:sqlite', async () => (await import(nodeModule)).DatabaseSync],
]
const nodeModule: string = 'node:sqlite'

/** The first library that loads. Throws a ToolgateError `state-no-driver` that says why none does. */
export async function sqliteDriver(among = libraries): Promise<SqliteDriver> {
  const why: string[] = []
  for (const [name, load] of among) {
    try {
      const Database = await load()
      return { open: (path) => opened(new Database(path)) }
    } catch (error) {
      why.push(`${name}: ${saidBy(error)}`)
    }
  }
  const message = `no SQLite can be loaded on this system (${process.platform}-${process.arch}, Node ${process.version}): ${why.join('; ')}`
  throw new ToolgateError(
    finding('state-no-driver', 'error', printable(message, 600), {
      hint: 'install again for this platform, or use Node 22.13 or newer',
    }),
  )
}

function opened(database: Database): SqliteDatabase {
  const statements = new Map<string, Prepared>()
  let isOpen = true
  const prepared = (sql: string): Prepared => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const { text, order } = unnumbered(sql)
    const statement = { statement: database.prepare(text), order }
    statements.set(sql, statement)
    return statement
  }
  const placed = ({ order }: Prepared, values: readonly SqliteValue[]): SqliteValue[] =>
    order.map((index) => bound(values[index]))
  return {
    exec: (sql) => {
      database.exec(sql)
    },
    run: (sql, ...values) => {
      const found = prepared(sql)
      found.statement.run(...placed(found, values))
    },
    rows: (sql, ...values) => {
      const found = prepared(sql)
      return found.statement.all(...placed(found, values)) as Row[]
    },
    close: () => {
      statements.clear()
      if (isOpen) database.close()
      isOpen = false
    },
  }
}

interface Prepared {
  readonly statement: Statement
  /** Which value stands at each place of the statement. */
  readonly order: readonly number[]
}

/** Node's library of 22.13 takes `?2` for a name and binds no value to it by its place: only `?` means the same to all. */
function unnumbered(sql: string): { readonly text: string; readonly order: readonly number[] } {
  const order: number[] = []
  const text = sql.replace(/\?(\d*)/g, (_, number: string) => {
    order.push(number === '' ? order.length : Number(number) - 1)
    return '?'
  })
  return { text, order }
}

/** Node's library takes bytes that lie nowhere for NULL, so none at all are a part of some. */
const noBytes = Buffer.from(' ').subarray(0, 0)
function bound(value: SqliteValue | undefined): SqliteValue {
  if (value === undefined) throw new TypeError('a statement without its values')
  return value instanceof Uint8Array && value.length === 0 ? noBytes : value
}

/** Somebody else has the file, for now. */
export const isBusy = (error: unknown): boolean => [5, 6].includes(resultCode(error) ?? 0)
/** The file is damaged, or no database. */
export const isDamage = (error: unknown): boolean => [11, 26].includes(resultCode(error) ?? 0)

/** SQLite's primary result code, whichever library threw; undefined for any other error. */
export function resultCode(error: unknown): number | undefined {
  if (error === null || typeof error !== 'object') return undefined
  const { rawCode, errcode } = error as { readonly rawCode?: unknown; readonly errcode?: unknown }
  const code = rawCode ?? errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** What an error of the system or of SQLite says, as one printable line. */
export const saidBy = (error: unknown): string => printable(error instanceof Error ? error.message : String(error), 200)
