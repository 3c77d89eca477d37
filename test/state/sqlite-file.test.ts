import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openState } from '../../src/state/open-state.ts'
import { type SqliteDriver, sqliteDriver } from '../../src/state/sqlite/sqlite-driver.ts'
import { applicationId, schemaVersion } from '../../src/state/sqlite/sqlite-schema.ts'
import { openSqlite } from '../../src/state/stores/sqlite.ts'
import { aState, codeOf, key, namesOf, withName } from './a-state.ts'
import { aFolder, aStore } from './places.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** A file that holds one promotion, closed. */
async function aFile(): Promise<string> {
  const folder = aFolder()
  const store = await aStore(folder)
  await store.promotions.update(key, () => aState('old'))
  await store.close()
  return join(folder, 'state.db')
}

/** Done by another program. */
function inFile(path: string, sql: string): void {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

describe('the address of state', () => {
  it.each([
    ['postgres://somebody:hunter2@host/db', 'state in "postgres:" is not supported yet'],
    ['file:state.db', 'state in "file:" is not supported yet'],
    ['state.db', '"state.url" has no scheme'],
    ['', '"state.url" has no scheme'],
    ['\u001b[2J:', '"state.url" has no scheme'],
    ['sqlite:', '"state.url" names no file'],
    ['sqlite::elsewhere:', '"state.url" names no file'],
    ['sqlite:a\u0000b', '"state.url" names no file'],
  ])('%j is refused by name, without what it holds', async (url, message) => {
    await expect(openState(url)).rejects.toMatchObject({ finding: { code: 'state-url', message } })
  })

  it('is relative to the folder of the configuration, and may be absolute', async () => {
    const folder = aFolder()
    for (const url of ['sqlite:deep/state.db', `sqlite:${folder}/deep/state.db`]) {
      const store = await openState(url, { folder })
      await store.promotions.update(key, withName(url))
      await store.close()
    }
    const store = await openState('sqlite:deep/../deep/state.db', { folder })
    expect(namesOf(await store.promotions.read(key))).toHaveLength(2)
    await store.close()
  })

  it('is never taken for one of the library: no words of a URI, no host', async () => {
    const folder = aFolder()
    for (const name of ['state.db?mode=memory', 'libsql:x', 'file:x', 'a%20b', 'ünï 😀']) {
      const store = await openState(`sqlite:${name}`, { folder })
      await store.promotions.update(key, () => aState('a'))
      expect(existsSync(join(folder, name)), name).toBe(true)
      await store.close()
    }
  })
})

describe('the file of state', () => {
  it('is made when something is first written, and for its owner alone', async () => {
    const folder = join(aFolder(), 'new', '.toolgate')
    const store = await aStore(folder)
    expect(await store.promotions.read(key)).toBeUndefined()
    expect(existsSync(folder)).toBe(false)
    await store.promotions.update(key, () => aState('a'))
    expect(modeOf(folder)).toBe('700')
    for (const file of readdirSync(folder)) expect(modeOf(join(folder, file)), file).toBe('600')
    expect(readdirSync(folder)).toContain('state.db-wal')
  })

  it('is closed to others when it comes with open modes', async () => {
    const path = await aFile()
    inFile(path, 'SELECT 1')
    chmodSync(path, 0o666)
    await (await aStore(dirname(path))).promotions.read(key)
    expect(modeOf(path)).toBe('600')
  })

  it('holds everything by itself when it was closed', async () => {
    const path = await aFile()
    const copy = join(aFolder(), 'state.db')
    copyFileSync(path, copy)
    expect(namesOf(await (await aStore(dirname(copy))).promotions.read(key))).toEqual(['old'])
  })

  it('says what it is', async () => {
    const bytes = readFileSync(await aFile())
    expect(bytes.readUInt32BE(68)).toBe(applicationId)
    expect(bytes.readUInt32BE(60)).toBe(schemaVersion)
  })

  it('is made anew when it was removed while it was open', async () => {
    const folder = aFolder()
    const store = await aStore(folder)
    await store.promotions.update(key, () => aState('a'))
    rmSync(folder, { recursive: true })
    expect(await store.promotions.read(key)).toBeUndefined()
    await store.promotions.update(key, () => aState('b'))
    expect(namesOf(await (await aStore(folder)).promotions.read(key))).toEqual(['b'])
  })

  it('is opened anew when another was put in its place while it was open', async () => {
    const folder = aFolder()
    const store = await aStore(folder)
    await store.promotions.update(key, () => aState('a'))
    const other = await aFile()
    for (const rest of ['-wal', '-shm']) rmSync(join(folder, `state.db${rest}`))
    renameSync(other, join(folder, 'state.db'))
    expect(namesOf(await store.promotions.read(key))).toEqual(['old'])
    expect(namesOf(await store.promotions.update(key, withName('b')))).toEqual(['old', 'b'])
  })
})

describe('a file that is not ours to write', () => {
  const wholeOf = (path: string): string => readFileSync(path).toString('base64')

  it('of a newer version is refused by name and left alone', async () => {
    const path = await aFile()
    inFile(path, `PRAGMA user_version = ${schemaVersion + 1}; PRAGMA wal_checkpoint(TRUNCATE)`)
    const before = wholeOf(path)
    const opening = openState('sqlite:state.db', { folder: dirname(path) })
    await expect(opening).rejects.toMatchObject({ finding: { code: 'state-newer', origin: { in: path } } })
    expect(wholeOf(path)).toBe(before)
    expect(existsSync(`${path}.bad`)).toBe(false)
  })

  it('of another program is refused by name and left alone', async () => {
    for (const sql of [
      'CREATE TABLE promotion (a)',
      'PRAGMA application_id = 7',
      'CREATE TABLE t (a); PRAGMA user_version = 1',
    ]) {
      const path = join(aFolder(), 'state.db')
      inFile(path, sql)
      const before = wholeOf(path)
      expect(await codeOf(openState('sqlite:state.db', { folder: dirname(path) }))).toBe('state-foreign')
      expect(wholeOf(path)).toBe(before)
      expect(readdirSync(dirname(path)).filter((name) => name.includes('.bad'))).toEqual([])
    }
  })

  it('became newer while it was open: the next write is refused', async () => {
    const folder = aFolder()
    const store = await aStore(folder)
    await store.promotions.update(key, () => aState('a'))
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    inFile(join(folder, 'state.db'), `PRAGMA application_id = ${applicationId}; PRAGMA user_version = 99`)
    expect(await codeOf(store.promotions.update(key, () => aState('b')))).toBe('state-newer')
    expect(await codeOf(store.promotions.read(key))).toBe('state-newer')
  })

  it.each(['', '-wal', '-journal', '-shm'])(
    'lies at the end of a link state.db%s: the link is not followed',
    async (rest) => {
      const path = await aFile()
      const precious = join(aFolder(), 'precious.txt')
      writeFileSync(precious, 'precious')
      rmSync(path + rest, { force: true })
      symlinkSync(precious, path + rest)
      expect(await codeOf(openState('sqlite:state.db', { folder: dirname(path) }))).toBe('state-foreign')
      expect(readFileSync(precious, 'utf8')).toBe('precious')
    },
  )

  it('is a folder', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'state.db'))
    expect(await codeOf(openState('sqlite:state.db', { folder }))).toBe('state-foreign')
  })
})

