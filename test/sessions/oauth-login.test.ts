import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { credentialStore } from '../../src/sessions/login/credential-store.ts'
import { credentialUrl } from '../../src/sessions/login/oauth-credential.ts'
import { LoginFailure } from '../../src/sessions/login/oauth-failure.ts'
import { type LoginPage, loginTo } from '../../src/sessions/login/oauth-login.ts'
import {
  type Asked,
  allOf,
  answering,
  browse,
  byHand,
  closed,
  listening,
  remote,
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
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-login-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Login {
  readonly folder?: string
  readonly act?: (page: LoginPage) => unknown
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

/** Logs in with a browser that opens what is shown. */
async function login(server: McpServerConfig, { act = (page) => browse(page.url), ...more }: Login = {}) {
  const { folder = stateFolder(), deadlineMs = 20_000, signal } = more
  const pages: LoginPage[] = []
  const acts: unknown[] = []
  const show = (page: LoginPage): void => {
    pages.push(page)
    acts.push(act(page))
  }
  const options = { stateFolder: folder, show, deadlineMs, ...(signal === undefined ? {} : { signal }) }
  const outcome = await loginTo(server, options).catch((error: unknown) => {
    if (error instanceof LoginFailure) return error
    throw error
  })
  await Promise.allSettled(acts)
  const stored = await credentialStore(folder).find({ server: server.name, url: credentialUrl(server.url ?? '') })
  return { outcome, pages, stored: stored.credential, opened: await acts[0] }
}

/** The failure of a login, as `code: words`. */
const failureIn = ({ outcome }: { readonly outcome: unknown }): string =>
  outcome instanceof LoginFailure ? `${outcome.code}: ${outcome.message}` : 'no failure'

describe('a login to a remote server [M6]', () => {
  it('registers, shows one address with its host apart, takes one answer and stores the tokens under the issuer', async () => {
    const there = await started({ expiresIn: 3600 })
    const { pages, stored, opened } = await login(remote(there.url))
    expect(pages).toEqual([
      {
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?response_type=code&/),
        host: new URL(there.issuer).host,
        issuer: there.issuer,
        redirectUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
        deadlineMs: 20_000,
      },
    ])
    expect(opened).toEqual({ status: 200, page: expect.stringContaining('The login has come back.') })
    expect(stored).toMatchObject({
      server: 'docs',
      url: there.url,
      issuer: there.issuer,
      resource: there.url,
      client: { from: 'registration' },
      tokens: { access: expect.stringMatching(/^access-/), refresh: expect.stringMatching(/^refresh-/), scope: 'read' },
    })
    const endsIn = Date.parse(stored?.tokens.expiresAt ?? '') - Date.now()
    expect(endsIn).toBeGreaterThan(3500_000)
    expect(endsIn).toBeLessThan(3601_000)
    const registration = JSON.parse(there.asked.find(({ path }) => path === '/register')?.body ?? '{}')
    expect(registration).toMatchObject({
      client_name: 'toolgate',
      token_endpoint_auth_method: 'none',
      redirect_uris: [pages[0]?.redirectUrl],
    })
  })

  it('listens on loopback only while it waits, and answers one time', async () => {
    const there = await started()
    let again: unknown
    const { pages } = await login(remote(there.url), {
      act: async ({ url, redirectUrl }) => {
        expect((await fetch(redirectUrl, { method: 'POST' })).status).toBe(405)
        expect((await fetch(redirectUrl.replace('/callback', '/'))).status).toBe(404)
        await browse(url)
        again = await fetch(redirectUrl).then(
          ({ status }) => status,
          () => 'nobody there',
        )
      },
    })
    expect(['nobody there', 410]).toContain(again)
    await expect(fetch(pages[0]?.redirectUrl ?? '')).rejects.toThrow()
  })

  it('answers the browser with a page that holds nothing of a stranger and may load nothing', async () => {
    const there = await started({ consent: 'no' })
    let answer: Response | undefined
    const result = await login(remote(there.url), {
      act: async ({ url }) => {
        answer = await fetch(url)
      },
    })
    expect(answer?.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer?.headers.get('cache-control')).toBe('no-store')
    const page = (await answer?.text()) ?? ''
    expect(page).toContain('The login was not granted.')
    expect(page).not.toMatch(/today|access_denied/)
    expect(failureIn(result)).toBe('login-denied: the login was not granted: not \\u001b[31mtoday')
    expect(result.stored).toBeUndefined()
  })

  it('refuses an answer with another state, and goes on waiting for its own', async () => {
    const there = await started()
    const statuses: number[] = []
    const { stored } = await login(remote(there.url), {
      act: async ({ url, redirectUrl }) => {
        for (const wrong of ['?code=stolen&state=guess', '?code=stolen', '?code=a&code=b&state=x'])
          statuses.push((await fetch(`${redirectUrl}${wrong}`)).status)
        await browse(url)
      },
    })
    expect(statuses).toEqual([400, 400, 400])
    expect(stored).toBeDefined()
    expect(allOf(there.asked)).not.toContain('stolen')
  })

  it('ends at its deadline when only answers with another state came, and says so', async () => {
    const there = await started({ onReturn: (back) => back.searchParams.set('state', 'another') })
    const result = await login(remote(there.url), { deadlineMs: 700 })
    expect(failureIn(result)).toBe(
      'login-timed-out: nobody finished the login within 0.7 s; 1 answer with another state came',
    )
    expect(there.asked.map(({ path }) => path)).not.toContain('/token')
  })

  it('can be called off', async () => {
    const there = await started()
    const stop = new AbortController()
    const result = await login(remote(there.url), { act: () => stop.abort(), signal: stop.signal })
    expect(failureIn(result)).toBe('login-failed: the login was called off')
  })

  it.each([
    ['names another issuer', (back: URL) => back.searchParams.set('iss', 'https://other.example')],
    ['names none, where it was promised', (back: URL) => back.searchParams.delete('iss')],
    [
      'names another issuer and an error',
      (back: URL) => {
        back.searchParams.delete('code')
        back.searchParams.set('error', 'words of a stranger')
        back.searchParams.set('iss', 'https://other.example')
      },
    ],
  ])('redeems no code of an answer that %s', async (_case, onReturn) => {
    const there = await started({ onReturn })
    const result = await login(remote(there.url))
    expect(failureIn(result)).toMatch(/^login-issuer-mismatch: the answer /)
    expect(failureIn(result)).not.toContain('words of a stranger')
    expect(there.asked.map(({ path }) => path)).not.toContain('/token')
  })

  it('asks no authorization server whose metadata is that of another issuer', async () => {
    const there = await started({ metadata: { issuer: 'https://other.example' } })
    const result = await login(remote(there.url))
    expect(failureIn(result)).toBe(
      `login-issuer-mismatch: the authorization server calls itself https://other.example, where ${there.issuer} was expected; nothing was sent to it`,
    )
    expect(result.pages).toEqual([])
  })

  it.each([
    [
      'does not say that it binds the code',
      { code_challenge_methods_supported: undefined },
      /does not say that it supports PKCE/,
    ],
    ['binds it in the open', { code_challenge_methods_supported: ['plain'] }, /does not say that it supports PKCE/],
    ['registers nobody', { registration_endpoint: undefined }, /registers no programs by itself/],
    [
      'has a login page without TLS',
      { authorization_endpoint: 'http://login.example/go' },
      /http:\/\/login\.example, is not one to be opened/,
    ],
    [
      'has a login page with a password',
      { authorization_endpoint: 'https://user:pass@login.example/go' },
      /is not one to be opened/,
    ],
    ['has a login page of no kind of the web', { authorization_endpoint: 'file:///etc/passwd' }, /^login-failed/],
  ])('stops before anybody opens anything when the authorization server %s', async (_case, metadata, words) => {
    const there = await started({ metadata })
    const result = await login(remote(there.url))
    expect(failureIn(result)).toMatch(words)
    expect(result.pages).toEqual([])
  })

  it.each(['307', '302'])(
    'sends the code nowhere else when the token endpoint answers with a redirect (%s)',
    async (status) => {
      const heard: Asked[] = []
      const rogue = answering(heard, () => ({ status: 200, body: { access_token: 'a', token_type: 'Bearer' } }))
      const location = `${await listening(rogue)}/token`
      ends.push(() => closed(rogue))
      const there = await started({ onToken: () => ({ status: Number(status), headers: { location } }) })
      expect(failureIn(await login(remote(there.url)))).toMatch(/^login-failed: the exchange of the answer for tokens/)
      expect(heard).toEqual([])
    },
  )

  it('does not go where a server names a metadata service as its authorization server', async () => {
    const there = await started({ resource: { authorization_servers: ['https://169.254.169.254/'] } })
    expect(failureIn(await login(remote(there.url)))).toBe(
      'login-failed: finding the authorization server failed: https://169.254.169.254 is not called: it leads to a link-local or metadata address',
    )
    expect(there.asked).toEqual([])
  })

  it('takes no login for another resource', async () => {
    const there = await started({ resource: { resource: 'https://elsewhere.example/mcp' } })
    expect(failureIn(await login(remote(there.url)))).toBe(
      'login-failed: its metadata is that of another resource, https://elsewhere.example/mcp',
    )
  })

  it.each([
    ['of another type', { token_type: 'DPoP', access_token: 'a' }, /a token of the type "DPoP", not Bearer/],
    [
      'that no header can carry',
      { token_type: 'bearer', access_token: 'a\r\nx: y' },
      /a token that no header can carry/,
    ],
  ])('stores no token %s', async (_case, body, words) => {
    const there = await started({
      onToken: () => ({ status: 200, body }),
    })
    const result = await login(remote(there.url))
    expect(failureIn(result)).toMatch(words)
    expect(result.stored).toBeUndefined()
  })

  it('tells a refusal of the exchange without the code and the verifier that it echoes', async () => {
    let form = new URLSearchParams()
    const there = await started({
      onToken: (given) => {
        form = given
        const words = `bad ${form.get('code')} ${form.get('code_verifier')}`
        return { status: 400, body: { error: 'invalid_grant', error_description: words } }
      },
    })
    const words = failureIn(await login(remote(there.url)))
    expect(words).toMatch(/^login-failed: the exchange of the answer for tokens failed: .*\*\*\* \*\*\*/)
    expect(words).not.toContain(form.get('code'))
  })

  it('uses the client, scopes and port of the configuration, and keeps the secret out of the stored file', async () => {
    const there = await started({ metadata: { registration_endpoint: undefined } })
    const spare = createServer()
    const port = Number(new URL(await listening(spare)).port)
    await closed(spare)
    const oauth = { ...byHand, scopes: ['read', 'write'], redirectPort: port }
    const { pages, stored } = await login(remote(there.url, { oauth }))
    const shown = new URL(pages[0]?.url ?? '').searchParams
    expect(shown.get('client_id')).toBe('by-hand')
    expect(shown.get('scope')).toBe('read write')
    expect(shown.get('redirect_uri')).toBe(`http://127.0.0.1:${port}/callback`)
    expect(stored?.client).toEqual({ id: 'by-hand', from: 'configuration' })
  })

  it('takes a secret from an authorization server that knows no client without one', async () => {
    const there = await started({ metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] } })
    const { stored } = await login(remote(there.url))
    expect(stored?.client).toEqual({
      id: expect.stringMatching(/^client-/),
      secret: expect.stringMatching(/^secret-/),
      authMethod: 'client_secret_basic',
      from: 'registration',
    })
  })

  it('says which port is taken', async () => {
    const there = await started()
    const taken = createServer()
    const port = Number(new URL(await listening(taken)).port)
    ends.push(() => closed(taken))
    const result = await login(remote(there.url, { oauth: { redirectPort: port } }))
    expect(failureIn(result)).toMatch(new RegExp(`port ${port} of 127\\.0\\.0\\.1 cannot be listened on .*EADDRINUSE`))
  })

  it('sends the headers of the configuration to the server, and to nobody else', async () => {
    const there = await started()
    const { stored } = await login(remote(there.url, { headers: { 'X-Api-Key': 'key-of-the-operator' } }))
    expect(stored).toBeDefined()
    expect(allOf(there.called)).toContain('key-of-the-operator')
    expect(allOf(there.asked)).not.toContain('key-of-the-operator')
  })

  it('says before anybody opens anything that the login before was given by another authorization server', async () => {
    const one = await started()
    const other = await started()
    const folder = stateFolder()
    await login(remote(one.url), { folder })
    one.plan.resource = { authorization_servers: [other.issuer] }
    const { pages } = await login(remote(one.url), { folder, deadlineMs: 300, act: () => {} })
    expect(pages[0]).toMatchObject({ issuer: other.issuer, issuerBefore: one.issuer })
  })

  it.each([
    ['is started', remote('http://127.0.0.1:1/mcp', { transport: 'stdio' }), /is started here/],
    [
      'has its credential in the configuration',
      remote('http://127.0.0.1:1/mcp', { headers: { authorization: 'Bearer x' } }),
      /has an Authorization header/,
    ],
  ])('is not offered for a server that %s', async (_case, server, words) => {
    expect(failureIn(await login(server))).toMatch(words)
  })
})
