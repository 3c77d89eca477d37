import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { CallFailure } from '../../src/sessions/call-failure.ts'
import { type OpenOptions, openSession } from '../../src/sessions/open-session.ts'
import type { OpenSession } from '../../src/sessions/session.ts'
import { freshFolder, serverConfig } from '../sources/scripted.ts'
import { call, opened, textOf, until } from './session-wires.ts'

interface Came {
  readonly verb: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly requestId?: unknown }
}
type Answer = (response: ServerResponse, came: Came) => void

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A server of 2025-11-25 whose answers to calls and to other HTTP methods are those of the test, and a session with it. */
async function answering(
  toCall: Answer,
  {
    get = (response) => response.writeHead(405).end(),
    ...options
  }: Partial<OpenOptions> & { readonly get?: Answer } = {},
) {
  const came: Came[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const message: Came = { ...(text === '' ? {} : JSON.parse(text)), verb: request.method, headers: request.headers }
    came.push(message)
    if (message.verb === 'GET') return get(response, message)
    if (message.verb === 'DELETE') return response.writeHead(200).end()
    if (message.id === undefined) return response.writeHead(202).end()
    if (message.method === 'tools/call') return toCall(response, message)
    json(response, message.method === 'initialize' ? result(message.id, handshake) : unknownMethod(message.id), {
      'mcp-session-id': 'abc',
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  closing.push(close)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?key=s3cret`
  const session = await sessionAt(url, options)
  return { session, came, url, close }
}

async function sessionAt(url: string, options: Partial<OpenOptions> = {}): Promise<OpenSession> {
  const config = serverConfig('web', { transport: 'http', url, headers: { 'X-Key': 'hush' } })
  const session = await openSession(config, { env: {}, cwd: freshFolder(), timeoutMs: 10_000, ...options })
  closing.push(session.end)
  return session
}

const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'web', version: '1' },
}
const result = (id: unknown, value: object) => ({ jsonrpc: '2.0', id, result: value })
const good = (id: unknown, text = 'ok') => result(id, { content: [{ type: 'text', text }] })
const unknownMethod = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
const json = (response: ServerResponse, value: unknown, headers = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const events = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return response
}

const failed = (promise: Promise<unknown>): Promise<CallFailure> =>
  promise.then(
    (value) => {
      throw new Error(`it gave ${JSON.stringify(value)}`)
    },
    (error: CallFailure) => error,
  )

describe('an answer over Streamable HTTP [S4]', () => {
  it.each<[string, Answer]>([
    ['one JSON text', (response, { id }) => json(response, good(id))],
    ['a list of them', (response, { id }) => json(response, [{ jsonrpc: '2.0', method: 'notifications/x' }, good(id)])],
    ['an event', (response, { id }) => events(response).end(`data: ${JSON.stringify(good(id))}\n\n`)],
    [
      'an event with carriage returns',
      (response, { id }) => events(response).end(`data:${JSON.stringify(good(id))}\r\r`),
    ],
    [
      'an event of several lines',
      (response, { id }) =>
        events(response).end(
          `: hello\n\nevent: message\n${JSON.stringify(good(id), null, 1).replaceAll(/^/gm, 'data: ')}\n\n`,
        ),
    ],
    [
      'an event that holds a list',
      (response, { id }) =>
        events(response).end(`data: ${JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/x' }, good(id)])}\n\n`),
    ],
    [
      'an event among others',
      (response, { id }) =>
        events(response).end(
          `event: other\ndata: x\n\ndata: no JSON\n\ndata:\n\ndata: ${JSON.stringify(good(id))}\n\n`,
        ),
    ],
  ])('may come as %s', async (_form, toCall) => {
    const { session } = await answering(toCall)
    expect(textOf(await call(session, 'look'))).toBe('ok')
  })

  it('comes whole however its stream is cut', async () => {
    const { session } = await answering(async (response, { id }) => {
      const text = Buffer.from(`id: 1\r\ndata: ${JSON.stringify(good(id, 'é🛠'))}\r\n\r\n`)
      events(response)
      for (const byte of text) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    expect(textOf(await call(session, 'look'))).toBe('é🛠')
  })

  it.each<[string, Answer, RegExp]>([
    [
      'is no JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a"'),
      /it is no JSON/,
    ],
    ['answers something else', (response, { id }) => json(response, good((id ?? 0) + 50)), /holds no answer to it/],
    [
      'is of another kind',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /as text\/html/,
    ],
    ['is not there', (response) => response.writeHead(202).end(), /came with status 202 as nothing/],
    [
      'holds a result and an error',
      (response, { id }) => json(response, { ...good(id), error: { code: 1, message: 'x' } }),
      /both/,
    ],
  ])('that %s is a malformed result', async (_what, toCall, why) => {
    const { session } = await answering(toCall)
    const failure = await failed(call(session, 'look'))
    expect(failure).toMatchObject({ code: 'result-malformed', sent: true })
    expect(failure.message).toMatch(why)
  })

  it('may be an error without an id, which in a response of its own is clear', async () => {
    const { session } = await answering((response) =>
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
    )
    expect(await failed(call(session, 'look'))).toMatchObject({
      code: 'upstream-error',
      message: /-32700: Parse error/,
    })
  })

  it.each<[string, Answer, RegExp]>([
    ['a text', (response, { id }) => json(response, good(id, 'x'.repeat(300_000))), /over 100000/],
    [
      'an event',
      (response, { id }) => events(response).end(`data: ${JSON.stringify(good(id, 'x'.repeat(300_000)))}\n\n`),
      /over 100000/,
    ],
    [
      'an event of many lines',
      (response, { id }) =>
        events(response).end(
          `data: ${JSON.stringify(good(id, 'x'.repeat(1_500_000))).replaceAll('xxx', 'xxx\ndata: ')}\n\n`,
        ),
      /over 100000/,
    ],
    [
      'an event without end',
      (response) => {
        events(response).write('data: {"jsonrpc":"2.0","result":{"text":"')
        const more = setInterval(() => response.write('x'.repeat(50_000)), 1)
        response.once('close', () => clearInterval(more))
      },
      /over 100000/,
    ],
    [
      'a text without end',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const more = setInterval(() => response.write('x'.repeat(50_000)), 1)
        response.once('close', () => clearInterval(more))
      },
      /over 100000/,
    ],
  ])('is not read when it is too long as %s, and others are [R5]', async (_form, toCall, why) => {
    const { session } = await answering(
      (response, came) => (came.id === 1 ? toCall(response, came) : json(response, good(came.id))),
      { messageBytesMax: 100_000 },
    )
    const failure = await failed(call(session, 'big'))
    expect(failure).toMatchObject({ code: 'result-too-large', sent: true })
    expect(failure.message).toMatch(why)
    expect(textOf(await call(session, 'look'))).toBe('ok')
  })
})

