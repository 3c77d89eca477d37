import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type HttpEndpoint, type HttpEndpointSpec, serveHttp } from '../../src/gateway/endpoint/serve-http.ts'
import { fakeService, type OpenedFake } from './endpoint-fake.ts'
import { asClient, callOf, initialize, modern, raw } from './endpoint-raw.ts'

const [tokenA, tokenB] = ['token-of-a-CANARY', 'token-of-b-CANARY']
const tokens: HttpEndpointSpec['auth'] = {
  kind: 'tokens',
  tokens: [
    { name: 'a', value: tokenA, view: 'desk', views: ['lab'], user: 'ann' },
    { name: 'b', sha256: createHash('sha256').update(tokenB).digest('hex'), view: 'desk', user: 'bob' },
  ],
}
const open: HttpEndpointSpec['auth'] = { kind: 'none', view: 'desk', user: 'u1' }
const bearer = (token: string) => ({ ...asClient, authorization: `Bearer ${token}` })

let endpoint: HttpEndpoint | undefined
let fake: OpenedFake
afterEach(() => endpoint?.close())

async function started(more: Partial<HttpEndpointSpec> = {}): Promise<HttpEndpoint> {
  fake = fakeService()
  endpoint = await serveHttp({ service: fake.service, auth: open, port: 0, ...more })
  return endpoint
}

describe('who reaches the HTTP endpoint', () => {
  it.each([
    ['host', 'attacker.example', 'host-not-allowed'],
    ['host', 'localhost.attacker.example', 'host-not-allowed'],
    ['host', 'localhost@attacker.example', 'host-not-allowed'],
    ['origin', 'http://attacker.example', 'origin-not-allowed'],
    ['origin', 'http://localhost.attacker.example', 'origin-not-allowed'],
    ['origin', 'null', 'origin-not-allowed'],
  ])('refuses %s %s before anything is read', async (name, value, word) => {
    const { url } = await started()
    for (const path of ['/mcp', '/health', '/']) {
      const answer = await raw(url, { path, headers: { ...asClient, [name]: value }, body: callOf('echo') })
      expect([answer.status, answer.word()]).toEqual([403, word])
    }
    expect(fake.clients).toEqual([])
  })

  it('lets pages of this machine and names of the operator in', async () => {
    const { url } = await started({ allowedHosts: ['gate.example'], allowedOrigins: ['desk.example'] })
    const known: readonly { readonly [name: string]: string }[] = [
      { origin: 'http://localhost:6274' },
      { origin: 'https://desk.example' },
      { host: 'Gate.Example:80' },
    ]
    for (const headers of known) {
      const answer = await raw(url, { headers: { ...asClient, ...headers }, body: callOf('echo') })
      expect(answer.status).toBe(200)
    }
  })

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])('does not listen at %s without tokens', async (host) => {
    await expect(started({ host })).rejects.toMatchObject({ finding: { code: 'serve-unprotected' } })
  })

  it('listens where others reach it when it asks for tokens, and says when it cannot', async () => {
    const first = await started({ host: '0.0.0.0', auth: tokens })
    const url = `http://127.0.0.1:${first.port}/mcp`
    expect((await raw(url, { headers: bearer(tokenA), body: callOf('echo') })).status).toBe(200)
    const service = fake.service
    await expect(serveHttp({ service, auth: open, port: first.port })).rejects.toMatchObject({
      finding: { code: 'serve-address' },
    })
  })
})

