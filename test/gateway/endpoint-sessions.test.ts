import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { HttpLimits } from '../../src/gateway/endpoint/limits.ts'
import { type HttpEndpoint, serveHttp } from '../../src/gateway/endpoint/serve-http.ts'
import { fakeService, type OpenedFake } from './endpoint-fake.ts'
import { asClient, callOf, initialize, raw } from './endpoint-raw.ts'
import { httpClient, type SdkClient } from './endpoint-sdk-clients.ts'

let fake: OpenedFake
let endpoint: HttpEndpoint
const started = async (limits: Partial<HttpLimits> = {}) => {
  fake = fakeService()
  endpoint = await serveHttp({
    service: fake.service,
    auth: { kind: 'none', view: 'desk', user: 'u1' },
    port: 0,
    limits,
  })
  return endpoint
}
afterEach(() => endpoint.close())

const opened = async (): Promise<{ readonly 'mcp-session-id': string } & typeof asClient> => {
  const { headers } = await raw(endpoint.url, { headers: asClient, body: initialize })
  return { ...asClient, 'mcp-session-id': String(headers['mcp-session-id']) }
}

/** A stream of events on a socket of its own, which can be cut. */
async function stream(method: string, headers: { readonly [name: string]: string }, body?: JsonObject) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const socket: Socket = connect(endpoint.port, '127.0.0.1')
  let received = ''
  let look = () => {}
  socket.on('data', (chunk) => {
    received += String(chunk)
    look()
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  void closed.then(() => look())
  const lines = Object.entries({ host: 'localhost', 'content-length': String(Buffer.byteLength(text)), ...headers })
  socket.write(
    `${method} /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`,
  )
  const events = () =>
    [...received.matchAll(/id: (\S+)\nevent: message\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
      id: String(id),
      message: JSON.parse(String(data)) as JsonObject,
    }))
  return {
    events,
    text: () => received,
    closed,
    cut: () => socket.destroy(),
    /** Resolves when what was received says so. */
    until: (condition: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        look = () => {
          if (condition()) resolve()
          else if (socket.destroyed) reject(new Error(`closed after: ${received}`))
        }
        look()
      }),
  }
}