describe('a connection that ends [R1]', () => {
  it.each<[string, Answer]>([
    ['before anything came', (response) => response.destroy()],
    [
      'in the middle of a text',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc"')
        setTimeout(() => response.destroy(), 50)
      },
    ],
    [
      'in the middle of a stream',
      (response) => {
        events(response).write('data: {"jsonrpc"')
        setTimeout(() => response.destroy(), 50)
      },
    ],
    ['well, without an answer', (response) => events(response).end()],
  ])('%s fails the call, which is not repeated', async (_when, toCall) => {
    const { session, came } = await answering(toCall)
    const failure = await failed(call(session, 'look'))
    expect(failure).toMatchObject({ code: 'upstream-died', sent: true })
    expect(failure.message).toMatch(
      /^web: the connection ended \(.+\) during the call of "look"; the call may have had/,
    )
    expect(came.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  })

  it('is taken up again when the server gave its events an id', async () => {
    const { session, came } = await answering((response) => events(response).end('id: 7\nretry: 10\ndata:\n\n'), {
      get: (response, { headers }) =>
        headers['last-event-id'] === undefined
          ? response.writeHead(405).end()
          : events(response).end(`data: ${JSON.stringify(good(1))}\n\n`),
    })
    expect(textOf(await call(session, 'look'))).toBe('ok')
    expect(came.filter(({ headers }) => headers['last-event-id'] === '7')).toHaveLength(1)
  })

  it('fails the call when it cannot be taken up again', async () => {
    const { session } = await answering((response) => events(response).end('id: 7\nretry: 10\ndata:\n\n'))
    expect(await failed(call(session, 'look'))).toMatchObject({ code: 'upstream-died', message: /HTTP 405/ })
  })

  it('fails the call when the server is not there any more', async () => {
    const gone: (() => unknown)[] = []
    const { session, close } = await answering((response) => {
      events(response).end('id: 7\nretry: 100\ndata:\n\n')
      for (const end of gone) end()
    })
    gone.push(close)
    expect(await failed(call(session, 'look'))).toMatchObject({ code: 'upstream-died', message: /ECONNREFUSED/ })
  })

  it('is not taken up again for a call that was cancelled', async () => {
    const { session, came } = await answering((response) => events(response).write('id: 7\nretry: 10\ndata:\n\n'))
    const stop = new AbortController()
    const cancelled = failed(call(session, 'look', { signal: stop.signal }))
    await until(() => came.some(({ method }) => method === 'tools/call'))
    stop.abort()
    expect(await cancelled).toMatchObject({ code: 'call-cancelled' })
    await until(() => came.some(({ method }) => method === 'notifications/cancelled'))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(came.filter(({ verb }) => verb === 'GET')).toHaveLength(1)
  })

  it('that never was means that nothing was sent', async () => {
    const { session, close } = await answering((response, { id }) => json(response, good(id)))
    await close()
    const failure = await failed(call(session, 'look'))
    expect(failure).toMatchObject({ code: 'server-unavailable', sent: false })
    expect(failure.message).toMatch(/^web: http:\/\/127\.0\.0\.1:\d+\/mcp could not be reached \(ECONNREFUSED\)$/)
  })
})

