// What a server asks of its client: handed to the peer of the session and answered by it, in the way of either era.

import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallFailure } from '../../src/sessions/call-failure.ts'
import type { SessionPeer } from '../../src/sessions/session.ts'
import { call, opened, textOf, until, type Wire } from './session-wires.ts'

const wires: readonly Wire[] = [
  { wire: 'stdio', era: 'legacy' },
  { wire: 'stdio', era: 'modern' },
  { wire: 'http', era: 'legacy' },
  { wire: 'http', era: 'modern' },
]

const capabilities = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  experimental: { odd: { a: 1 } },
}

const failureOf = (promise: Promise<unknown>): Promise<CallFailure> =>
  promise.then(
    () => {
      throw new Error('it gave a result')
    },
    (error: CallFailure) => error,
  )

afterEach(() => void vi.useRealTimers())

/** A peer that keeps what it was asked, and says what it is told to say. */
function peerSaying(say: (method: string, signal: AbortSignal) => Promise<object> | object) {
  const asked: { readonly method: string; readonly params: unknown }[] = []
  const peer: SessionPeer = {
    capabilities,
    ask: async (method, params, signal) => {
      asked.push({ method, params })
      return (await say(method, signal)) as { readonly [key: string]: never }
    },
  }
  return { peer, asked }
}

const questions = [
  { method: 'sampling/createMessage', params: { messages: [{ role: 'user', odd: 1 }], maxTokens: 5, odd: { x: [] } } },
  { method: 'elicitation/create', params: { mode: 'url', url: 'a:b', elicitationId: 'e', message: 'go' } },
  { method: 'roots/list', params: { odd: true } },
]
const answers: { readonly [method: string]: object } = {
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'strange', odd: 1 }, more: null },
  'elicitation/create': { action: 'accept', content: { name: 'x', list: [1, { y: 2 }] } },
  'roots/list': { roots: [{ uri: 'file:///a', name: 'a', odd: 1 }], _meta: { k: 1 } },
}

describe.each(wires)('a session over $wire in the $era era', (wire) => {
  /** The answer that reached the server, as its call tells it. */
  const heard = (result: unknown): unknown => {
    const said = JSON.parse(String(textOf(result)))
    return wire.era === 'modern' ? said.sample : said
  }

  it('declares what its peer can do, and passes questions and answers as they are', async () => {
    const { peer, asked } = peerSaying((method) => answers[method] ?? {})
    const steps = questions.map((ask) => ({ ask }))
    const plan = { calls: { look: steps }, requests: { 'prompts/get': { ask: questions[0] ?? steps[0]?.ask } } }
    const { session, received } = await opened(wire, plan as object, { peer })
    for (const { method } of questions) expect(heard(await call(session, 'look'))).toEqual(answers[method])
    const limits = { idleTimeoutMs: 20_000, totalTimeoutMs: 30_000 }
    const got = await session.request('prompts/get', {}, limits)
    expect(heard(got)).toEqual(answers['sampling/createMessage'])
    expect(asked).toEqual([...questions, questions[0]])
    const first = received().find(({ method }) => method === (wire.era === 'legacy' ? 'initialize' : 'tools/call'))
    const meta = first?.params?._meta as { readonly [key: string]: unknown } | undefined
    const declared = first?.params?.capabilities ?? meta?.['io.modelcontextprotocol/clientCapabilities']
    expect(declared).toEqual(capabilities)
  })

  it('passes on an error that is meant for the server, and no words of any other', async () => {
    const { peer } = peerSaying((method) => {
      if (method === 'roots/list') throw new Error('a secret path')
      throw Object.assign(new Error('User rejected'), { code: -1, data: { why: 'no' } })
    })
    const { session } = await opened(wire, { calls: { look: questions.map((ask) => ({ ask })) } }, { peer })
    const errors: unknown[] = []
    for (const _ of questions)
      if (wire.era === 'legacy') errors.push(JSON.parse(String(textOf(await call(session, 'look')))).error)
      else errors.push((await failureOf(call(session, 'look'))).rpc)
    const rejected = { code: -1, message: 'User rejected', data: { why: 'no' } }
    expect(errors).toEqual([rejected, rejected, { code: -32603, message: 'the client could not answer' }])
    expect(session.isOpen()).toBe(true)
  })

  it('never asks the peer for what it did not declare', async () => {
    const asked: string[] = []
    const peer: SessionPeer = {
      capabilities: { roots: {} },
      ask: async (method) => {
        asked.push(method)
        return {}
      },
    }
    const strange = { method: 'lab/own', params: {} }
    const steps = [...questions.slice(0, 2), strange].map((ask) => ({ ask }))
    const { session } = await opened(wire, { calls: { look: steps } }, { peer })
    for (const _ of steps)
      if (wire.era === 'legacy')
        expect(JSON.parse(String(textOf(await call(session, 'look')))).error).toMatchObject({ code: -32601 })
      else expect(await failureOf(call(session, 'look'))).toMatchObject({ rpc: { code: -32601 } })
    expect(asked).toEqual([])
  })

  it('does not count the time in which its peer is asked as silence of the server', async () => {
    const { peer } = peerSaying(() => {
      vi.advanceTimersByTime(10_000)
      return { roots: [] }
    })
    const { session } = await opened(wire, { calls: { look: { ask: { method: 'roots/list' } } } }, { peer })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect(heard(await call(session, 'look', { idleTimeoutMs: 300 }))).toEqual({ roots: [] })
  })

  it('calls the question off when the call or the session is over', async () => {
    const signals: AbortSignal[] = []
    const { peer } = peerSaying((_method, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    })
    const { session } = await opened(wire, { calls: { look: { ask: { method: 'roots/list' } } } }, { peer })
    const stop = new AbortController()
    const failed = failureOf(call(session, 'look', { signal: stop.signal }))
    expect(await until(() => signals.length === 1)).toBe(true)
    stop.abort()
    expect(await failed).toMatchObject({ code: 'call-cancelled', sent: true })
    if (wire.era === 'legacy') await session.end()
    expect(await until(() => signals[0]?.aborted === true)).toBe(true)
  })
})

