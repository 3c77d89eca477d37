import { createServer } from 'node:http'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { GuardedFetchError, type GuardOptions, guardedFetch } from '../../src/sessions/login/guarded-fetch.ts'
import { addressKind, isLoopbackHost, mayReach } from '../../src/sessions/login/oauth-reach.ts'
import { type Asked, answering, closed, listening, type Reply } from './oauth-world.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function door(
  reply: (about: Asked) => Reply,
): Promise<{ readonly origin: string; readonly heard: readonly Asked[] }> {
  const heard: Asked[] = []
  const server = answering(heard, reply)
  ends.push(() => closed(server))
  return { origin: await listening(server), heard }
}

/** Names that lead where a test wants them. */
const names =
  (known: { readonly [host: string]: readonly string[] }): Required<GuardOptions>['lookup'] =>
  async (host) =>
    known[host] ?? []

/** Why a request is not sent or read, as `reason: words`. */
async function why(request: Promise<Response>): Promise<string> {
  const outcome = await request.catch((error: unknown) => error)
  if (outcome instanceof GuardedFetchError) return `${outcome.reason}: ${outcome.message}`
  return outcome instanceof Response ? `answered ${outcome.status}` : `another error: ${String(outcome)}`
}

describe('addresses', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd12:3456::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['127.0.0.1', 'loopback'],
    ['127.9.9.9', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b::', 'never'],
    ['0.0.0.0', 'never'],
    ['::', 'never'],
    ['169.254.169.254', 'never'],
    ['::ffff:169.254.169.254', 'never'],
    ['64:ff9b::a9fe:a9fe', 'never'],
    ['fd00:ec2::254', 'never'],
    ['fe80::1', 'never'],
    ['fe80::1%eth0', 'never'],
    ['100.100.100.200', 'never'],
    ['168.63.129.16', 'never'],
    ['255.255.255.255', 'never'],
    ['224.0.0.1', 'never'],
    ['2002:7f00:1::', 'never'],
    ['no address', 'never'],
    ['', 'never'],
  ])('calls %s %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind)
  })

  it('judges an IPv4 address the same in each of its clothes', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        expect(addressKind(`::ffff:${address}`)).toBe(addressKind(address))
        expect(addressKind(`::ffff:${hex}`)).toBe(addressKind(address))
        expect(addressKind(`64:ff9b::${hex}`)).toBe(addressKind(address))
      }),
    )
  })

  it('leads from a public server to public addresses only, whatever it names', () => {
    const from = { url: new URL('https://mcp.example/mcp'), addresses: ['203.0.113.7'] }
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.constantFrom('https', 'http'), (address, scheme) => {
        const target = new URL(`${scheme}://elsewhere.example/`)
        expect(mayReach(target, address, from)).toBe(addressKind(address) === 'public')
      }),
    )
  })

  it.each([
    ['localhost', true],
    ['LOCALHOST.', true],
    ['app.localhost', true],
    ['127.1.2.3', true],
    ['[::1]', true],
    ['localhost.example', false],
    ['notlocalhost', false],
    ['10.0.0.1', false],
  ])('takes the host %s for this machine: %s', (host, expected) => {
    expect(isLoopbackHost(host)).toBe(expected)
  })
})

