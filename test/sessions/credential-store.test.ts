import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { credentialStore } from '../../src/sessions/login/credential-store.ts'
import { type Credential, isAlive, isFresh, parsedCredential } from '../../src/sessions/login/oauth-credential.ts'
import { whileAlone } from '../../src/sessions/login/oauth-lock.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-credentials-'))
  folders.push(folder)
  return folder
}

const url = 'https://mcp.example/mcp'
const credential: Credential = {
  server: 'docs',
  url,
  issuer: 'https://auth.example',
  resource: url,
  client: { id: 'client-1', from: 'registration' },
  tokens: { access: 'access-1', refresh: 'refresh-1', scope: 'read', expiresAt: '2030-01-01T00:00:00.000Z' },
  loggedInAt: '2026-01-01T00:00:00.000Z',
}

const filesIn = (state: string): string[] => readdirSync(join(state, 'credentials')).sort()
const fileIn = (state: string): string =>
  join(state, 'credentials', filesIn(state).find((name) => name.endsWith('.json')) ?? '')
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const isPosix = process.platform !== 'win32'

describe('the stored logins [M6]', () => {
  it('keeps a login as it is', async () => {
    const store = credentialStore(stateFolder())
    expect(await store.find({ server: 'docs', url })).toEqual({ findings: [] })
    await store.write(credential)
    expect(await store.find({ server: 'docs', url })).toEqual({ credential, findings: [] })
    expect(await store.read(credential)).toEqual(credential)
  })

  it.runIf(isPosix)('keeps it where nobody else reads, whatever the folder was before', async () => {
    const state = stateFolder()
    const store = credentialStore(state)
    await store.write(credential)
    expect(modeOf(join(state, 'credentials'))).toBe('700')
    expect(modeOf(fileIn(state))).toBe('600')
    chmodSync(join(state, 'credentials'), 0o755)
    chmodSync(fileIn(state), 0o644)
    await store.find({ server: 'docs', url })
    expect(modeOf(fileIn(state))).toBe('600')
    await store.write(credential)
    expect(modeOf(join(state, 'credentials'))).toBe('700')
  })

  it('is not committed with the repository around it', async () => {
    const state = stateFolder()
    await credentialStore(state).write(credential)
    expect(readFileSync(join(state, 'credentials', '.gitignore'), 'utf8')).toBe('*\n')
  })

  it('has one file for each server, address and issuer', async () => {
    const state = stateFolder()
    const store = credentialStore(state)
    const others = [
      { ...credential, server: 'docs-2' },
      { ...credential, url: 'https://mcp.example/other' },
      { ...credential, issuer: 'https://other.example' },
    ]
    for (const one of [credential, ...others, credential]) await store.write(one)
    expect(filesIn(state).filter((name) => name.endsWith('.json'))).toHaveLength(4)
    for (const one of [credential, ...others]) expect(await store.read(one)).toEqual(one)
  })

  it('finds the login that a person carried out last, and none of another address', async () => {
    const store = credentialStore(stateFolder())
    const later = { ...credential, issuer: 'https://other.example', loggedInAt: '2026-06-01T00:00:00.000Z' }
    await store.write(later)
    await store.write(credential)
    expect((await store.find({ server: 'docs', url })).credential).toEqual(later)
    expect((await store.find({ server: 'docs', url: 'https://mcp.example/' })).credential).toBeUndefined()
    expect((await store.find({ server: 'doc', url })).credential).toBeUndefined()
  })

  it.each([
    ['torn', '{"schema": "toolgate.credential/1", "ser', 'it is torn'],
    ['of another kind', '{"schema": "toolgate.listing/1"}', 'it does not say "toolgate.credential/1"'],
    [
      'without a token',
      JSON.stringify({ schema: 'toolgate.credential/1', ...credential, tokens: {} }),
      'it is no login',
    ],
    [
      'of a token that no header carries',
      JSON.stringify({ schema: 'toolgate.credential/1', ...credential, tokens: { access: 'a\r\nb: c' } }),
      'it is no login',
    ],
    [
      'of another issuer than its name says',
      JSON.stringify({ schema: 'toolgate.credential/1', ...credential, issuer: 'https://thief.example' }),
      'it belongs to another server or issuer',
    ],
  ])('sets a file aside that is %s, and says where', async (_case, text, words) => {
    const state = stateFolder()
    const store = credentialStore(state)
    await store.write(credential)
    const file = fileIn(state)
    writeFileSync(file, text)
    const { credential: found, findings } = await store.find({ server: 'docs', url })
    expect(found).toBeUndefined()
    expect(findings).toMatchObject([{ code: 'state-file', severity: 'warning', subject: 'docs' }])
    expect(findings[0]?.message).toBe(
      `the stored login of server "docs" is not used, for ${words}; it was set aside as ${file}.bad`,
    )
    expect(readFileSync(`${file}.bad`, 'utf8')).toBe(text)
    expect(await store.read(credential)).toBeUndefined()
    expect((await store.find({ server: 'docs', url })).findings).toEqual([])
  })

  it.runIf(isPosix)('follows no link', async () => {
    const state = stateFolder()
    const store = credentialStore(state)
    await store.write(credential)
    const elsewhere = join(stateFolder(), 'elsewhere.json')
    writeFileSync(elsewhere, readFileSync(fileIn(state)))
    const file = fileIn(state)
    rmSync(file)
    symlinkSync(elsewhere, file)
    expect((await store.find({ server: 'docs', url })).credential).toBeUndefined()
  })

  it('forgets whatever there is of a server, and of no other', async () => {
    const state = stateFolder()
    const store = credentialStore(state)
    await store.write(credential)
    await store.write({ ...credential, issuer: 'https://other.example' })
    const file = fileIn(state)
    await store.write({ ...credential, server: 'docs-2' })
    for (const leftover of ['.bad', '.lock', '.123-abc.tmp']) writeFileSync(`${file}${leftover}`, 'secret')
    expect(await store.forget('docs')).toBe(2)
    expect(filesIn(state).filter((name) => name.startsWith('docs-'))).toEqual([expect.stringMatching(/^docs-2-/)])
    expect(await store.forget('docs')).toBe(0)
  })

  it('says when it cannot be written', async () => {
    const state = join(stateFolder(), 'a-file')
    writeFileSync(state, '')
    await expect(credentialStore(state).write(credential)).rejects.toThrow(/ENOTDIR|EEXIST|ENOENT/)
  })

  it('takes any text for no login without an error, and repeats none of it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const parsed = parsedCredential(text)
        expect(parsed).toBeTypeOf('string')
        expect(['it is torn', 'it is no login', 'it does not say "toolgate.credential/1"']).toContain(parsed)
      }),
    )
  })
})

