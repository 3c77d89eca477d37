import { PassThrough } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { serveStdio } from '../../src/gateway/endpoint/serve-stdio.ts'
import { echoed, fakeService, listedTool } from './endpoint-fake.ts'
import { initialize } from './endpoint-raw.ts'
import { answers, kindsOfClient, newClient, oldClient } from './endpoint-sdk-clients.ts'

const identity = { view: 'desk', user: 'u1' }

function started(more: { readonly signal?: AbortSignal; readonly messageBytes?: number } = {}) {
  const fake = fakeService()
  const [input, output] = [new PassThrough(), new PassThrough()]
  let written = ''
  output.on('data', (chunk) => {
    written += String(chunk)
  })
  const over = serveStdio({ service: fake.service, identity, input, output, ...more })
  return { fake, input, output, over, written: () => written }
}

/** Two streams are the same from both ends, and so is their transport. */
const connected = (kind: (typeof kindsOfClient)[number], { input, output }: ReturnType<typeof started>) => {
  const transport = new StdioServerTransport(output, input)
  return kind === 'sdk 1'
    ? oldClient(transport as unknown as Parameters<typeof oldClient>[0])
    : newClient(kind, transport)
}

describe.each(kindsOfClient)('over stdio, for a client of kind %s', (kind) => {
  const isModern = kind === 'sdk 2 pinned' || kind === 'sdk 2 auto'

  it('serves what it asks for, and ends with its input', async () => {
    const at = started()
    const client = await connected(kind, at)
    const call = (name: string, args: JsonObject = {}, options = {}) =>
      client.ask('tools/call', { name, arguments: args }, options)
    const { tools } = await client.ask('tools/list', {})
    expect(tools).toEqual([listedTool])
    const { _meta, ...result } = await call('echo', { text: 'abc' })
    const { _meta: meta, ...expected } = echoed('abc')
    expect(JSON.stringify(result)).toBe(JSON.stringify(expected))
    expect(_meta).toMatchObject(meta as object)
    await expect(call('fail')).rejects.toMatchObject({ code: -32050, data: { why: ['kept', 1] } })
    const code = kind === 'sdk 1' ? -32002 : -32602
    await expect(call('not-found')).rejects.toMatchObject({ code, data: { uri: 'x:y' } })
    const seen: unknown[] = []
    await call('progress', {}, { onprogress: ({ progress }: { progress: number }) => seen.push(progress) })
    expect(seen).toEqual([1, 2, 3])
    const params = { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties: {} } }
    const { structuredContent } = await call('ask', { method: 'elicitation/create', params })
    expect(structuredContent).toEqual({ answer: answers['elicitation/create'] })
    expect((await call('ask-two')).structuredContent).toEqual({
      answers: [answers['elicitation/create'], answers['roots/list']],
    })
    const controller = new AbortController()
    const hanging = call('hang', {}, { signal: controller.signal })
    await at.fake.until(() => at.fake.called.includes('hang'))
    controller.abort()
    await expect(hanging).rejects.toThrow()
    await at.fake.until(() => at.fake.clients.at(-1)?.cancelled === 1)
    const { client: known } = at.fake.clients.at(-1) ?? {}
    expect(known).toMatchObject({ ...identity, era: isModern ? 'modern' : 'legacy', info: { name: 'a client' } })
    expect(known?.capabilities).toMatchObject({ roots: {} })
    at.input.end()
    await at.over
    expect(at.fake.clients.every(({ isClosed }) => isClosed)).toBe(true)
    for (const line of at.written().trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })

  it('hears of changes', async () => {
    const at = started()
    const client = await connected(kind, at)
    if (isModern) {
      await client.sdk2?.listen({ resourceSubscriptions: ['x:1'], toolsListChanged: true })
      await at.fake.until(
        () => at.fake.clients.at(-1)?.requests.some(({ method }) => method === 'resources/subscribe') === true,
      )
    } else await client.ask('resources/subscribe', { uri: 'x:1' })
    const own = at.fake.clients.at(-1)?.client
    own?.notify('notifications/resources/updated', { uri: 'x:1', 'x-kept': 1 })
    own?.notify('notifications/tools/list_changed', {})
    await expect
      .poll(() => client.heard.map(({ method }) => method))
      .toEqual(['notifications/resources/updated', 'notifications/tools/list_changed'])
    expect(client.heard[0]?.params).toMatchObject({ uri: 'x:1', 'x-kept': 1 })
    at.input.end()
    await at.over
  })
})

describe('the end of a client over stdio', () => {
  const line = (message: JsonObject) => `${JSON.stringify(message)}\n`
  it('comes with the signal, and calls off what runs', async () => {
    const controller = new AbortController()
    const { fake, input, over } = started({ signal: controller.signal })
    input.write(line(initialize))
    input.write(line({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } }))
    await fake.until(() => fake.called.includes('hang'))
    controller.abort()
    await over
    expect(fake.clients[0]).toMatchObject({ cancelled: 1, isClosed: true })
  })

  it('comes with a message that is too long', async () => {
    const { fake, input, over } = started({ messageBytes: 1000 })
    input.write(line(initialize))
    await fake.until(() => fake.clients.length === 1)
    input.write('x'.repeat(2000))
    await over
    expect(fake.clients[0]?.isClosed).toBe(true)
  })

  it('comes when nobody reads what it is told', async () => {
    const { fake, input, output, over } = started()
    input.write(line(initialize))
    await fake.until(() => fake.clients.length === 1)
    output.destroy(new Error('EPIPE'))
    await over
    expect(fake.clients[0]?.isClosed).toBe(true)
  })

  it('is at once where the input is over already', async () => {
    const input = new PassThrough()
    input.end()
    await serveStdio({ service: fakeService().service, identity, input, output: new PassThrough() })
  })
})