describe('guardedFetch [M6]', () => {
  const here = { url: 'http://127.0.0.1:1/mcp' }
  const far = { url: 'https://mcp.example/mcp' }

  it('asks with method, headers and body, and gives what was answered', async () => {
    const { origin, heard } = await door(() => ({ status: 201, headers: { 'x-a': '1' }, body: { fine: true } }))
    const body = new URLSearchParams({ grant_type: 'x', word: 'ü' })
    const response = await guardedFetch(here)(`${origin}/token`, { method: 'POST', headers: { 'x-b': '2' }, body })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-a')).toBe('1')
    expect(await response.json()).toEqual({ fine: true })
    expect(heard).toMatchObject([
      { method: 'POST', path: '/token', body: 'grant_type=x&word=%C3%BC', headers: { 'x-b': '2' } },
    ])
    expect(heard[0]?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  })

  it.each([
    ['ftp', here, 'ftp://127.0.0.1/', /only https is spoken/],
    ['plain http to another machine', here, 'http://auth.example/', /goes over https/],
    ['a password in the address', here, 'https://user:secret@127.0.0.1/', /holds a user or password/],
    ['the metadata service by its number', here, 'https://169.254.169.254/latest', /link-local or metadata/],
    ['the metadata service from a public server', far, 'https://169.254.169.254/latest', /link-local or metadata/],
    ['this machine from a public server', far, 'http://127.0.0.1:9/', /private address/],
    ['this machine from a public server, in another spelling', far, 'http://0x7f.1:9/', /private address/],
    ['this machine from a public server, as IPv6', far, 'https://[::ffff:127.0.0.1]/', /private address/],
    ['the network around from a public server', far, 'https://10.0.0.1/', /private address/],
    ['a name that leads to this machine', far, 'https://inside.example/', /private address/],
    ['a name that leads to a metadata service', far, 'https://metadata.example/', /link-local or metadata/],
    ['localhost that is another machine', here, 'http://localhost:9/', /another machine than this one/],
    ['a host without an address', far, 'https://nowhere.example/', /has no address/],
  ])('does not go to %s', async (_case, server, url, words) => {
    const lookup = names({
      'mcp.example': ['203.0.113.7'],
      'inside.example': ['127.0.0.1'],
      'metadata.example': ['169.254.169.254'],
      localhost: ['203.0.113.9'],
    })
    const told = await why(guardedFetch(server, { lookup })(url))
    expect(told).toMatch(words)
    expect(told).toMatch(/^refused/)
    expect(told).not.toContain('secret')
  })

  it('connects to the address that was judged, whatever the name leads to a moment later', async () => {
    const { origin, heard } = await door(() => ({ status: 200, body: {} }))
    const { port } = new URL(origin)
    let asked = 0
    const lookup = async (host: string): Promise<readonly string[]> => {
      if (host !== 'turns.localhost') return ['203.0.113.7']
      asked += 1
      return [asked === 1 ? '127.0.0.1' : '169.254.169.254']
    }
    const ask = guardedFetch(here, { lookup })
    expect((await ask(`http://turns.localhost:${port}/`)).status).toBe(200)
    expect(heard[0]?.headers.host).toBe(`turns.localhost:${port}`)
    expect(await why(ask(`http://turns.localhost:${port}/`))).toMatch(/^refused/)
    expect(heard).toHaveLength(1)
  })

  it('connects to no address but those that may be reached, where a name has several', async () => {
    const { origin, heard } = await door(() => ({ status: 200, body: {} }))
    const { port } = new URL(origin)
    const lookup = names({ 'two.localhost': ['169.254.169.254', '127.0.0.1'] })
    expect((await guardedFetch(here, { lookup })(`http://two.localhost:${port}/`)).status).toBe(200)
    expect(heard).toHaveLength(1)
  })

  it('goes to the own host of a server, and where its network is private, into that', async () => {
    const lookup = names({ 'mcp.corp': ['10.1.1.1'], 'auth.corp': ['10.1.1.2'], 'this.corp': ['127.0.0.1'] })
    const ask = guardedFetch({ url: 'https://mcp.corp/mcp' }, { lookup, timeoutMs: 50 })
    // Nobody is there: what counts is that it was tried.
    expect(await why(ask('https://mcp.corp:8443/'))).not.toMatch(/^refused/)
    expect(await why(ask('https://auth.corp/'))).not.toMatch(/^refused/)
    expect(await why(ask('https://this.corp/'))).toMatch(/^refused/)
  })

  it('takes a name that leads to this machine for the own host of a server only under TLS, or at its port', () => {
    const from = { url: new URL('http://mcp.example:8080/mcp'), addresses: ['203.0.113.7'] }
    expect(mayReach(new URL('http://mcp.example:8080/x'), '127.0.0.1', from)).toBe(true)
    expect(mayReach(new URL('https://mcp.example/x'), '127.0.0.1', from)).toBe(true)
    expect(mayReach(new URL('http://mcp.example:6379/x'), '127.0.0.1', from)).toBe(false)
  })

  it('follows no redirect, so that whoever does has the next address judged', async () => {
    const target = await door(() => ({ status: 200, body: {} }))
    const { origin } = await door(() => ({ status: 307, headers: { location: `${target.origin}/secrets` } }))
    const response = await guardedFetch(here)(origin, { method: 'POST', body: 'refresh_token=1', redirect: 'follow' })
    expect(response.status).toBe(307)
    expect(target.heard).toEqual([])
  })

  it('reads no answer that is too long', async () => {
    const { origin } = await door(() => ({ status: 200, body: 'x'.repeat(1025) }))
    expect(await why(guardedFetch(here, { bytesMax: 1024 })(origin))).toBe(
      `too-large: ${origin} sent an answer of more than 1024 bytes`,
    )
  })

  it.each([
    ['no answer at all', () => {}],
    [
      'the beginning of an answer',
      (response: import('node:http').ServerResponse) => void response.writeHead(200).write('{'),
    ],
  ])('waits for %s until its deadline only', async (_case, begin) => {
    const server = createServer((_request, response) => begin(response))
    ends.push(() => closed(server))
    const origin = await listening(server)
    expect(await why(guardedFetch(here, { timeoutMs: 100 })(origin))).toBe(
      `timed-out: ${origin} gave no whole answer within 0.1 s`,
    )
  })

  it('waits for a name no longer than that either', async () => {
    const lookup = () => new Promise<never>(() => {})
    expect(await why(guardedFetch(far, { lookup, timeoutMs: 50 })('https://auth.example/'))).toMatch(/^timed-out/)
  })

  it('can be called off', async () => {
    const server = createServer(() => stop.abort())
    const stop = new AbortController()
    ends.push(() => closed(server))
    const origin = await listening(server)
    expect(await why(guardedFetch(here, { signal: stop.signal })(origin))).toBe(
      `cancelled: the request to ${origin} was called off`,
    )
  })

  it('says with the word of the system that nobody is there', async () => {
    const server = createServer()
    const origin = await listening(server)
    await closed(server)
    expect(await why(guardedFetch(here)(origin))).toBe(`unreachable: ${origin} could not be reached (ECONNREFUSED)`)
  })
})
