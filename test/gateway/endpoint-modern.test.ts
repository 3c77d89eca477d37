import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { HttpLimits } from '../../src/gateway/endpoint/limits.ts'
import { type HttpEndpoint, serveHttp } from '../../src/gateway/endpoint/serve-http.ts'
import { capabilities, fakeService, type OpenedFake } from './endpoint-fake.ts'
import { modern, raw } from './endpoint-raw.ts'
import { httpClient } from './endpoint-sdk-clients.ts'

let fake: OpenedFake
let endpoint: HttpEndpoint
const started = async (limits: Partial<HttpLimits> = {}) => {
  fake = fakeService()
  const token = (name: string) => ({ name, value: name, view: 'desk', views: ['lab'], user: name })
  endpoint = await serveHttp({
    service: fake.service,
    auth: { kind: 'tokens', tokens: [token('ann'), token('bob')] },
    port: 0,
    limits,
  })
}
afterEach(() => endpoint.close())

const send = async (method: string, params: JsonObject = {}, { token = 'ann', path = '/mcp' } = {}) => {
  const { body, headers } = modern(method, params)
  return raw(endpoint.url, { path, headers: { ...headers, authorization: `Bearer ${token}` }, body })
}
const asked = { method: 'elicitation/create', params: { message: 'Sure?' } }
const call = (name: string, args: JsonObject = {}): JsonObject => ({ name, arguments: args })
const resultOf = ({ json }: { readonly json: () => JsonObject }) => json().result as JsonObject

describe('a request of 2026-07-28 over HTTP', () => {
  it('is opened for itself and closed after it', async () => {
    await started()
    expect(resultOf(await send('tools/call', call('who')))).toMatchObject({
      resultType: 'complete',
      structuredContent: { user: 'ann', view: 'desk', thread: expect.stringMatching(/^client-[0-9a-f]{32}$/) },
    })
    await fake.until(() => fake.clients[0]?.isClosed === true)
  })

  it('has one thread for each client, or the one that it names', async () => {
    await started()
    const named = { ...call('who'), _meta: { 'toolgate/thread': 'mine', 'own/key': 1 } }
    await send('tools/call', call('who'))
    await send('tools/call', call('who'))
    await send('tools/call', call('who'), { token: 'bob' })
    await send('tools/call', named)
    const threads = fake.clients.map(({ client }) => client.thread)
    expect([threads[0] === threads[1], threads[0] === threads[2], threads[3]]).toEqual([true, false, 'mine'])
    expect(fake.clients[3]?.requests[0]?.params).toEqual({ ...call('who'), _meta: { 'own/key': 1 } })
    const wrong = await send('tools/call', { ...call('who'), _meta: { 'toolgate/thread': '../x' } })
    expect(wrong.json()).toMatchObject({ error: { code: -32602 } })
  })

  it('learns what the server is', async () => {
    await started()
    const result = resultOf(await send('server/discover'))
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities,
      instructions: 'Use echo.',
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '7', title: 'Fake' } },
    })
  })

  it('says how long a list holds and for whom, and nothing of a call', async () => {
    await started()
    expect(resultOf(await send('tools/list'))).toMatchObject({
      ttlMs: 1234,
      cacheScope: 'private',
      'x-unknown': 'kept',
    })
    expect(resultOf(await send('resources/read', { uri: 'x:1' }))).toMatchObject({ ttlMs: 1234 })
    expect(resultOf(await send('tools/call', call('echo')))).not.toHaveProperty('ttlMs')
  })

  it.each([
    [undefined, []],
    ['warning', ['warning']],
    ['debug', ['debug', 'warning']],
  ])('gets the log messages of level %s', async (level, heard) => {
    await started()
    const _meta: JsonObject = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level }
    const { text } = await send('tools/call', { ...call('log'), _meta })
    expect([...text.matchAll(/"level":"(\w+)"/g)].map(([, one]) => one)).toEqual(heard)
  })

  it('knows neither another revision nor methods of the older ones', async () => {
    await started()
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }
    const { body } = modern('tools/list', { _meta })
    const { headers } = modern('tools/list')
    const later = await raw(endpoint.url, {
      headers: { ...headers, 'mcp-protocol-version': '2031-01-01', authorization: 'Bearer ann' },
      body,
    })
    expect([later.status, later.json()]).toMatchObject([
      400,
      { error: { code: -32022, data: { supported: ['2026-07-28'] } } },
    ])
    for (const method of ['resources/subscribe', 'logging/setLevel', 'ping', 'made/up'])
      expect([method, (await send(method)).json()]).toMatchObject([method, { error: { code: -32601 } }])
  })

  it('is called off when its connection ends', async () => {
    await started()
    const { body, headers } = modern('tools/call', call('hang'))
    const controller = new AbortController()
    const gone = fetch(endpoint.url, {
      method: 'POST',
      headers: { ...headers, authorization: 'Bearer ann' },
      body: JSON.stringify(body),
      signal: controller.signal,
    }).catch(() => {})
    await fake.until(() => fake.called.includes('hang'))
    controller.abort()
    await gone
    await fake.until(() => fake.clients[0]?.cancelled === 1 && fake.clients[0].isClosed)
  })
})

