import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { listAndKeep, listServer } from '../../src/sessions/listing/list-server.ts'
import { credentialStore } from '../../src/sessions/login/credential-store.ts'
import { type Credential, credentialUrl } from '../../src/sessions/login/oauth-credential.ts'
import { loginTo } from '../../src/sessions/login/oauth-login.ts'
import { type SessionAuth, sessionAuth } from '../../src/sessions/login/oauth-session.ts'
import { Unavailable } from '../../src/sessions/unavailable.ts'
import {
  type Asked,
  allOf,
  answering,
  browse,
  byHand,
  closed,
  listening,
  remote,
  toolNames,
  type World,
  type WorldPlan,
  world,
} from './oauth-world.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function started(plan: WorldPlan = {}): Promise<World> {
  const made = await world(plan)
  ends.push(made.close)
  return made
}

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-session-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface LoggedIn {
  readonly there: World
  readonly folder: string
  readonly server: McpServerConfig
  readonly stored: () => Promise<Credential | undefined>
}

/** A server whose login was carried out a moment ago. */
async function loggedIn(plan: WorldPlan = {}, more: Partial<McpServerConfig> = {}): Promise<LoggedIn> {
  const there = await started(plan)
  const folder = stateFolder()
  const server = remote(there.url, more)
  await loginTo(server, { stateFolder: folder, show: ({ url }) => void browse(url), deadlineMs: 20_000 })
  const place = { server: server.name, url: credentialUrl(there.url) }
  return { there, folder, server, stored: async () => (await credentialStore(folder).find(place)).credential }
}

/** What a session with this login lists, or the state and the words of its failure. */
async function listed(server: McpServerConfig, auth: SessionAuth | undefined): Promise<readonly unknown[] | string> {
  const login = auth === undefined ? {} : { auth }
  const listing = await listServer(server, { folder: tmpdir(), environment: {}, ...login })
  if (listing instanceof Unavailable) return `${listing.state}: ${listing.message}`
  return listing.tools.map((tool) => (tool as { readonly name: unknown }).name)
}

const listedAt = ({ server, folder }: LoggedIn): Promise<readonly unknown[] | string> =>
  listed(server, sessionAuth(server, folder))

/** Rewrites the stored tokens. */
async function changed({ folder, stored }: LoggedIn, tokens: Partial<Credential['tokens']>): Promise<void> {
  const credential = await stored()
  if (credential === undefined) throw new Error('no login is stored')
  await credentialStore(folder).write({ ...credential, tokens: { ...credential.tokens, ...tokens } })
}

/** A token that was given long ago and ends soon. */
const ending = (login: LoggedIn): Promise<void> =>
  changed(login, { givenAt: inSeconds(-3600), expiresAt: inSeconds(30) })

