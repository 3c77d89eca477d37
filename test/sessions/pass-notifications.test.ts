// What a server says by itself, and the progress of what it does: all of it, in its order, and bounded.

import { describe, expect, it } from 'vitest'
import type { ReceivedMessage } from '../../src/testing/scripted-plan.ts'
import { call, opened, until, type Wire } from './session-wires.ts'

const wires: readonly Wire[] = [
  { wire: 'stdio', era: 'legacy' },
  { wire: 'stdio', era: 'modern' },
  { wire: 'http', era: 'legacy' },
  { wire: 'http', era: 'modern' },
]

const limits = { idleTimeoutMs: 20_000, totalTimeoutMs: 30_000 }
const log = (data: unknown) => ({ method: 'notifications/message', params: { level: 'info', data, odd: [1] } })
const changed = { method: 'notifications/prompts/list_changed', to: 'client' } as const
const updated = { method: 'notifications/resources/updated', params: { uri: 'a:1' }, to: 'client' } as const

describe.each(wires)('a session over $wire in the $era era', (wire) => {
  it('passes on each sign of progress as it came, in order, and before the result', async () => {
    const progress = { everyMs: 0, times: 50, total: 50, more: { message: 'step', odd: { a: 1 }, _meta: { b: 1 } } }
    const { session } = await opened(wire, {
      calls: { look: { progress } },
      requests: { 'resources/read': { progress, result: { contents: [] } } },
    })
    for (const run of [
      (onProgress: (sign: unknown) => void) => call(session, 'look', { onProgress, progressBurst: 100 }),
      (onProgress: (sign: unknown) => void) =>
        session.request('resources/read', { uri: 'a:b' }, { ...limits, onProgress, progressBurst: 100 }),
    ]) {
      const told: unknown[] = []
      await run((sign) => told.push(sign)).then(() => told.push('result'))
      const sign = (at: number) => ({ progress: at + 1, total: 50, message: 'step', odd: { a: 1 } })
      expect(told).toEqual([...Array.from({ length: 50 }, (_, at) => sign(at)), 'result'])
    }
  })

  it('thins out what is beyond the burst, and never holds back the last', async () => {
    const { session } = await opened(wire, { calls: { look: { progress: { everyMs: 0, times: 2000 } } } })
    const told: number[] = []
    await call(session, 'look', { onProgress: ({ progress }) => told.push(progress), progressBurst: 10 })
    expect(told.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(told.at(-1)).toBe(2000)
    expect(told.length).toBeLessThan(1000)
    expect(told).toEqual([...told].sort((one, other) => one - other))
  })

  it('tells every notification in order, and before the result that it came before', async () => {
    const own = { method: 'notifications/lab/own' }
    const stale = { method: 'notifications/progress', params: { progressToken: 'gone', progress: 1 } }
    const { session } = await opened(wire, { calls: { look: { notify: [log(1), stale, own, log({ b: [2] })] } } })
    const told: unknown[] = []
    session.onNotification(() => {
      throw new Error('of its own')
    })
    const stop = session.onNotification((method, params) => told.push({ method, ...(params && { params }) }))
    await call(session, 'look').then(() => told.push('result'))
    expect(told).toEqual([log(1), own, log({ b: [2] }), 'result'])
    stop()
    await call(session, 'look')
    expect(told).toHaveLength(4)
    expect(session.isOpen()).toBe(true)
  })

  it('keeps what came before anybody listened, so many and no more, and says so', async () => {
    const notify = [{ ...log('early'), times: 1500 }]
    const { session } = await opened(wire, { calls: { look: { notify } } })
    await call(session, 'look')
    expect(session.findings()).toEqual([])
    const told: string[] = []
    session.onNotification((method) => told.push(method))
    expect(told).toHaveLength(1000)
    const dropped = { word: 'notifications-dropped', times: 500, first: 'notifications/message' }
    expect(session.findings()).toEqual([dropped])
    await call(session, 'look')
    expect(told).toHaveLength(2500)
  })

  it('tells of changed prompts and resources, and leaves changed tools to their own way', async () => {
    const tools = { method: 'notifications/tools/list_changed', to: 'client' } as const
    const capabilities = { prompts: { listChanged: true }, resources: { listChanged: true, subscribe: true } }
    const { session, received } = await opened(wire, { capabilities, calls: { look: { notify: [tools, changed] } } })
    const told: unknown[] = []
    let lists = 0
    session.onListChanged(() => {
      lists += 1
    })
    session.onNotification((method, params) => told.push([method, params?._meta]))
    if (wire.era === 'modern') expect(await until(() => listens(received()).length === 1)).toBe(true)
    await call(session, 'look')
    expect(await until(() => told.length > 0 && lists > 0)).toBe(true)
    expect(told).toEqual([[changed.method, undefined]])
  })

  it('listens for the resources that are asked for, in the way of the revision', async () => {
    const requests = { 'resources/subscribe': { result: {} }, 'resources/unsubscribe': { result: {} } }
    const { session, received } = await opened(wire, { requests, calls: { look: { notify: [updated] } } })
    const told: unknown[] = []
    session.onNotification((method, params) => told.push({ method, params, to: 'client' }))
    await session.request('resources/subscribe', { uri: 'a:1' }, limits)
    await call(session, 'look')
    expect(await until(() => told.length === 1)).toBe(true)
    expect(told).toEqual([updated])
    await session.request('resources/subscribe', { uri: 'a:2' }, limits)
    await session.request('resources/unsubscribe', { uri: 'a:1' }, limits)
    await session.request('resources/unsubscribe', { uri: 'a:2' }, limits)
    if (wire.era === 'legacy') return expect(received().filter(({ method = '' }) => method in requests)).toHaveLength(4)
    expect(listens(received()).map((params) => params?.notifications)).toEqual([
      { resourceSubscriptions: ['a:1'] },
      { resourceSubscriptions: ['a:1', 'a:2'] },
      { resourceSubscriptions: ['a:2'] },
    ])
    const ends = () => received().filter(({ method, verb }) => method === 'notifications/cancelled' || verb === 'CLOSE')
    expect(await until(() => ends().length >= 3)).toBe(true)
  })
})

const listens = (received: readonly ReceivedMessage[]) =>
  received.filter(({ method }) => method === 'subscriptions/listen').map(({ params }) => params)
