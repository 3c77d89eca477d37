import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytesOfColumn } from '../../src/state/sqlite/column.ts'
import { isBusy, isDamage, type SqliteDatabase, sqliteDriver } from '../../src/state/sqlite/sqlite-driver.ts'
import { openSqlite } from '../../src/state/stores/sqlite.ts'
import { stateConformance } from '../../src/testing/state-conformance.ts'
import { aFolder } from './places.ts'

const notHere = async (): Promise<never> => {
  throw new Error('Cannot find module\nsomewhere')
}
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const hasItsOwn = major > 22 || (major === 22 && minor >= 13)

/** Node's own, as it is used where libsql has no binary. */
const nodes = () =>
  sqliteDriver([
    ['libsql', notHere],
    ['node:sqlite', async () => (await import(String('node:sqlite'))).DatabaseSync],
  ])

describe('the driver of SQLite', () => {
  it('is the first that loads', async () => {
    const opened: string[] = []
    class Fake {
      constructor(path: string) {
        opened.push(path)
      }
      exec(): void {}
      close(): void {}
      prepare(): never {
        throw new Error('not here')
      }
    }
    const driver = await sqliteDriver([
      ['one', notHere],
      ['two', async () => Fake],
      ['three', notHere],
    ])
    driver.open('a').close()
    expect(opened).toEqual(['a'])
  })

  it('is missed by name, with the reason of each library, on one line', async () => {
    await expect(
      sqliteDriver([
        ['one', notHere],
        ['two', notHere],
      ]),
    ).rejects.toMatchObject({
      finding: {
        code: 'state-no-driver',
        severity: 'error',
        message: expect.stringMatching(/^no SQLite .*: one: Cannot find module\\u000asomewhere; two: Cannot .*$/),
      },
    })
  })

  it('is missed by name where Node has none of its own', async () => {
    const asked = nodes()
    if (hasItsOwn) await expect(asked).resolves.toBeDefined()
    else await expect(asked).rejects.toMatchObject({ finding: { code: 'state-no-driver' } })
  })

  it('keeps bytes as they are, parts of a buffer and none at all', async () => {
    const drivers = [await sqliteDriver(), ...(hasItsOwn ? [await nodes()] : [])]
    const wholes = [new Uint8Array(0), Uint8Array.from({ length: 256 }, (_, index) => index)]
    for (const { open } of drivers) {
      const database = open(':memory:')
      database.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, b BLOB NOT NULL) STRICT')
      const many = [...wholes, Buffer.from('xabcx').subarray(1, 4)]
      for (const [index, bytes] of many.entries()) database.run('INSERT INTO t (n, b) VALUES (?, ?)', index, bytes)
      const read = database.rows('SELECT b FROM t ORDER BY n').map(({ b }) => bytesOfColumn(b))
      expect(read.map((bytes) => Buffer.from(bytes ?? []).toString('hex'))).toEqual(
        many.map((bytes) => Buffer.from(bytes).toString('hex')),
      )
      database.close()
    }
    expect(['text', 7, null, undefined].map(bytesOfColumn)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('tells a busy file and a damaged one from other faults', async () => {
    const drivers = [await sqliteDriver(), ...(hasItsOwn ? [await nodes()] : [])]
    for (const { open } of drivers) {
      const path = join(aFolder(), 'a.db')
      const [one, other] = [open(path), open(path)]
      one.exec('BEGIN IMMEDIATE')
      const busy = thrown(other, 'BEGIN IMMEDIATE')
      expect([isBusy(busy), isDamage(busy)]).toEqual([true, false])
      const plain = thrown(one, 'SELECT FROM')
      expect([isBusy(plain), isDamage(plain)]).toEqual([false, false])
      one.exec('CREATE TABLE t (a); COMMIT')
      const { writeFileSync } = await import('node:fs')
      writeFileSync(path, 'no database at all')
      const damaged = thrown(open(path), 'SELECT 1 FROM t')
      expect([isBusy(damaged), isDamage(damaged)]).toEqual([false, true])
    }
  })
})

function thrown(database: SqliteDatabase, sql: string): unknown {
  try {
    database.exec(sql)
    return undefined
  } catch (error) {
    return error
  }
}

if (hasItsOwn)
  describe('stores on the driver of Node', () => {
    const open = async (folder: string) => openSqlite(join(folder, 'state.db'), await nodes(), 5000)
    for (const { name, run } of stateConformance('node:sqlite', open)) it(name, run)
  })
