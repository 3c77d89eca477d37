import { describe, expect, it } from 'vitest'
import type { CallFailure } from '../../src/sessions/call-failure.ts'
import type { CallProgress } from '../../src/sessions/session.ts'
import { isAlive } from '../sources/scripted.ts'
import { call, opened, textOf, until, wires } from './session-wires.ts'

const failureOf = (promise: Promise<unknown>): Promise<CallFailure> =>
  promise.then(
    () => {
      throw new Error('it gave a result')
    },
    (error: CallFailure) => error,
  )

const malformed: readonly (readonly [string, unknown])[] = [
  ['it holds no list of content', {}],
  ['it holds no list of content', { content: 'ok' }],
  ['it holds something without a type as block 0 of its content', { content: ['ok'] }],
  ['it holds something without a type as block 1 of its content', { content: [{ type: 'text' }, { text: 'ok' }] }],
  ['it says neither true nor false for isError', { content: [], isError: 'yes' }],
  ['it has a result of type "strange"', { content: [], resultType: 'strange' }],
  ['its result is no object', 7],
]

describe.each(wires)('a call over $wire in the $era era [S4, M1]', (wire) => {
  it('gives the result as it was sent, whatever keys it holds', async () => {
    const result = JSON.parse(
      '{"content":[{"type":"text","text":"ok","odd":1}],"strange":{"__proto__":{"x":1}},"__proto__":{"isError":true},"_meta":{"k":[]}}',
    )
    const { session } = await opened(wire, { calls: { look: { result } } })
    const { resultType: _, ...got } = await call(session, 'look')
    expect(JSON.stringify(got)).toBe(JSON.stringify(result))
    expect(got.isError).toBeUndefined()
    expect(({} as { readonly isError?: unknown }).isError).toBeUndefined()
  })

  it('hands over the arguments, and takes a result that says that the tool failed for a result', async () => {
    const { session, received } = await opened(wire, {
      calls: { look: { result: { content: [{ type: 'text', text: 'no such file' }], isError: true } } },
    })
    const args = { path: 'a', nested: { list: [1, null, 'x'] } }
    expect(await call(session, 'look', {}, args)).toMatchObject({ isError: true })
    const sent = received().filter(({ method }) => method === 'tools/call')
    expect(sent).toMatchObject([{ params: { name: 'look', arguments: args } }])
  })

  it('runs beside others, each with its own answer', async () => {
    const { session } = await opened(wire, {
      calls: { slow: { afterMs: 300, text: 'slow' }, quick: { text: 'quick' } },
    })
    const slow = call(session, 'slow')
    expect(textOf(await call(session, 'quick'))).toBe('quick')
    expect(textOf(await slow)).toBe('slow')
  })

  it('tells of an error of the protocol with its code', async () => {
    const { session } = await opened(wire, {
      calls: { look: { error: { code: -32000, message: `no\n${'E'.repeat(9000)}` } } },
    })
    const failure = await failureOf(call(session, 'look'))
    expect(failure).toMatchObject({ code: 'upstream-error', sent: true })
    expect(failure.message).toMatch(/^lab: "look" was answered with error -32000: no\\u000aEEE/)
    expect(failure.message.length).toBeLessThan(700)
    expect(session.isOpen()).toBe(true)
  })

  it('refuses results that are not of the form, and goes on', async () => {
    const { session } = await opened(wire, { calls: { look: [...malformed.map(([, result]) => ({ result })), {}] } })
    for (const [why] of malformed) {
      const failure = await failureOf(call(session, 'look'))
      expect(failure).toMatchObject({ code: 'result-malformed', sent: true })
      expect(failure.message).toBe(`lab: its answer to "look" is invalid: ${why}`)
    }
    expect(textOf(await call(session, 'look'))).toBe('ok')
  })

  it('passes on progress, bounded, with the last of it', async () => {
    const { session } = await opened(wire, { calls: { look: { progress: { everyMs: 0, times: 500, total: 500 } } } })
    const seen: CallProgress[] = []
    await call(session, 'look', { onProgress: (progress) => seen.push(progress) })
    expect(seen[0]).toEqual({ progress: 1, total: 500 })
    expect(seen.at(-1)).toEqual({ progress: 500, total: 500 })
    expect(seen.length).toBeLessThan(200)
  })

  it('waits as long as there is progress, and not longer than it may take in all', async () => {
    const plan = {
      calls: { look: { progress: { everyMs: 150, times: 8 } }, slow: { progress: { everyMs: 150, times: 40 } } },
    }
    const { session } = await opened(wire, plan)
    expect(textOf(await call(session, 'look', { idleTimeoutMs: 900 }))).toBe('ok')
    const failure = await failureOf(call(session, 'slow', { idleTimeoutMs: 900, totalTimeoutMs: 1500 }))
    expect(failure).toMatchObject({ code: 'call-timed-out', sent: true })
    expect(failure.message).toBe('lab: "slow" timed out: no result within 1.5 s in all')
  })

  it('times out without a sign of life, tells the server, and stays when the server answers a ping [R2]', async () => {
    const { session, received } = await opened(wire, { calls: { look: [{ hang: true }, {}] } })
    const failure = await failureOf(call(session, 'look', { idleTimeoutMs: 300 }))
    expect(failure).toMatchObject({ code: 'call-timed-out', sent: true })
    const ping = wire.era === 'modern' ? 'server/discover' : 'ping'
    expect(await until(() => received().filter(({ method }) => method === ping).length >= 1)).toBe(true)
    expect(await until(() => received().some(isCancel))).toBe(true)
    expect(textOf(await call(session, 'look'))).toBe('ok')
    expect(session.isOpen()).toBe(true)
  })

  it('ends the session of a server that answers no ping after a call that timed out [R2]', async () => {
    const { session, received } = await opened(wire, { deaf: true, calls: { look: { hang: true } } })
    const failed = failureOf(call(session, 'look', { idleTimeoutMs: 100 }))
    expect(await failed).toMatchObject({ code: 'call-timed-out' })
    expect(await session.closed).toMatch(/a call got no answer in time, and it did not answer a ping well within 5 s/)
    expect(session.isOpen()).toBe(false)
    const before = received().length
    expect(await failureOf(call(session, 'look'))).toMatchObject({ code: 'server-unavailable', sent: false })
    expect(received().filter(({ method }) => method === 'tools/call').length).toBe(1)
    expect(before).toBeGreaterThan(0)
  })

  it('is cancelled at the server as well, which lives on [R10]', async () => {
    const { session, received } = await opened(wire, { calls: { look: [{ hang: true }, {}] } })
    const stop = new AbortController()
    const failed = failureOf(call(session, 'look', { signal: stop.signal }))
    await until(() => received().some(({ method }) => method === 'tools/call'))
    const id = received().find(({ method }) => method === 'tools/call')?.id
    stop.abort()
    expect(await failed).toMatchObject({ code: 'call-cancelled', sent: true })
    expect(await until(() => received().some(isCancel))).toBe(true)
    const cancel = received().find(isCancel)
    expect(cancel?.params?.requestId ?? cancel?.id).toBe(id)
    expect(textOf(await call(session, 'look'))).toBe('ok')
    if (session.pid !== undefined) expect(isAlive(session.pid)).toBe(true)
  })

  it('is not sent when it was called off before', async () => {
    const { session, received } = await opened(wire, {})
    const failure = await failureOf(call(session, 'look', { signal: AbortSignal.abort() }))
    expect(failure).toMatchObject({ code: 'call-cancelled', sent: false })
    expect(textOf(await call(session, 'look'))).toBe('ok')
    expect(received().filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  })

  it('does not take the late answer of a call that nobody waits for for another', async () => {
    const { session } = await opened(wire, { calls: { look: [{ afterMs: 400, text: 'late' }, { text: 'second' }] } })
    expect(await failureOf(call(session, 'look', { idleTimeoutMs: 100 }))).toMatchObject({ code: 'call-timed-out' })
    expect(textOf(await call(session, 'look'))).toBe('second')
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(session.findings()).toEqual([])
  })

  it('fails at once when the server dies, and is not repeated [R1]', async () => {
    const { session, received } = await opened(wire, {
      stderr: ['database is gone'],
      calls: { look: { die: { signal: 'SIGKILL' } } },
    })
    const before = performance.now()
    const failure = await failureOf(call(session, 'look'))
    expect(performance.now() - before).toBeLessThan(5000)
    expect(failure).toMatchObject({ code: 'upstream-died', sent: true })
    expect(failure.message).toMatch(/may have had its effect, and is not repeated$/)
    if (wire.wire === 'stdio') {
      expect(failure.message).toContain('the server was ended by SIGKILL during the call of "look"')
      expect(failure.message).toContain('it said: database is gone')
      expect(await session.closed).toBe('was ended by SIGKILL; it said: database is gone')
    }
    expect(received().filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  })

  it('refuses a result over the limit alone, with both sizes [R5]', async () => {
    const { session } = await opened(
      wire,
      { calls: { big: { bytes: 3_000_000 }, slow: { afterMs: 600, text: 'slow' } } },
      { messageBytesMax: 1_000_000 },
    )
    const slow = call(session, 'slow')
    const failure = await failureOf(call(session, 'big'))
    expect(failure).toMatchObject({ code: 'result-too-large', sent: true })
    expect(failure.message).toMatch(/has 1\d{6} bytes or more, over 1000000; ask for less$/)
    expect(textOf(await slow)).toBe('slow')
    expect(textOf(await call(session, 'quick'))).toBe('ok')
  })

  it('refuses what a server asks of a client that offers nothing, and goes on', async () => {
    const { session, received } = await opened(wire, { calls: { look: [{ sampling: true }, {}] } })
    if (wire.era === 'legacy') {
      expect(JSON.parse(String(textOf(await call(session, 'look'))))).toMatchObject({ error: { code: -32601 } })
      expect(received().some(({ error }) => (error as { code?: number } | undefined)?.code === -32601)).toBe(true)
    } else {
      const failure = await failureOf(call(session, 'look'))
      expect(failure).toMatchObject({ code: 'result-malformed' })
      expect(failure.message).toMatch(/it asks for more input/)
    }
    expect(textOf(await call(session, 'look'))).toBe('ok')
  })
})

const isCancel = ({ method, verb }: { readonly method?: string; readonly verb?: string }): boolean =>
  method === 'notifications/cancelled' || verb === 'CLOSE'