/** A token that has ended, for us and for the server. */
async function ended(login: LoggedIn): Promise<void> {
  login.there.revoke()
  await changed(login, { expiresAt: inSeconds(-5) })
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

describe('a session of a server that wants a login [M6]', () => {
  it('uses the stored token, and asks nobody while it is good', async () => {
    const login = await loggedIn({ expiresIn: 3600 })
    const before = login.there.asked.length
    expect(await listedAt(login)).toEqual(toolNames)
    expect(login.there.asked.length).toBe(before)
  })

  it('renews a token that ends within a minute before it uses it, and keeps the new refresh token', async () => {
    const login = await loggedIn({ expiresIn: 3600 })
    await ending(login)
    const old = await login.stored()
    expect(await listedAt(login)).toEqual(toolNames)
    expect(login.there.refreshes()).toBe(1)
    const renewed = await login.stored()
    expect(renewed?.tokens.refresh).not.toBe(old?.tokens.refresh)
    expect(renewed?.loggedInAt).toBe(old?.loggedInAt)
    expect(allOf(login.there.called)).not.toContain(old?.tokens.access)
    // The second session goes on with what the first one stored.
    expect(await listedAt(login)).toEqual(toolNames)
    expect(login.there.refreshes()).toBe(1)
  })

  it('does not renew a token again and again that is given for less than a minute', async () => {
    const login = await loggedIn({ expiresIn: 40 })
    expect(await listedAt(login)).toEqual(toolNames)
    expect(login.there.refreshes()).toBe(0)
  })

  it('renews a token that the server does not take any more, and asks again', async () => {
    const login = await loggedIn()
    login.there.revoke()
    expect(await listedAt(login)).toEqual(toolNames)
    expect(login.there.refreshes()).toBe(1)
  })

  it('uses what is left of a token when it cannot be renewed yet', async () => {
    const login = await loggedIn({ onToken: (form) => (form.has('refresh_token') ? { status: 503 } : undefined) })
    await ending(login)
    expect(await listedAt(login)).toEqual(toolNames)
  })

  it('leaves it to the server whether a token has ended, for our clock may be wrong', async () => {
    const login = await loggedIn({ gives: false })
    await changed(login, { expiresAt: inSeconds(-60) })
    expect(await listedAt(login)).toEqual(toolNames)
  })

  it('renews with the client of the configuration', async () => {
    const login = await loggedIn({}, { oauth: byHand })
    await ending(login)
    expect(await listedAt(login)).toEqual(toolNames)
    expect(login.there.refreshes()).toBe(1)
    const other = { ...login.server, oauth: { clientId: 'another' } }
    await ended(login)
    expect(await listed(other, sessionAuth(other, login.folder))).toMatch(/^login-needed: .*client_id/)
    expect(login.there.refreshes()).toBe(1)
  })

  it('renews once for all sessions of this process', async () => {
    const login = await loggedIn({ tokenDelayMs: 200 })
    await ending(login)
    const sessions = Array.from({ length: 8 }, () => listedAt(login))
    for (const names of await Promise.all(sessions)) expect(names).toEqual(toolNames)
    expect(login.there.refreshes()).toBe(1)
  })

  it('renews once for all calls of a session that are refused side by side, however late the answers come', async () => {
    const login = await loggedIn({ tokenDelayMs: 50 })
    const auth = sessionAuth(login.server, login.folder)
    if (auth === undefined) throw new Error('there is no login')
    const kept = await listAndKeep(login.server, { folder: tmpdir(), environment: {}, auth })
    if (kept instanceof Unavailable) throw kept
    try {
      login.there.revoke()
      login.there.plan.refusalDelayMs = () => Math.random() * 200
      const pages = Array.from({ length: 12 }, () => kept.session.page(undefined))
      for (const page of await Promise.all(pages)) expect(page).toMatchObject({ tools: [{}, {}, {}] })
      expect(login.there.refreshes()).toBe(1)
    } finally {
      await kept.session.end()
    }
  })

  it('renews once for all processes', async () => {
    const login = await loggedIn({ tokenDelayMs: 1500 })
    await ending(login)
    const { folder, server } = login
    const given = await Promise.all([tokenInProcess(server, folder), tokenInProcess(server, folder)])
    const stored = await login.stored()
    expect(given).toEqual([stored?.tokens.access, stored?.tokens.access])
    expect(login.there.refreshes()).toBe(1)
  }, 60_000)
})

/** The token that a process of its own would send. */
function tokenInProcess(server: McpServerConfig, folder: string): Promise<string> {
  const source = resolve(import.meta.dirname, '../../src/sessions/login/oauth-session.ts')
  const script = `
    import { sessionAuth } from ${JSON.stringify(source)}
    process.stdout.write(await sessionAuth(${JSON.stringify(server)}, ${JSON.stringify(folder)}).token())`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', () => done(Buffer.concat(parts).toString('utf8')))
  })
}