describe('a question to a client of 2026-07-28', () => {
  it('is asked in the result, and answered with the next request', async () => {
    await started()
    const first = resultOf(await send('tools/call', call('ask', asked)))
    expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { 'ask-1': asked } })
    const { requestState } = first
    const inputResponses = { 'ask-1': { action: 'accept', 'x-kept': 1 } }
    const second = resultOf(await send('tools/call', { ...call('ask', asked), requestState, inputResponses }))
    expect(second).toMatchObject({
      resultType: 'complete',
      structuredContent: { answer: { action: 'accept', 'x-kept': 1 } },
    })
    expect(fake.called).toEqual(['ask'])
    await fake.until(() => fake.clients.every(({ isClosed }) => isClosed))
    const again = await send('tools/call', { ...call('ask', asked), requestState, inputResponses })
    expect(again.json()).toMatchObject({ error: { code: -32602, data: { reason: 'invalid_request_state' } } })
    expect(fake.called).toEqual(['ask'])
  })

  it.each([
    ['another client', call('ask', asked), { token: 'bob' }],
    ['the same client in another view', call('ask', asked), { path: '/mcp/lab' }],
    ['another call', call('echo'), {}],
    ['another argument', call('ask', { ...asked, more: 1 }), {}],
  ])('is not answered by %s', async (_what, params, from) => {
    await started()
    const { requestState } = resultOf(await send('tools/call', call('ask', asked)))
    const inputResponses = { 'ask-1': { action: 'accept' } }
    const refused = await send('tools/call', { ...params, requestState, inputResponses }, from)
    expect(refused.json()).toMatchObject({ error: { code: -32602, data: { reason: 'invalid_request_state' } } })
    const right = await send('tools/call', { ...call('ask', asked), requestState, inputResponses })
    expect(resultOf(right)).toMatchObject({ structuredContent: { answer: { action: 'accept' } } })
  })

  it('is asked again until it is answered', async () => {
    await started()
    const { requestState } = resultOf(await send('tools/call', call('ask', asked)))
    const again = resultOf(
      await send('tools/call', { ...call('ask', asked), requestState, inputResponses: { other: {} } }),
    )
    expect(again).toMatchObject({ inputRequests: { 'ask-1': asked } })
    expect(again.requestState).not.toBe(requestState)
  })

  it('is not asked of a client that does not offer it', async () => {
    await started()
    const refused = await send('tools/call', call('ask', { method: 'sampling/createMessage', params: {} }))
    expect(refused.json()).toMatchObject({ error: { code: -32601 } })
  })

  it('waits for so long, and so many wait', async () => {
    await started({ parkedMs: 50 })
    await send('tools/call', call('ask', asked))
    await fake.until(() => fake.clients[0]?.isClosed === true)
    await endpoint.close()
    await started({ parked: 4 })
    const first = resultOf(await send('tools/call', call('ask', asked)))
    expect(first.resultType).toBe('input_required')
    const second = await send('tools/call', call('ask', asked))
    expect(second.json()).toMatchObject({ error: { code: -32603, message: expect.stringContaining('wait') } })
    const other = resultOf(await send('tools/call', call('ask', asked), { token: 'bob' }))
    expect(other.resultType).toBe('input_required')
    await endpoint.close()
    expect(fake.clients.every(({ isClosed }) => isClosed)).toBe(true)
  })
})

describe('what a client of 2026-07-28 listens to', () => {
  it('comes on its stream, as far as it asked for it', async () => {
    await started()
    const client = await httpClient('sdk 2 pinned', endpoint.url, { authorization: 'Bearer ann' })
    const filter = { toolsListChanged: true, resourceSubscriptions: ['x:1'] }
    const subscription = await client.sdk2?.listen(filter)
    expect(subscription?.honoredFilter).toEqual(filter)
    await fake.until(() => fake.clients.at(-1)?.requests.length === 1)
    const at = fake.clients.at(-1)
    expect(at?.requests).toEqual([{ method: 'resources/subscribe', params: { uri: 'x:1' } }])
    at?.client.notify('notifications/prompts/list_changed', {})
    at?.client.notify('notifications/resources/updated', { uri: 'x:2' })
    at?.client.notify('notifications/message', { level: 'error', data: 1 })
    at?.client.notify('notifications/resources/updated', { uri: 'x:1', 'x-kept': 1 })
    at?.client.notify('notifications/tools/list_changed', {})
    await expect
      .poll(() => client.heard.map(({ method }) => method))
      .toEqual(['notifications/resources/updated', 'notifications/tools/list_changed'])
    expect(client.heard[0]?.params).toMatchObject({ uri: 'x:1', 'x-kept': 1 })
    await subscription?.close()
    await fake.until(() => at?.isClosed === true)
    await client.close()
  })

  it('ends as over when the endpoint ends', async () => {
    await started()
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['x:1'] }
    const { body, headers } = modern('subscriptions/listen', { notifications })
    const listening = raw(endpoint.url, { headers: { ...headers, authorization: 'Bearer ann' }, body })
    await fake.until(() => fake.clients[0]?.requests.length === 1)
    const { client } = fake.clients[0] ?? {}
    client?.notify('notifications/tools/list_changed', {})
    await endpoint.close()
    const { text } = await listening
    const messages = [...text.matchAll(/data: (.*)\n/g)].map(([, data]) => JSON.parse(String(data)) as JsonObject)
    expect(messages[0]).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete' } })
    expect(fake.clients[0]?.isClosed).toBe(true)
  })

  it.each([
    {},
    { notifications: [] },
    { notifications: { toolsListChanged: 1 } },
    { notifications: { resourceSubscriptions: [1] } },
  ])('is refused when it is %j', async (params) => {
    await started()
    expect((await send('subscriptions/listen', params as JsonObject)).json()).toMatchObject({ error: { code: -32602 } })
    await fake.until(() => fake.clients.every(({ isClosed }) => isClosed))
  })

  it('is bounded', async () => {
    await started({ subscriptions: 2 })
    const params = { notifications: { resourceSubscriptions: ['x:1', 'x:2', 'x:3'] } }
    expect((await send('subscriptions/listen', params)).json()).toMatchObject({ error: { code: -32602 } })
  })
})
