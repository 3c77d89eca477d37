// What a session passes on as it came, so that a gateway can stand on it: what the server says of itself, requests
// other than calls, errors with their data, and what travels in `_meta`.

import { describe, expect, it } from 'vitest'
import type { CallFailure } from '../../src/sessions/call-failure.ts'
import type { RequestOptions } from '../../src/sessions/session.ts'
import { call, opened, until, type Wire } from './session-wires.ts'

const wires: readonly Wire[] = [
  { wire: 'stdio', era: 'legacy' },
  { wire: 'stdio', era: 'modern' },
  { wire: 'http', era: 'legacy' },
  { wire: 'http', era: 'modern' },
]

const limits: RequestOptions = { idleTimeoutMs: 20_000, totalTimeoutMs: 30_000 }

const failureOf = (promise: Promise<unknown>): Promise<CallFailure> =>
  promise.then(
    () => {
      throw new Error('it gave a result')
    },
    (error: CallFailure) => error,
  )

describe.each(wires)('a session over $wire in the $era era', (wire) => {
  it('tells what the server said of itself, whole', async () => {
    const capabilities = {
      prompts: { listChanged: true, odd: [1] },
      strange: { deep: { er: null } },
      tools: { odd: 1 },
    }
    const serverInfo = { name: 'lab', version: '7', title: 'The lab', icons: [{ src: 'data:,' }], odd: true }
    const { session } = await opened(wire, { capabilities, serverInfo, instructions: 'Ask\nfirst.' })
    expect(session.capabilities).toEqual(capabilities)
    expect(session.serverInfo).toEqual(serverInfo)
    expect(session.instructions).toBe('Ask\nfirst.')
  })

  it('gives the result of any request as it was sent', async () => {
    const prompt = { messages: [{ role: 'user', odd: 1, content: { type: 'strange' } }], _meta: { k: [] }, more: null }
    const resources = { resources: [{ uri: 'a:b', size: 'big', annotations: { priority: 9 } }], nextCursor: 'x' }
    const { session, received } = await opened(wire, {
      requests: {
        'prompts/get': { result: prompt },
        'resources/list': { result: resources },
        'completion/complete': { result: { completion: { values: ['Oslo'], total: 'many' } } },
        'lab/own': { result: { own: true } },
      },
    })
    const params = { name: 'p', arguments: { city: 'Os' }, _meta: { mine: 1, progressToken: 77 } }
    expect(bare(await session.request('prompts/get', params, { ...limits, meta: { 'a/b': 2 } }))).toEqual(prompt)
    expect(bare(await session.request('resources/list', {}, limits))).toEqual(resources)
    expect(bare(await session.request('completion/complete', {}, limits))).toEqual({
      completion: { values: ['Oslo'], total: 'many' },
    })
    expect(bare(await session.request('lab/own', {}, limits))).toEqual({ own: true })
    const sent = received().find(({ method }) => method === 'prompts/get')?.params
    expect(sent).toMatchObject({ name: 'p', arguments: { city: 'Os' }, _meta: { mine: 1, 'a/b': 2 } })
    expect(sent?._meta).not.toHaveProperty('progressToken')
  })

  it('keeps code, message and data of an error, of a call as of another request', async () => {
    const error = { code: -32050, message: `no\n${'E'.repeat(500)}`, data: { why: ['bench'] } }
    const { session } = await opened(wire, { calls: { look: { error } }, requests: { 'prompts/get': { error } } })
    for (const failing of [() => call(session, 'look'), () => session.request('prompts/get', {}, limits)]) {
      const failure = await failureOf(failing())
      expect(failure).toMatchObject({ code: 'upstream-error', sent: true, rpc: error })
      expect(failure.message).toMatch(/was answered with error -32050: no\\u000aEEE/)
    }
    const unknown = await failureOf(session.request('lab/none', {}, limits))
    expect(unknown.rpc).toEqual({ code: -32601, message: 'Method not found: lab/none' })
  })

  it('keeps everything of a result, and sends what is given as `_meta` but for what belongs to the hop', async () => {
    const result = {
      content: [
        { type: 'text', text: 'ok', annotations: { audience: ['user'] }, _meta: { x: 1 } },
        { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
        { type: 'resource_link', uri: 'a:b', name: 'b', odd: 1 },
      ],
      structuredContent: { n: 42 },
      _meta: { 'lab/result': 'kept' },
    }
    const { session, received } = await opened(wire, { calls: { look: { result } } })
    const meta = {
      'lab/marker': 'kept',
      traceparent: '00',
      progressToken: 99,
      'io.modelcontextprotocol/clientInfo': 'x',
    }
    expect(bare(await call(session, 'look', { meta }))).toEqual(result)
    const sent = received().find(({ method }) => method === 'tools/call')?.params?._meta ?? {}
    expect(sent).toMatchObject({ 'lab/marker': 'kept', traceparent: '00' })
    expect(sent).not.toMatchObject({ progressToken: 99 })
    expect(sent).not.toMatchObject({ 'io.modelcontextprotocol/clientInfo': 'x' })
  })

  it('tells the server which request nobody waits for any more', async () => {
    const { session, received } = await opened(wire, { requests: { 'prompts/get': [{ hang: true }, { result: {} }] } })
    const stop = new AbortController()
    const failed = failureOf(session.request('prompts/get', {}, { ...limits, signal: stop.signal }))
    await until(() => received().some(({ method }) => method === 'prompts/get'))
    const id = received().find(({ method }) => method === 'prompts/get')?.id
    stop.abort()
    expect(await failed).toMatchObject({ code: 'call-cancelled', sent: true })
    const cancel = () => received().find((one) => one.method === 'notifications/cancelled' || one.verb === 'CLOSE')
    expect(await until(() => cancel() !== undefined)).toBe(true)
    expect(cancel()?.params?.requestId ?? cancel()?.id).toBe(id)
    const late = await failureOf(session.request('lab/none', {}, { ...limits, signal: AbortSignal.abort() }))
    expect(late).toMatchObject({ code: 'call-cancelled', sent: false })
    expect(bare(await session.request('prompts/get', {}, limits))).toEqual({})
  })

  it('sends the level of logs in the way of the revision, and refuses what the revision has not', async () => {
    const { session, received } = await opened(wire, { requests: { 'logging/setLevel': { result: {} } } })
    expect(bare(await session.request('logging/setLevel', { level: 'warning' }, limits))).toEqual({})
    await call(session, 'look')
    const level = received().find(({ method }) => method === 'logging/setLevel')?.params
    const meta = received().find(({ method }) => method === 'tools/call')?.params?._meta ?? {}
    if (wire.era === 'legacy') expect(level).toMatchObject({ level: 'warning' })
    else {
      expect(level).toBeUndefined()
      expect(meta).toMatchObject({ 'io.modelcontextprotocol/logLevel': 'warning' })
      expect((await failureOf(session.request('ping', {}, limits))).rpc).toMatchObject({ code: -32601 })
    }
  })

  it('sends notifications, and none that the revision has not', async () => {
    const peer = { capabilities: { roots: { listChanged: true } }, ask: async () => ({ roots: [] }) }
    const { session, received } = await opened(wire, {}, { peer })
    await session.notify('notifications/roots/list_changed')
    await session.notify('notifications/lab/own', { a: 1 })
    const came = (method: string) => received().filter((one) => one.method === method)
    expect(await until(() => came('notifications/lab/own').length === 1)).toBe(true)
    expect(came('notifications/lab/own')[0]?.params).toMatchObject({ a: 1 })
    expect(came('notifications/roots/list_changed')).toHaveLength(wire.era === 'legacy' ? 1 : 0)
    await session.end()
    expect(await failureOf(session.notify('notifications/lab/own'))).toMatchObject({ code: 'server-unavailable' })
  })
})

/** A result without what 2026-07-28 says of every one. */
function bare(result: object): object {
  const { resultType: _, ...rest } = result as { readonly resultType?: unknown }
  return rest
}