describe('a session that a person has to log in for [M6]', () => {
  it.each<[string, (login: LoggedIn) => Promise<void>, RegExp]>([
    [
      'nobody has logged in',
      async ({ folder }) => void (await credentialStore(folder).forget('docs')),
      /^login-needed: it wants a login \(HTTP 401\); run `toolgate login docs`$/,
    ],
    [
      'the login has ended and has no refresh token',
      async (login) => {
        const credential = await login.stored()
        const { refresh: _none, ...tokens } = credential?.tokens ?? { access: '' }
        if (credential === undefined) return
        await credentialStore(login.folder).write({ ...credential, tokens: { ...tokens, expiresAt: inSeconds(-5) } })
        login.there.revoke()
      },
      /^login-needed: the stored login has ended and cannot be renewed; run `toolgate login docs`$/,
    ],
    [
      'the refresh token is refused before use',
      async (login) => {
        login.there.revoke(true)
        await changed(login, { expiresAt: inSeconds(-5) })
      },
      /^login-needed: the stored login has ended and was not renewed: invalid_grant: no such token: \*\*\*; run `toolgate login docs`$/,
    ],
    [
      'the refresh token is refused after a 401',
      async ({ there }) => there.revoke(true),
      /^login-needed: it refused the stored login \(HTTP 401\), which was not renewed: invalid_grant: .*; run `toolgate login docs`$/,
    ],
    [
      'the stored file is torn',
      async ({ folder }) => {
        const { writeFileSync } = await import('node:fs')
        const [file = ''] = readdirSync(join(folder, 'credentials')).filter((name) => name.endsWith('.json'))
        writeFileSync(join(folder, 'credentials', file), '{"schema": "toolgate.cre')
      },
      /^login-needed: the stored login of server "docs" is not used, for it is torn; it was set aside as .*\.bad; run `toolgate login docs`$/,
    ],
  ])('is told so, with the command, when %s', async (_case, meddle, words) => {
    const login = await loggedIn()
    await meddle(login)
    const asked = login.there.asked.filter(({ path }) => path.startsWith('/authorize')).length
    expect(await listedAt(login)).toMatch(words)
    expect(login.there.asked.filter(({ path }) => path.startsWith('/authorize')).length).toBe(asked)
  })

  it('is told so over SSE as well', async () => {
    const login = await loggedIn()
    const server: McpServerConfig = { ...login.server, transport: 'sse' }
    login.there.revoke(true)
    expect(await listed(server, sessionAuth(server, login.folder))).toMatch(/^login-needed: .*`toolgate login docs`$/)
    await changed(login, { expiresAt: inSeconds(-5) })
    expect(await listed(server, sessionAuth(server, login.folder))).toMatch(/^login-needed: the stored login has ended/)
  })

  it('offers a refused refresh token one time only', async () => {
    const login = await loggedIn()
    login.there.revoke(true)
    await listedAt(login)
    const { length } = login.there.asked
    expect(await listedAt(login)).toMatch(/^login-needed/)
    expect(login.there.asked.length).toBe(length)
  })

  it('is not told so when the authorization server cannot be asked: that says nothing of the login', async () => {
    const login = await loggedIn()
    await ended(login)
    const credential = await login.stored()
    login.there.plan.onToken = () => ({ status: 500, body: { error: 'server_error' } })
    expect(await listedAt(login)).toMatch(/^failed-to-start: its login could not be renewed: server_error/)
    expect(await login.stored()).toEqual(credential)
  })

  it('needs no login where the server lets everybody in', async () => {
    const there = await started({ protects: false })
    const server = remote(there.url)
    expect(await listed(server, sessionAuth(server, stateFolder()))).toEqual(toolNames)
    expect(there.asked).toEqual([])
  })
})