describe('tokens of the HTTP endpoint', () => {
  it.each([
    ['none', asClient],
    ['a wrong one', bearer('wrong')],
    ['the digest in place of the value', bearer(createHash('sha256').update(tokenB).digest('hex'))],
    ['another scheme', { ...asClient, authorization: `Basic ${tokenA}` }],
  ])('refuses %s', async (_what, headers) => {
    const { url } = await started({ auth: tokens })
    const answer = await raw(url, { headers, body: callOf('echo') })
    expect([answer.status, answer.word()]).toEqual([401, 'unauthenticated'])
    expect(answer.headers['www-authenticate']).toContain('Bearer')
    expect(answer.text).not.toContain('CANARY')
    expect(fake.clients).toEqual([])
  })

  it('does not read a token in the address', async () => {
    const { url } = await started({ auth: tokens })
    const path = `/mcp?access_token=${tokenA}`
    expect((await raw(url, { path, headers: asClient, body: callOf('echo') })).status).toBe(401)
  })

  it('says who the client is, and passes nothing of its headers on', async () => {
    const { url } = await started({ auth: tokens })
    await raw(url, {
      headers: { ...bearer(tokenB), cookie: 'CANARY', 'x-toolgate-thread': 't_1' },
      body: callOf('who'),
    })
    const { capabilities, era, thread, user, view } = fake.clients[0]?.client ?? {}
    expect({ capabilities, era, thread, user, view }).toEqual({
      capabilities: {},
      era: 'legacy',
      thread: 't_1',
      user: 'bob',
      view: 'desk',
    })
    expect(JSON.stringify(fake.clients)).not.toContain('CANARY')
  })

  it('gives a view by path or header among those of the token', async () => {
    const { url } = await started({ auth: tokens })
    const viewFor = async (token: string, path: string, header?: string) => {
      const headers = { ...bearer(token), ...(header === undefined ? {} : { 'x-toolgate-view': header }) }
      const answer = await raw(url, { path, headers, body: callOf('who') })
      if (answer.status !== 200) return answer.word()
      return (answer.json() as { result: { structuredContent: { view: string } } }).result.structuredContent.view
    }
    expect(await viewFor(tokenA, '/mcp')).toBe('desk')
    expect(await viewFor(tokenA, '/mcp/lab')).toBe('lab')
    expect(await viewFor(tokenA, '/mcp', 'lab')).toBe('lab')
    expect(await viewFor(tokenA, '/mcp/lab', 'desk')).toBe('view-mismatch')
    expect(await viewFor(tokenB, '/mcp/lab')).toBe('view-not-allowed')
    expect(await viewFor(tokenB, '/mcp/a%2fb')).toBe('not-found')
    expect(await viewFor(tokenB, '/mcpx')).toBe('not-found')
  })

  it('asks a verifier about a token that is none of the list', async () => {
    const asked: string[] = []
    const verify = async (token: string) => {
      asked.push(token)
      if (token === 'throws') throw new Error('no')
      return token === 'jwt' ? { name: 'j', view: 'lab', user: 'jo' } : undefined
    }
    const resource = { resource: 'https://gate.example/mcp', authorizationServers: ['https://id.example'] }
    const { url } = await started({ auth: { ...tokens, verify, resource } })
    expect((await raw(url, { headers: bearer('jwt'), body: callOf('who') })).text).toContain('"user":"jo"')
    expect((await raw(url, { headers: bearer('throws'), body: callOf('who') })).status).toBe(401)
    const refused = await raw(url, { headers: bearer('other'), body: callOf('who') })
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers['www-authenticate'] ?? '')?.[1] ?? ''
    expect((await raw(metadata, { method: 'GET' })).json()).toMatchObject({
      resource: resource.resource,
      authorization_servers: resource.authorizationServers,
    })
    expect(asked).toEqual(['jwt', 'throws', 'other'])
  })

  it('does not let one client have the session of another', async () => {
    const { url } = await started({ auth: tokens })
    const opened = await raw(url, { headers: bearer(tokenB), body: initialize })
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? { body: callOf('echo') } : {}
      const answer = await raw(url, { method, headers: { ...bearer(tokenA), ...session }, ...body })
      expect([answer.status, answer.word()]).toEqual([404, 'session-not-found'])
    }
    expect((await raw(url, { headers: { ...bearer(tokenB), ...session }, body: callOf('echo') })).status).toBe(200)
    expect(fake.called).toEqual(['echo'])
  })
})