describe('a session of the 2025 revisions over HTTP', () => {
  it('is a client of its own, with a thread of its own, until it is deleted', async () => {
    await started()
    const [one, other] = [await opened(), await opened()]
    const threads = fake.clients.map(({ client }) => client.thread)
    expect(new Set(threads).size).toBe(2)
    expect((await raw(endpoint.url, { method: 'DELETE', headers: one })).status).toBe(200)
    expect(fake.clients.map(({ isClosed }) => isClosed)).toEqual([true, false])
    expect((await raw(endpoint.url, { headers: one, body: callOf('echo') })).status).toBe(404)
    expect((await raw(endpoint.url, { headers: other, body: callOf('echo') })).status).toBe(200)
    expect((await raw(endpoint.url, { method: 'DELETE', headers: asClient })).word()).toBe('session-missing')
  })

  it('has the thread that the client names', async () => {
    await started()
    const body = {
      ...initialize,
      params: { ...(initialize.params as JsonObject), _meta: { 'toolgate/thread': 'mine' } },
    }
    await raw(endpoint.url, { headers: asClient, body })
    await raw(endpoint.url, { headers: { ...asClient, 'x-toolgate-thread': 'other' }, body })
    expect(fake.clients.map(({ client }) => client.thread)).toEqual(['mine', 'other'])
  })

  it('is not opened where the service does not take the client', async () => {
    await started()
    const answer = await raw(endpoint.url, { path: '/mcp/nowhere', headers: asClient, body: initialize })
    expect([answer.status, answer.json()]).toMatchObject([400, { id: 0, error: { code: -32602 } }])
    expect(answer.headers['mcp-session-id']).toBeUndefined()
  })

  it('answers JSON where nothing streams, and events where something does', async () => {
    await started()
    const headers = await opened()
    expect((await raw(endpoint.url, { headers, body: callOf('echo') })).headers['content-type']).toBe(
      'application/json',
    )
    const log = await raw(endpoint.url, { headers, body: callOf('log') })
    expect(log.headers['content-type']).toBe('text/event-stream')
    expect(log.text.match(/"level":"\w+"/g)).toEqual(['"level":"debug"', '"level":"warning"'])
  })

  it('goes on after a connection broke, and gives what followed to who comes back', async () => {
    await started()
    const headers = await opened()
    const body = {
      ...callOf('gate', { gate: 'first' }, 7),
      params: { name: 'gate', arguments: { gate: 'first' }, _meta: { progressToken: 'p' } },
    }
    const first = await stream('POST', headers, body)
    await first.until(() => first.events().length === 1)
    first.cut()
    await first.closed
    fake.openGate('first')
    const { id } = first.events()[0] ?? { id: '' }
    const second = await stream('GET', { ...headers, 'last-event-id': id })
    await second.until(() => second.events().length === 2)
    expect(second.events().map(({ message }) => message)).toMatchObject([
      { method: 'notifications/progress', params: { progress: 2, progressToken: 'p' } },
      { id: 7, result: { structuredContent: { text: 'through' } } },
    ])
    second.cut()
    const again = await stream('GET', { ...headers, 'last-event-id': id })
    await again.until(() => again.events().length === 2)
    again.cut()
    expect(fake.clients[0]?.cancelled).toBe(0)
  })

  it('keeps what it says outside of requests until somebody listens, and gives each event once', async () => {
    await started()
    const headers = await opened()
    const say = (method: string) => fake.clients[0]?.client.notify(method, {})
    say('notifications/tools/list_changed')
    const first = await stream('GET', headers)
    await first.until(() => first.events().length === 1)
    // The newer stream takes over.
    const second = await stream('GET', headers)
    await second.until(() => second.text().includes('200 OK'))
    say('notifications/prompts/list_changed')
    await second.until(() => second.events().length === 1)
    expect(second.events()[0]?.message).toMatchObject({ method: 'notifications/prompts/list_changed' })
    expect(first.events()).toHaveLength(1)
    second.cut()
    first.cut()
  })

  it('forgets old events rather than to grow', async () => {
    await started({ replayEvents: 3 })
    const headers = await opened()
    for (let at = 0; at < 10; at++)
      fake.clients[0]?.client.notify('notifications/resources/updated', { uri: `x:${at}` })
    const listening = await stream('GET', headers)
    await listening.until(() => listening.events().length === 3)
    expect(listening.events().map(({ message }) => (message.params as JsonObject).uri)).toEqual(['x:7', 'x:8', 'x:9'])
    listening.cut()
  })

  it('asks its client outside of a request, and takes the answer by POST', async () => {
    await started()
    const headers = await opened()
    const listening = await stream('GET', headers)
    await listening.until(() => listening.text().includes('200 OK'))
    const asking = fake.clients[0]?.client.ask('elicitation/create', { message: 'Sure?', requestedSchema: {} })
    await listening.until(() => listening.events().length === 1)
    const { id } = listening.events()[0]?.message ?? {}
    const body = { jsonrpc: '2.0', id, result: { action: 'accept', 'x-kept': 1 } }
    expect((await raw(endpoint.url, { headers, body })).status).toBe(202)
    expect(await asking).toEqual({ action: 'accept', 'x-kept': 1 })
    await expect(fake.clients[0]?.client.ask('roots/list', {})).rejects.toMatchObject({ code: -32601 })
    listening.cut()
  })

  it('ends the response of a request that was called off', async () => {
    await started()
    const headers = await opened()
    const hanging = raw(endpoint.url, { headers, body: callOf('hang', {}, 5) })
    await fake.until(() => fake.called.includes('hang'))
    expect((await raw(endpoint.url, { headers, body: callOf('echo', {}, 5) })).word()).toBe('id-in-use')
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }
    expect((await raw(endpoint.url, { headers, body })).status).toBe(202)
    expect((await hanging).text).toBe('')
    await fake.until(() => fake.clients[0]?.cancelled === 1)
  })

  it('ends when nothing happens in it, and not while somebody listens', async () => {
    await started({ sessionIdleMs: 60 })
    const [idle, listened] = [await opened(), await opened()]
    const listening = await stream('GET', listened)
    await fake.until(() => fake.clients[0]?.isClosed === true)
    expect((await raw(endpoint.url, { headers: idle, body: callOf('echo') })).status).toBe(404)
    expect(fake.clients[1]?.isClosed).toBe(false)
    listening.cut()
    await fake.until(() => fake.clients[1]?.isClosed === true)
  })

  it('makes room for a new one by ending the longest idle one of the same client, and no busy one', async () => {
    await started({ sessions: 2 })
    const [first, second] = [await opened(), await opened()]
    await raw(endpoint.url, { headers: first, body: callOf('echo') })
    await opened()
    expect((await raw(endpoint.url, { headers: second, body: callOf('echo') })).status).toBe(404)
    const hanging = raw(endpoint.url, { headers: first, body: callOf('hang') })
    await fake.until(() => fake.called.includes('hang'))
    const third = await opened()
    const alsoHanging = raw(endpoint.url, { headers: third, body: callOf('hang') })
    await fake.until(() => fake.called.filter((name) => name === 'hang').length === 2)
    expect((await raw(endpoint.url, { headers: asClient, body: initialize })).word()).toBe('sessions-full')
    await endpoint.close()
    expect((await Promise.all([hanging, alsoHanging])).map(({ json }) => json())).toMatchObject([
      { error: { code: -32000 } },
      { error: { code: -32000 } },
    ])
    expect(fake.clients.every(({ isClosed }) => isClosed)).toBe(true)
  })

  it('hears its client', async () => {
    await started()
    const headers = await opened()
    const body = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }
    await raw(endpoint.url, { headers, body })
    await fake.until(() => fake.notified.length === 1)
    expect(fake.notified[0]?.method).toBe('notifications/roots/list_changed')
    await raw(endpoint.url, {
      headers,
      body: { jsonrpc: '2.0', id: 3, method: 'logging/setLevel', params: { level: 'info' } },
    })
    expect(fake.clients[0]?.requests.at(-1)).toEqual({ method: 'logging/setLevel', params: { level: 'info' } })
  })
})

