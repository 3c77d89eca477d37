import { describe, expect, it, vi } from 'vitest'
import type { ReceivedMessage } from '../../src/testing/scripted-plan.ts'
import { listedTool, onePage } from '../sources/scripted.ts'
import { type Connected, connected, modern, ways } from './scripted-clients.ts'

const call = ({ client }: Connected, name: string, args = {}) => client.callTool({ name, arguments: args })
const text = (content: string) => ({ content: [{ type: 'text', text: content }] })

const cancels = ({ method, params }: ReceivedMessage, id: unknown): boolean =>
  method === 'notifications/cancelled' && params?.requestId === id

describe.each(ways)('a scripted server over $wire in revision $revision', (way) => {
  it('shakes hands, lists the tools of its plan and answers a call', async () => {
    const at = await connected(way, { ...onePage(listedTool('greet')), instructions: 'Be kind.' })
    expect(at.client.getNegotiatedProtocolVersion()).toBe(way.revision)
    expect(at.client.getInstructions()).toBe('Be kind.')
    expect((await at.client.listTools()).tools.map(({ name }) => name)).toEqual(['greet'])
    expect(await call(at, 'greet')).toMatchObject(text('ok'))
  })

  it('follows the plan of a tool call by call, and the plan of `*` for every other', async () => {
    const at = await connected(way, {
      calls: {
        count: [{ text: 'one' }, { text: 'two' }],
        broken: { error: { code: -32000, message: 'out of paper' } },
        whole: { result: { content: [], isError: true, structuredContent: { a: 1 } } },
        '*': { tell: true },
      },
    })
    expect(await call(at, 'count')).toMatchObject(text('one'))
    expect(await call(at, 'count')).toMatchObject(text('two'))
    expect(await call(at, 'count')).toMatchObject(text('two'))
    await expect(call(at, 'broken')).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching('out of paper'),
    })
    expect(await call(at, 'whole')).toMatchObject({ content: [], isError: true, structuredContent: { a: 1 } })
    const told = (await call(at, 'constructor', { city: 'Bern' })) as { content: { text: string }[] }
    expect(JSON.parse(told.content[0]?.text ?? '')).toMatchObject({
      args: { city: 'Bern' },
      cwd: expect.any(String),
      pid: expect.any(Number),
      env: { PATH: expect.any(String) },
    })
  })

  it('shows progress to who asks for it', async () => {
    // The client loses a sign of progress that comes together with the answer.
    const at = await connected(way, { calls: { long: { progress: { everyMs: 5, times: 3, total: 3 }, afterMs: 100 } } })
    const seen: object[] = []
    await at.client.callTool({ name: 'long', arguments: {} }, { onprogress: (progress) => seen.push(progress) })
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
    expect(await call(at, 'long')).toMatchObject(text('ok'))
  })

  it('records that a call was cancelled, and answers the next', async () => {
    const at = await connected(way, { calls: { stuck: { hang: true } } })
    const cancel = new AbortController()
    const stuck = at.client.callTool({ name: 'stuck', arguments: {} }, { signal: cancel.signal })
    const id = await vi.waitFor(() => {
      const came = at.received().find(({ params }) => params?.name === 'stuck')
      expect(came).toBeDefined()
      return came?.id
    })
    cancel.abort()
    await expect(stuck).rejects.toThrow()
    const overStream = way.wire === 'http' && way.revision === modern
    await vi.waitFor(() =>
      expect(
        at.received().filter((came) => (overStream ? came.verb === 'CLOSE' && came.id === id : cancels(came, id))),
      ).toHaveLength(1),
    )
    expect(await call(at, 'other')).toMatchObject(text('ok'))
  })

  it('switches its list of tools, and says so', async () => {
    const at = await connected(way, {
      ...onePage(listedTool('old')),
      lists: [[listedTool('new')]],
      calls: { swap: { list: 0, text: 'swapped' } },
    })
    let told = 0
    at.client.setNotificationHandler('notifications/tools/list_changed', () => {
      told += 1
    })
    if (way.revision === modern) await at.client.listen({ toolsListChanged: true })
    const names = async () => (await at.client.listTools()).tools.map(({ name }) => name)
    expect(await names()).toEqual(['old'])
    expect(await call(at, 'swap')).toMatchObject(text('swapped'))
    await vi.waitFor(() => expect(told).toBe(1))
    expect(await names()).toEqual(['new'])
  })

  it('says as often as it should that its list changed', async () => {
    const at = await connected(way, { calls: { storm: { listChanged: { times: 40, everyMs: 1 } } } })
    expect(at.client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } })
    let told = 0
    at.client.setNotificationHandler('notifications/tools/list_changed', () => {
      told += 1
    })
    if (way.revision === modern) await at.client.listen({ toolsListChanged: true })
    await call(at, 'storm')
    await vi.waitFor(() => expect(told).toBe(40), 10_000)
  })

  it('asks the client for a sampled message and tells what it said', async () => {
    const at = await connected(way, { calls: { ask: { sampling: true } } })
    at.client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant',
      model: 'none',
      content: { type: 'text', text: 'something' },
    }))
    const { content } = (await call(at, 'ask')) as { content: { text: string }[] }
    expect(content[0]?.text).toMatch(/"text":"something"/)
  })

  it('answers a listing by an error, by nothing, or as no list', async () => {
    const broken = await connected(way, { list: { code: -32603, message: 'no tools today' } })
    await expect(broken.client.listTools()).rejects.toThrow('no tools today')
    const silent = await connected(way, { list: 'silent' })
    await expect(silent.client.listTools({}, { timeout: 100 })).rejects.toThrow(/timed out/i)
    const odd = await connected(way, { pages: [{ tools: 'none' }] })
    await expect(odd.client.listTools()).rejects.toThrow()
  })
})