describe('bounds of the HTTP endpoint', () => {
  const nested = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}}`
  it.each([
    ['no JSON', '{"jsonrpc":"2.0",', 400, 'parse-error'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'parse-error'],
    ['too many levels', nested(98), 400, 'too-deep'],
    ['very many levels', nested(100_000), 400, 'too-deep'],
    ['too many values', `{"a":[${'1,'.repeat(600_000)}1]}`, 413, 'too-big'],
    ['too many bytes', `"${'x'.repeat(5 * 1024 * 1024)}"`, 413, 'too-big'],
    ['a batch', JSON.stringify([callOf('echo'), callOf('bash')]), 400, 'batch'],
    ['no message', '{"jsonrpc":"2.0","id":1,"Method":"tools/call"}', 400, 'invalid-request'],
  ])('refuses %s', async (_what, rawBody, status, word) => {
    const { url } = await started()
    const answer = await raw(url, { headers: asClient, rawBody })
    expect([answer.status, answer.word()]).toEqual([status, word])
    expect(fake.clients).toEqual([])
  })

  it('takes what is within them, brackets in texts included', async () => {
    const { url } = await started()
    expect((await raw(url, { headers: asClient, rawBody: nested(97) })).status).toBe(200)
    const text = `${'['.repeat(1000)}\\"${'{,'.repeat(100_000)}`
    expect((await raw(url, { headers: asClient, body: callOf('echo', { text }) })).json()).toMatchObject({
      result: { structuredContent: { text } },
    })
  })

  it('counts the bytes of a body that does not say how long it is', async () => {
    const { url } = await started({ limits: { bodyBytes: 1000 } })
    const headers = { ...asClient, 'transfer-encoding': 'chunked' }
    const sent = await raw(url, { headers, rawBody: 'x'.repeat(2000) })
    expect([sent.status, sent.word()]).toEqual([413, 'too-big'])
  })

  it.each([
    [{ 'content-type': 'text/plain' }, 415, 'content-type'],
    [{ 'content-encoding': 'gzip' }, 415, 'content-encoding'],
    [{ accept: 'text/html' }, 406, 'not-acceptable'],
    [{ accept: 'application/json' }, 406, 'not-acceptable'],
    [{ 'x-toolgate-thread': '../x' }, 400, 'invalid-id'],
    [{ 'mcp-session-id': 'invented' }, 404, 'session-not-found'],
  ])('refuses the headers %j', async (headers, status, word) => {
    const { url } = await started()
    const answer = await raw(url, { headers: { ...asClient, ...headers } as typeof asClient, body: callOf('echo') })
    expect([answer.status, answer.word()]).toEqual([status, word])
    expect(fake.called).toEqual([])
  })

  it.each(['PUT', 'PATCH', 'OPTIONS', 'HEAD'])('does not know the verb %s', async (method) => {
    const { url } = await started()
    const answer = await raw(url, { method })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, GET, DELETE'])
  })

  it('hangs up on a body that does not come', async () => {
    const { port } = await started({ limits: { receiveMs: 50 } })
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    )
    await new Promise((resolve) => socket.once('close', resolve))
    expect(text).toContain('408')
    expect(text).toContain('too-slow')
  })

  it('bounds what one client runs at the same time, and in a second', async () => {
    const { url } = await started({ auth: tokens, limits: { inFlight: 2, perSecond: 5 } })
    const hanging = [1, 2].map((id) => raw(url, { headers: bearer(tokenA), body: callOf('hang', {}, id) }))
    await fake.until(() => fake.called.length === 2)
    const third = await raw(url, { headers: bearer(tokenA), body: callOf('echo') })
    expect([third.status, third.word(), third.headers['retry-after']]).toEqual([429, 'too-many', '1'])
    const others = await Promise.all(
      [1, 2].map((id) => raw(url, { headers: bearer(tokenB), body: callOf('echo', {}, id) })),
    )
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    const many = []
    for (let at = 0; at < 8; at++) many.push((await raw(url, { headers: bearer(tokenB), body: callOf('echo') })).status)
    expect(many).toContain(429)
    await endpoint?.close()
    await Promise.allSettled(hanging)
  })

  it.each([
    ['mcp-method', 'tools/list'],
    ['mcp-name', 'read_file'],
    ['mcp-name', '=?base64?cmVhZF9maWxl?='],
    ['mcp-name', '=?base64?!?='],
  ])('refuses a header %s: %s that says another thing than the body, in each revision', async (name, value) => {
    const { url } = await started()
    const { body, headers } = modern('tools/call', { name: 'echo', arguments: {} })
    for (const [sent, own] of [
      [body, headers],
      [callOf('echo'), asClient],
    ] as const) {
      const answer = await raw(url, { headers: { ...own, [name]: value }, body: sent })
      expect(answer.json()).toMatchObject({ id: 1, error: { code: -32020 } })
      expect(answer.status).toBe(400)
    }
    expect(fake.called).toEqual([])
  })

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])('wants the header %s of 2026-07-28', async (name) => {
    const { url } = await started()
    const { body, headers } = modern('tools/call', { name: 'echo', arguments: {} })
    const { [name]: _left, ...others } = headers
    const answer = await raw(url, { headers: others, body })
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: -32020 } }])
  })

  it('reads a name that a header cannot hold', async () => {
    const { url } = await started()
    const { body, headers } = modern('resources/read', { uri: 'x:ä' })
    const name = `=?base64?${Buffer.from('x:ä').toString('base64')}?=`
    expect((await raw(url, { headers: { ...headers, 'mcp-name': name }, body })).status).toBe(200)
  })
})

describe('what the HTTP endpoint tells everybody', () => {
  it('says how it is, and whether it serves', async () => {
    const { url } = await started()
    const get = (path: string) => raw(url, { method: 'GET', path })
    expect((await get('/health')).json()).toEqual({ state: 'ready', servers: [{ name: 'files', state: 'ready' }] })
    fake.state = 'starting'
    expect([(await get('/health')).status, (await get('/ready')).status]).toEqual([200, 503])
    fake.state = 'ready'
    expect((await get('/ready')).status).toBe(200)
    expect((await raw(url, { path: '/health', headers: asClient, body: {} })).status).toBe(405)
  })

  it('names no server where tokens are asked for', async () => {
    const { url } = await started({ auth: tokens })
    expect((await raw(url, { method: 'GET', path: '/health' })).json()).toEqual({ state: 'ready' })
  })

  it.each(['/', '/health', '/mcp', '/assets/..%2f..%2fetc/passwd'])(
    'answers %s as something that is no page',
    async (path) => {
      const { url } = await started()
      const { headers } = await raw(url, { method: 'GET', path })
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'content-security-policy': "default-src 'self'",
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      })
    },
  )
})
