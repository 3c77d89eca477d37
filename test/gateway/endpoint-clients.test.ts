import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpEndpoint, serveHttp } from '../../src/gateway/endpoint/serve-http.ts'
import { echoed, fakeService, listedTool } from './endpoint-fake.ts'
import { answers, httpClient, kindsOfClient, type SdkClient } from './endpoint-sdk-clients.ts'

describe.each(kindsOfClient)('over HTTP, for a client of kind %s', (kind) => {
  const isModern = kind === 'sdk 2 pinned' || kind === 'sdk 2 auto'
  const fake = fakeService()
  const reported: unknown[] = []
  let endpoint: HttpEndpoint
  let client: SdkClient

  beforeAll(async () => {
    endpoint = await serveHttp({
      service: fake.service,
      auth: { kind: 'none', view: 'desk', user: 'u1' },
      port: 0,
      report: (error) => reported.push(error),
    })
    client = await httpClient(kind, endpoint.url)
  })
  afterAll(async () => {
    await client.close()
    await endpoint.close()
    expect(fake.clients.filter((one) => !one.isClosed)).toEqual([])
  })
  const call = (name: string, args = {}, options = {}) => client.ask('tools/call', { name, arguments: args }, options)

  it('tells the service who it is and what it can', async () => {
    await call('echo')
    const { capabilities, era, info, user, view } = fake.clients.at(-1)?.client ?? {}
    expect({ era, user, view }).toEqual({ era: isModern ? 'modern' : 'legacy', user: 'u1', view: 'desk' })
    expect(info).toMatchObject({ name: 'a client', version: '1' })
    expect(capabilities).toMatchObject({ sampling: {}, roots: {} })
  })

  it('keeps every member of a list, unknown ones too', async () => {
    const { ttlMs, cacheScope, _meta, ...listed } = await client.ask('tools/list', {})
    expect(listed).toEqual({ tools: [listedTool], nextCursor: 'more', 'x-unknown': 'kept' })
    expect(_meta).toMatchObject({ page: 1 })
    expect({ ttlMs, cacheScope }).toEqual(isModern ? { ttlMs: 1234, cacheScope: 'private' } : {})
  })

  it('keeps every member of a result, and their order', async () => {
    const { _meta, ...result } = await call('echo', { text: 'abc' })
    const { _meta: meta, ...expected } = echoed('abc')
    expect(JSON.stringify(result)).toBe(JSON.stringify(expected))
    expect(_meta).toMatchObject(meta as object)
  })

  it('keeps code and data of an error', async () => {
    await expect(call('fail')).rejects.toMatchObject({ code: -32050, data: { why: ['kept', 1] } })
    // SDK 2 gives this one error of the 2025 revisions the number of 2026-07-28; SDK 1 shows what is on the wire.
    const code = kind === 'sdk 1' ? -32002 : -32602
    await expect(call('not-found')).rejects.toMatchObject({ code, data: { uri: 'x:y' } })
  })

  it('tells nothing of an error from inside', async () => {
    await expect(call('boom')).rejects.toMatchObject({ code: -32603, message: expect.not.stringContaining('CANARY') })
    expect(String(reported.at(-1))).toContain('CANARY')
  })

  it('tells progress in order and before the result', async () => {
    const seen: unknown[] = []
    await call('progress', {}, { onprogress: ({ progress }: { progress: number }) => seen.push(progress) })
    expect(seen).toEqual([1, 2, 3])
    expect(fake.clients.at(-1)?.requests.at(-1)?.params).toEqual({ name: 'progress', arguments: {} })
  })

  it('brings a cancellation to the service', async () => {
    const controller = new AbortController()
    const before = fake.called.length
    const hanging = call('hang', {}, { signal: controller.signal })
    await fake.until(() => fake.called.length > before)
    const at = fake.clients.at(-1)
    controller.abort()
    await expect(hanging).rejects.toThrow()
    await fake.until(() => at?.cancelled === 1)
    expect(await call('echo')).toBeDefined()
  })

  it.each([
    [
      'elicitation/create',
      {
        mode: 'form',
        message: 'Which?',
        requestedSchema: { type: 'object', properties: { choice: { type: 'string' } } },
      },
    ],
    ['sampling/createMessage', { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 }],
    ['roots/list', {}],
  ] as const)('asks the client: %s', async (method, params) => {
    const { structuredContent } = await call('ask', { method, params })
    expect(structuredContent).toEqual({ answer: answers[method] })
  })

  it('asks the client two things at once', async () => {
    const { structuredContent } = await call('ask-two')
    expect(structuredContent).toEqual({ answers: [answers['elicitation/create'], answers['roots/list']] })
  })

  it('does not ask what nobody can be asked', async () => {
    await expect(call('ask', { method: 'made/up', params: {} })).rejects.toMatchObject({ code: -32601 })
  })

  it('knows no other methods', async () => {
    await expect(client.ask('made/up', {})).rejects.toThrow('Method not found')
  })
})