describe('a call that is refused', () => {
  it('for want of a login names the next step, and was not carried out [M6]', async () => {
    for (const status of [401, 403]) {
      const { session } = await answering((response) => response.writeHead(status).end())
      const failure = await failed(call(session, 'look'))
      expect(failure).toMatchObject({ code: 'server-unavailable', sent: false })
      expect(failure.message).toMatch(new RegExp(`wants a login \\(HTTP ${status}\\); run \`toolgate login web\`$`))
    }
  })

  it('tells the status and a line of words', async () => {
    const { session } = await answering((response) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`no\u001b${'x'.repeat(500_000)}`),
    )
    const failure = await failed(call(session, 'look'))
    expect(failure).toMatchObject({ code: 'upstream-error', sent: true })
    expect(failure.message).toMatch(/\(HTTP 500\): no\\u001bxxx/)
    expect(failure.message.length).toBeLessThan(400)
    expect(session.isOpen()).toBe(true)
  })

  it('by a server that forgot the session ends it, so that the next one is new [C-152]', async () => {
    const { session } = await answering((response) => response.writeHead(404).end('no such session'))
    expect(await failed(call(session, 'look'))).toMatchObject({ code: 'server-unavailable', sent: false })
    expect(await session.closed).toBe('does not know the session any more (HTTP 404)')
    expect(await failed(call(session, 'look'))).toMatchObject({
      code: 'server-unavailable',
      message: 'web: its session is over: it does not know the session any more (HTTP 404)',
    })
  })

  it('in words that may mean a lost session is followed by a ping', async () => {
    const { session } = await answering((response) => response.writeHead(400).end())
    expect(await failed(call(session, 'look'))).toMatchObject({ code: 'upstream-error', message: /HTTP 400/ })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(session.isOpen()).toBe(true)
  })
})

describe('headers', () => {
  it('of the configuration go with every request, and no more than once', async () => {
    const { session, came } = await answering((response, { id }) => json(response, good(id)))
    await call(session, 'look')
    await session.end()
    expect(came.at(-1)?.verb).toBe('DELETE')
    expect(came.map(({ headers }) => headers['x-key'])).toEqual(came.map(() => 'hush'))
  })

  it('of 2026-07-28 are made from the arguments that the definition names', async () => {
    const { session, received } = await opened({ wire: 'http', era: 'modern' }, {})
    const inputSchema = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, city: { type: 'string' } },
    }
    const outputSchema = { type: 'object', required: ['never'] }
    const definition = { description: '', inputSchema, outputSchema }
    await call(session, 'look', { definition }, { region: 'Zürich', city: 'x' })
    await call(session, 'look', {}, { region: 'Bern' })
    const [first, second] = received().filter(({ method }) => method === 'tools/call')
    expect(first?.headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': 'look',
      'mcp-protocol-version': '2026-07-28',
      'mcp-param-region': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
    })
    expect(second?.headers).not.toHaveProperty('mcp-param-region')
  })

  it('of the configuration do not go to where a login leads [M6]', async () => {
    const elsewhere: IncomingHttpHeaders[] = []
    const other = createServer((request, response) => {
      elsewhere.push(request.headers)
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    closing.push(() => other.close())
    const place = `http://127.0.0.1:${(other.address() as AddressInfo).port}/token`
    let token = 'old'
    const auth = {
      token: async () => token,
      onUnauthorized: async ({ fetchFn }: { readonly fetchFn: (url: string) => Promise<Response> }) => {
        await (await fetchFn(place)).text()
        token = 'new'
      },
    }
    const { session, came } = await answering(
      (response, { id, headers }) =>
        headers.authorization === 'Bearer new' ? json(response, good(id)) : response.writeHead(401).end(),
      { auth },
    )
    expect(textOf(await call(session, 'look'))).toBe('ok')
    expect(came.every(({ headers }) => headers['x-key'] === 'hush')).toBe(true)
    expect(elsewhere.map((headers) => [headers['x-key'], headers.authorization])).toEqual([[undefined, undefined]])
  })
})