describe('a login belongs to one issuer and one address [M6]', () => {
  it('sends no byte of it to another issuer that the server names by now', async () => {
    const login = await loggedIn({ expiresIn: 3600 })
    const heard: Asked[] = []
    const rogue = answering(heard, () => ({ status: 404 }))
    const issuer = await listening(rogue)
    ends.push(() => closed(rogue))
    login.there.plan.resource = { authorization_servers: [issuer] }
    const before = await login.stored()

    login.there.revoke()
    expect(await listedAt(login)).toEqual(toolNames)
    await changed(login, { expiresAt: inSeconds(-5) })
    expect(await listedAt(login)).toEqual(toolNames)
    login.there.revoke(true)
    expect(await listedAt(login)).toMatch(/^login-needed/)

    expect(heard).toEqual([])
    expect(login.there.refreshes()).toBe(3)
    expect(allOf(login.there.called)).not.toContain(before?.tokens.refresh)
  })

  it('is not renewed at an issuer that tells of itself under another name', async () => {
    const login = await loggedIn()
    await ended(login)
    login.there.plan.metadata = { issuer: 'https://other.example' }
    const before = login.there.asked.filter(({ path }) => path === '/token').length
    expect(await listedAt(login)).toMatch(/^failed-to-start: its login could not be renewed: /)
    expect(login.there.asked.filter(({ path }) => path === '/token').length).toBe(before)
  })

  it('is not sent to a server of the same name at another address', async () => {
    const login = await loggedIn()
    const heard: Asked[] = []
    const other = answering(heard, () => ({ status: 401 }))
    const moved = remote(`${await listening(other)}/mcp`)
    ends.push(() => closed(other))
    expect(await listed(moved, sessionAuth(moved, login.folder))).toMatch(/^login-needed/)
    expect(heard.length).toBeGreaterThan(0)
    expect(heard.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
  })

  it('sends the headers of the configuration to no authorization server', async () => {
    const login = await loggedIn({}, { headers: { 'X-Api-Key': 'key-of-the-operator' } })
    login.there.revoke()
    expect(await listedAt(login)).toEqual(toolNames)
    expect(login.there.refreshes()).toBeGreaterThan(0)
    expect(allOf(login.there.called)).toContain('key-of-the-operator')
    expect(allOf(login.there.asked)).not.toContain('key-of-the-operator')
  })
})

describe('a server with an Authorization header in the configuration [M6]', () => {
  it('gets that header as it is, also beside a stored login', async () => {
    const login = await loggedIn({ alsoGood: 'from-the-file' })
    const server = { ...login.server, headers: { authorization: 'Bearer from-the-file' } }
    const { length } = login.there.called
    expect(await listed(server, sessionAuth(server, login.folder))).toEqual(toolNames)
    const sent = login.there.called.slice(length).map(({ headers }) => headers.authorization)
    expect(new Set(sent)).toEqual(new Set(['Bearer from-the-file']))
  })

  it('is told that the configured header was refused, and nothing takes its place', async () => {
    const login = await loggedIn()
    const server = { ...login.server, headers: { Authorization: 'Bearer out-of-date' } }
    const { length } = login.there.called
    expect(await listed(server, sessionAuth(server, login.folder))).toBe(
      'login-needed: it refused the Authorization header of the configuration (HTTP 401); renew that value, or remove the header and run `toolgate login docs`',
    )
    const sent = login.there.called.slice(length).map(({ headers }) => headers.authorization)
    expect(new Set(sent)).toEqual(new Set(['Bearer out-of-date']))
  })
})

describe('what a login leaves behind [M6]', () => {
  it('writes no token anywhere but into its file', async () => {
    const told: string[] = []
    const methods = ['log', 'info', 'warn', 'error', 'debug'] as const
    const before = methods.map((method) => console[method])
    for (const method of methods) console[method] = (...words: unknown[]) => void told.push(words.join(' '))
    try {
      const login = await loggedIn()
      await ending(login)
      await listedAt(login)
      login.there.revoke(true)
      told.push(String(await listedAt(login)))
      const file = readdirSync(join(login.folder, 'credentials')).find((name) => name.endsWith('.json')) ?? ''
      const { tokens } = JSON.parse(readFileSync(join(login.folder, 'credentials', file), 'utf8')) as Credential
      for (const secret of [tokens.access, 'refresh-', 'access-', 'code-'])
        expect(told.join('\n')).not.toContain(secret)
      expect(told).toHaveLength(1)
    } finally {
      for (const [index, method] of methods.entries()) console[method] = before[index] ?? console[method]
    }
  })
})