describe('clients with sessions over HTTP', () => {
  let clients: SdkClient[] = []
  beforeEach(() => {
    clients = []
  })
  afterEach(() => Promise.all(clients.map((client) => client.close())))

  it.each(['sdk 1', 'sdk 2 legacy'] as const)('%s hears of changes', async (kind) => {
    await started()
    const client = await httpClient(kind, endpoint.url)
    clients.push(client)
    fake.clients[0]?.client.notify('notifications/tools/list_changed', { 'x-kept': 1 })
    await expect
      .poll(() => client.heard)
      .toEqual([{ method: 'notifications/tools/list_changed', params: { 'x-kept': 1 } }])
  })

  it('gives two hundred clients each its own answers', async () => {
    await started()
    const crossed: string[] = []
    const kinds = ['sdk 2 legacy', 'sdk 2 pinned'] as const
    await Promise.all(
      Array.from({ length: 200 }, async (_, own) => {
        const kind = kinds[own % 2] ?? 'sdk 2 legacy'
        const client = await httpClient(kind, endpoint.url, { 'x-toolgate-thread': `t${own}` })
        clients.push(client)
        for (let at = 0; at < 3; at++) {
          const text = `${own}:${at}`
          const [echo, who] = await Promise.all([
            client.ask('tools/call', { name: 'echo', arguments: { text } }),
            client.ask('tools/call', { name: 'who', arguments: {} }),
          ])
          if ((echo.structuredContent as JsonObject).text !== text) crossed.push(text)
          if ((who.structuredContent as JsonObject).thread !== `t${own}`) crossed.push(`thread ${own}`)
        }
      }),
    )
    expect(crossed).toEqual([])
    expect(fake.called).toHaveLength(1200)
  }, 60_000)
})