describe('a damaged file is set aside and named [Q4]', () => {
  const damages: readonly (readonly [what: string, damage: (path: string) => void])[] = [
    ['no database', (path) => writeFileSync(path, 'what somebody wrote down\n'.repeat(400))],
    ['two letters', (path) => writeFileSync(path, 'ab')],
    ['cut off after its first page', (path) => truncateSync(path, 4096)],
    ['cut off within a page', (path) => truncateSync(path, 5000)],
    ['cut off within its header', (path) => truncateSync(path, 50)],
    [
      'full of zeros behind its header',
      (path) => writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 100), Buffer.alloc(12_188)])),
    ],
    [
      'overwritten in a page of a table',
      (path) => {
        const bytes = readFileSync(path)
        bytes.fill(0x5a, 4096 + 8, 4096 + 200)
        writeFileSync(path, bytes)
      },
    ],
    ['without a table', (path) => inFile(path, 'DROP TABLE tool_use; PRAGMA wal_checkpoint(TRUNCATE)')],
    [
      'emptied while changes lie beside it',
      (path) => {
        writeFileSync(`${path}-wal`, 'w'.repeat(5000))
        truncateSync(path, 0)
      },
    ],
  ]

  it.each(damages)('%s', async (_what, damage) => {
    const path = await aFile()
    for (const rest of ['-wal', '-shm']) rmSync(path + rest, { force: true })
    damage(path)
    const before = readFileSync(path)
    const store = await aStore(dirname(path))
    expect(store.findings).toEqual([
      expect.objectContaining({
        code: 'state-file',
        severity: 'warning',
        subject: 'state.db',
        message: expect.stringContaining(`it was set aside as ${path}.bad`),
        hint: expect.any(String),
        origin: { in: path },
      }),
    ])
    expect(readFileSync(`${path}.bad`).equals(before)).toBe(true)
    expect(await store.promotions.read(key)).toBeUndefined()
    await store.promotions.update(key, () => aState('new'))
    await store.close()
    const again = await aStore(dirname(path))
    expect(again.findings).toEqual([])
    expect(namesOf(await again.promotions.read(key))).toEqual(['new'])
  })

  it('with the changes that lie beside it, and beside what was set aside before', async () => {
    const path = await aFile()
    for (const text of ['first', 'second']) {
      writeFileSync(path, text)
      writeFileSync(`${path}-wal`, `changes of the ${text}`)
      await (await aStore(dirname(path))).close()
    }
    expect(readFileSync(`${path}.bad`, 'utf8')).toBe('first')
    expect(readFileSync(`${path}.bad-2`, 'utf8')).toBe('second')
    expect(readFileSync(`${path}.bad-2-wal`, 'utf8')).toBe('changes of the second')
  })

  it('when it is only found out in service, and the call that found it goes on', async () => {
    const folder = aFolder()
    const path = join(folder, 'state.db')
    const many = Array.from({ length: 300 }, (_, index) => `a_tool_with_a_rather_long_name_${index}`)
    const writer = await aStore(folder)
    await writer.promotions.update(key, () => aState(...many))
    await writer.close()
    const store = await aStore(folder)
    expect(namesOf(await store.promotions.read(key))).toHaveLength(300)
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 4096)
    const file = openSync(path, 'r+')
    writeSync(file, bytes, 0, bytes.length, 0)
    closeSync(file)
    // Its pages are no longer in memory once another connection has changed something, and a file like this has no changes left.
    inFileQuietly(path)
    expect(await store.promotions.update(key, withName('new'))).toEqual(withName('new')(undefined))
    expect(store.findings).toHaveLength(1)
    expect(existsSync(`${path}.bad`)).toBe(true)
  })

  it('unless somebody else has done so in the meantime and put a sound one in its place', async () => {
    const path = await aFile()
    const good = readFileSync(path)
    writeFileSync(path, 'no database')
    for (const rest of ['-wal', '-shm']) rmSync(path + rest, { force: true })
    const driver = await sqliteDriver()
    const late: SqliteDriver = {
      open: (opened) => {
        if (opened.endsWith('.lock')) {
          renameSync(path, `${path}.theirs`)
          writeFileSync(path, good)
        }
        return driver.open(opened)
      },
    }
    const store = await openSqlite(path, late, 5000)
    onTestFinished(() => store.close())
    expect(namesOf(await store.promotions.read(key))).toEqual(['old'])
    expect(store.findings).toEqual([])
    expect(existsSync(`${path}.bad`)).toBe(false)
  })

  it('never, while another process is about it: that one is waited for, and told when it takes too long', async () => {
    const path = await aFile()
    writeFileSync(path, 'no database')
    const lock = new Database(`${path}.lock`)
    lock.exec('BEGIN EXCLUSIVE')
    const opening = openState('sqlite:state.db', { folder: dirname(path), busyMs: 100 })
    expect(await codeOf(opening)).toBe('state-busy')
    expect(readFileSync(path, 'utf8')).toBe('no database')
    lock.close()
    expect((await aStore(dirname(path))).findings).toHaveLength(1)
  })

  it('once, by two stores that find it at the same time', async () => {
    const path = await aFile()
    writeFileSync(path, 'x'.repeat(9000))
    const folder = dirname(path)
    const stores = await Promise.all([aStore(folder), aStore(folder), aStore(folder)])
    await Promise.all(stores.map(({ promotions }, index) => promotions.update(key, withName(`tool_${index}`))))
    expect(namesOf(await stores[0].promotions.read(key))).toHaveLength(3)
    expect(readdirSync(folder).filter((name) => /\.bad(?:-\d)?$/.test(name))).toEqual(['state.db.bad'])
    expect(stores.flatMap(({ findings }) => findings)).toHaveLength(1)
  })
})

/** Makes other connections read again what they hold in memory. */
function inFileQuietly(path: string): void {
  try {
    inFile(path, 'PRAGMA user_version = 1')
  } catch {
    // It is damaged; that is the point.
  }
}