describe.each(wires.filter(({ era }) => era === 'modern'))('questions in rounds over $wire', (wire) => {
  it('are answered round by round with the state of the server, ten times at most', async () => {
    const { peer, asked } = peerSaying(() => ({ roots: [] }))
    const ask = { method: 'roots/list' }
    const { session, received } = await opened(
      wire,
      { calls: { some: { ask, rounds: 3 }, all: { ask, rounds: 10 }, many: { ask, rounds: 11 } } },
      { peer },
    )
    const meta = { 'lab/marker': 1 }
    expect(JSON.parse(String(textOf(await call(session, 'some', { meta }, { a: 1 }))))).toEqual({
      sample: { roots: [] },
    })
    const sent = received().filter(({ method }) => method === 'tools/call')
    expect(sent.map(({ params }) => params?.requestState)).toEqual([undefined, '1', '2', '3'])
    for (const { params } of sent) expect(params).toMatchObject({ name: 'some', arguments: { a: 1 }, _meta: meta })
    expect(new Set(sent.map(({ id }) => id)).size).toBe(4)
    await call(session, 'all')
    expect(asked).toHaveLength(13)
    const failure = await failureOf(call(session, 'many'))
    expect(failure).toMatchObject({ code: 'result-malformed', sent: true })
    expect(failure.message).toMatch(/asks for more input after 10 rounds/)
    expect(asked).toHaveLength(23)
  })

  it('are several at one time, and end together when one is refused', async () => {
    const inputRequests = { one: { method: 'roots/list' }, two: { method: 'elicitation/create', params: {} } }
    const result = { resultType: 'input_required', inputRequests }
    const ended: boolean[] = []
    const { peer } = peerSaying((method, signal) => {
      if (method === 'elicitation/create') throw Object.assign(new Error('no'), { code: -7 })
      signal.addEventListener('abort', () => ended.push(true))
      return new Promise(() => {})
    })
    const { session } = await opened(wire, { calls: { look: { result } } }, { peer })
    const failure = await failureOf(call(session, 'look'))
    expect(failure).toMatchObject({ code: 'upstream-error', rpc: { code: -7, message: 'no' } })
    expect(failure.message).toBe('lab: "look" asked for elicitation/create, which was answered with error -7: no')
    expect(ended).toEqual([true])
  })
})
