// `toolgate login` as people use it: a process that prints an address, a browser that opens it, and a login on disk.

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOf, byHand, toolNames, type World, type WorldPlan, world } from '../sessions/oauth-world.ts'
import { ensureBuilt, mainFile } from './built.ts'
import { documentOf, offering, type Project, project, scripted } from './project.ts'
import type { Ran } from './run.ts'

const worlds: World[] = []
afterAll(async () => {
  for (const one of worlds) await one.close()
})
beforeAll(ensureBuilt)

async function started(plan: WorldPlan = {}): Promise<World> {
  const made = await world(plan)
  worlds.push(made)
  return made
}

const projectFor = (there: World, more = ''): Project =>
  project({
    'toolgate.yaml': [
      'version: 1',
      'mcp_servers:',
      `  docs: { url: ${there.url}${more} }`,
      `  files: ${scripted(offering('read'))}`,
      `  keyed: { url: ${there.url}, headers: { Authorization: Bearer from-the-file } }`,
      `  asleep: { url: ${there.url}, enabled: false }`,
      '',
    ].join('\n'),
  })

type Act = (address: string, stop: () => void) => unknown

const browse: Act = async (address) => (await fetch(address)).text()

/** Runs `toolgate login` and acts on the address that it prints, one time. */
function login(
  inside: Project,
  words: readonly string[],
  act: Act = browse,
): Promise<Ran & { readonly address?: string }> {
  const child = spawn(process.execPath, [mainFile, 'login', ...words], {
    cwd: inside.folder,
    env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  let address: string | undefined
  let acted: unknown
  child.stdout.on('data', (part: Buffer) => {
    stdout += part.toString('utf8')
  })
  child.stderr.on('data', (part: Buffer) => {
    stderr += part.toString('utf8')
    const printed = /^http\S+\/authorize\?\S+$/m.exec(stderr)?.[0]
    if (printed === undefined || address !== undefined || !stderr.includes('Waiting')) return
    address = printed
    acted = act(printed, () => child.kill('SIGINT'))
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 45_000)
    child.on('error', reject)
    child.on('close', async (code) => {
      clearTimeout(timer)
      await acted
      resolve({ code, stdout, stderr, ...(address === undefined ? {} : { address }) })
    })
  })
}

const storedIn = (inside: Project): string[] => {
  try {
    return readdirSync(inside.path('.toolgate/credentials')).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('toolgate login [M6]', () => {
  it('logs in by a browser, stores the login and lists the server with it', async () => {
    const there = await started({ expiresIn: 3600 })
    const inside = projectFor(there)
    const ran = await login(inside, ['docs'])
    expect(ran).toMatchObject({ code: 0, stdout: `docs: logged in; ${toolNames.length} tools\n` })
    expect(ran.stderr).toContain(`Login to server docs at ${there.url}`)
    expect(ran.stderr).toContain(`the address leads to  ${new URL(there.issuer).host}\n`)
    const [file = ''] = storedIn(inside)
    const text = readFileSync(inside.path(`.toolgate/credentials/${file}`), 'utf8')
    const { tokens } = JSON.parse(text) as { readonly tokens: { readonly access: string; readonly refresh: string } }
    for (const secret of [tokens.access, tokens.refresh]) expect(ran.stdout + ran.stderr).not.toContain(secret)
    if (process.platform !== 'win32') {
      expect(modeOf(inside.path('.toolgate/credentials'))).toBe('700')
      expect(modeOf(inside.path(`.toolgate/credentials/${file}`))).toBe('600')
    }
    expect(allOf(there.called)).toContain(`Bearer ${tokens.access}`)
  })

  it('is what a run goes on with: the tools are there afterwards, and before it the next step is named', async () => {
    const there = await started({ expiresIn: 3600 })
    const inside = projectFor(there)
    const states = async (): Promise<unknown> => (await inside.tools()).servers.find(({ name }) => name === 'docs')
    expect(await states()).toMatchObject({
      state: 'login-needed',
      detail: 'it wants a login (HTTP 401); run `toolgate login docs`',
    })
    await login(inside, ['docs'])
    expect(await states()).toMatchObject({ state: 'available', tools: toolNames.length })
    expect(await states()).toMatchObject({ state: 'available', tools: toolNames.length })
    expect(there.refreshes()).toBe(0)
    await login(inside, ['docs', '--forget'])
    expect(await states()).toMatchObject({ state: 'login-needed' })
  })

  it('prints one JSON document, with all else on stderr', async () => {
    const there = await started({ expiresIn: 3600 })
    const ran = await login(projectFor(there), ['docs', '--json', '--quiet'])
    expect(ran.code).toBe(0)
    expect(documentOf(ran)).toEqual({
      schema: 'toolgate.login/1',
      server: 'docs',
      state: 'logged-in',
      tools: toolNames.length,
      issuer: there.issuer,
      renewable: true,
      scope: 'read',
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
  })

  it('uses a client that was registered by hand, and stores no secret of the configuration', async () => {
    const there = await started({ metadata: { registration_endpoint: undefined } })
    const inside = projectFor(
      there,
      `, oauth: { client_id: ${byHand.clientId}, client_secret: ${byHand.clientSecret} }`,
    )
    const ran = await login(inside, ['docs'])
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('logged in') })
    const [file = ''] = storedIn(inside)
    expect(readFileSync(inside.path(`.toolgate/credentials/${file}`), 'utf8')).not.toContain(byHand.clientSecret)
  })

  it.each<[string, WorldPlan, readonly string[], RegExp]>([
    [
      'the person says no',
      { consent: 'no' },
      [],
      /^error login-denied {2}docs: the login was not granted: not \\u001b\[31mtoday$/m,
    ],
    [
      'nobody comes back',
      { onReturn: (back) => back.searchParams.set('state', 'x') },
      ['--wait', '1'],
      /^error login-timed-out {2}docs: nobody finished the login within 1 s; 1 answer with another state came$/m,
    ],
    [
      'another issuer answers',
      { onReturn: (back) => back.searchParams.set('iss', 'https://other.example') },
      [],
      /^error login-issuer-mismatch {2}docs: the answer calls itself https:\/\/other\.example, where \S+ was expected; nothing was sent to it$/m,
    ],
    [
      'the code is refused',
      { onToken: () => ({ status: 400, body: { error: 'invalid_grant' } }) },
      [],
      /^error login-failed {2}docs: the exchange of the answer for tokens failed: invalid_grant/m,
    ],
  ])('says in one line why it came to nothing when %s', async (_case, plan, words, line) => {
    const inside = projectFor(await started(plan))
    const ran = await login(inside, ['docs', ...words])
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(line)
    expect(storedIn(inside)).toEqual([])
  })

  it('gives an error as JSON where JSON is asked for', async () => {
    const ran = await login(projectFor(await started({ consent: 'no' })), ['docs', '--json'])
    expect(ran.code).toBe(1)
    expect(documentOf(ran)).toMatchObject({
      schema: 'toolgate.error/1',
      findings: [{ code: 'login-denied', subject: 'docs' }],
    })
  })

  it.runIf(process.platform !== 'win32')('leaves nothing when it is interrupted', async () => {
    const inside = projectFor(await started())
    const ran = await login(inside, ['docs'], (_address, stop) => stop())
    expect(ran.code).not.toBe(0)
    expect(ran.stdout).toBe('')
    expect(storedIn(inside)).toEqual([])
  })

  it('says that a server needs no login', async () => {
    const inside = projectFor(await started({ protects: false }))
    const ran = await login(inside, ['docs'])
    expect(ran).toMatchObject({ code: 0, stdout: `docs: it needs no login; ${toolNames.length} tools\n`, stderr: '' })
    expect(ran.address).toBeUndefined()
  })

  it.each<[string, readonly string[], number, RegExp]>([
    ['a name that is nearly right', ['dosc'], 5, /there is no server "dosc"\n.*did you mean "docs"/s],
    ['a server that is started', ['files'], 1, /login-unsupported {2}files: server "files" is started here/],
    [
      'a server with its credential in the configuration',
      ['keyed'],
      1,
      /login-unsupported {2}keyed: server "keyed" has an Authorization header/,
    ],
    [
      'a server that is switched off',
      ['asleep'],
      1,
      /login-unsupported {2}asleep: the server is not called, for it says enabled: false/,
    ],
    ['a policy flag', ['docs', '--deny-tool', 'x'], 2, /only --config has an effect on a login/],
    ['a time that is none', ['docs', '--wait', 'long'], 2, /--wait takes seconds from 1 to 3600/],
    ['nobody to log in to', [], 2, /takes: SERVER/],
  ])('answers %s with a clear line', async (_case, words, code, line) => {
    const ran = await login(projectFor(await started()), words)
    expect(ran.code).toBe(code)
    expect(ran.stderr).toMatch(line)
  })

  it('does not blame the login when nobody is there', async () => {
    const gone = await world()
    await gone.close()
    const ran = await login(projectFor(gone), ['docs'])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/server-unavailable {2}docs: .*could not be reached \(ECONNREFUSED\)/)
  })

  it('forgets a login', async () => {
    const inside = projectFor(await started())
    await login(inside, ['docs'])
    expect(storedIn(inside)).toHaveLength(1)
    expect(await login(inside, ['docs', '--forget'])).toMatchObject({
      code: 0,
      stdout: 'docs: the login is forgotten\n',
    })
    expect(storedIn(inside)).toEqual([])
    expect(documentOf(await login(inside, ['docs', '--forget', '--json']))).toEqual({
      schema: 'toolgate.login/1',
      server: 'docs',
      state: 'nothing-stored',
      removed: 0,
    })
    expect(await login(inside, ['dosc', '--forget'])).toMatchObject({ code: 5 })
  })
})