describe('the time that a token is good for', () => {
  const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()
  it.each([
    ['nobody said when it ends', {}, true, true],
    ['it ends in an hour', { expiresAt: at(3600) }, true, true],
    ['it ends within a minute', { expiresAt: at(50) }, false, true],
    [
      'it ends within a minute of the hour that it was given for',
      { givenAt: at(-3550), expiresAt: at(50) },
      false,
      true,
    ],
    ['it was given for a minute', { givenAt: at(-10), expiresAt: at(50) }, true, true],
    ['it was given for a minute, and most of it is over', { givenAt: at(-50), expiresAt: at(10) }, false, true],
    ['it has ended', { expiresAt: at(-1) }, false, false],
    ['it ended before it was given', { givenAt: at(10), expiresAt: at(-1) }, false, false],
  ])('when %s', (_case, times, fresh, alive) => {
    expect(isFresh({ access: 'a', ...times })).toBe(fresh)
    expect(isAlive({ access: 'a', ...times })).toBe(alive)
  })
})

describe('one at a time over all processes', () => {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

  it('lets one in after the other, and leaves nothing', async () => {
    const lock = join(stateFolder(), 'lock')
    let inside = 0
    let most = 0
    const visit = (): Promise<void> =>
      whileAlone(lock, async () => {
        inside += 1
        most = Math.max(most, inside)
        await pause(15)
        inside -= 1
      })
    await Promise.all(Array.from({ length: 6 }, visit))
    expect(most).toBe(1)
    expect(existsSync(lock)).toBe(false)
  })

  it('lets the next one in after a failure', async () => {
    const lock = join(stateFolder(), 'lock')
    await expect(whileAlone(lock, async () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck')
    expect(await whileAlone(lock, async () => 'in')).toBe('in')
  })

  it('takes over from a process that is gone', async () => {
    const lock = join(stateFolder(), 'lock')
    writeFileSync(lock, 'of a process that was killed')
    expect(await whileAlone(lock, async () => 'in', { goneMs: 100 })).toBe('in')
    expect(existsSync(lock)).toBe(false)
  })

  it('does not take over from one that is slow', async () => {
    const lock = join(stateFolder(), 'lock')
    let isDone = false
    const slow = whileAlone(
      lock,
      async () => {
        await pause(600)
        isDone = true
      },
      { touchMs: 20 },
    )
    await pause(30)
    expect(await whileAlone(lock, async () => isDone, { goneMs: 250 })).toBe(true)
    await slow
  })

  it('gives up when another one holds it for too long', async () => {
    const lock = join(stateFolder(), 'lock')
    const slow = whileAlone(lock, () => pause(300), { touchMs: 10 })
    await pause(30)
    await expect(whileAlone(lock, async () => 'in', { waitMs: 100, goneMs: 5000 })).rejects.toThrow(/held the lock/)
    await slow
  })
})
