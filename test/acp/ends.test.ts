// How turns end that do not end well: what was said is kept, and no process is left (every run looks).

import { describe, expect, it } from 'vitest'
import { CallFailure } from '../../src/sessions/call-failure.ts'
import { isAlive } from '../sources/scripted.ts'
import { scripted } from './acp-world.ts'

const codeOf = (work: Promise<unknown>): Promise<{ code: string; message: string; hint: string }> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error.finding ?? error,
  )

describe('an external agent that gives no session [S5, Q4]', () => {
  it.each([
    [
      'is not there',
      { command: 'no-such-agent', args: [] },
      {},
      /could not be started: command "no-such-agent" was not found/,
    ],
    [
      'ends at once',
      {},
      { exit: { at: 'start', code: 3 }, stderr: ['no such\u0007 model'] },
      /exited with code 3 before .* it said: no such\\u0007 model/,
    ],
    [
      'ends instead of a session',
      {},
      { exit: { at: 'session/new', code: 0 } },
      /exited with code 0 before it had opened a session/,
    ],
    [
      'ends at once, and said so on standard output',
      {},
      { exit: { at: 'start', code: 1 }, stdout: ['Usage: helper --acp'] },
      /exited with code 1 before it had opened a session; it printed: Usage: helper --acp/,
    ],
    [
      'does not answer the handshake',
      { startTimeoutMs: 1000 },
      { silent: 'initialize' },
      /did not answer "initialize" within 1000 ms of its start/,
    ],
    [
      'does not open a session',
      { startTimeoutMs: 8000 },
      { silent: 'session/new' },
      /did not answer "session\/new" within 8000 ms/,
    ],
  ] as const)('%s: acp-start-failed', async (_, entry, plan, words) => {
    const { run } = await scripted(plan as never, entry)
    const { code, message, hint } = await codeOf(run())
    expect([code, message]).toEqual(['acp-start-failed', expect.stringMatching(words)])
    expect(hint).toMatch(/command and args/)
  })

  it.each([
    ['speaks another version', { protocolVersion: 2 }, /speaks version 2 of the protocol, and not 1/],
    ['speaks no version', { protocolVersion: 'x' }, /speaks version "x" of the protocol/],
    [
      'refuses the handshake',
      { refuse: { code: -32601, message: 'no', data: { details: 'why\u0007' } } },
      /refused "initialize": no: why\\u0007/,
    ],
  ])('%s: acp-protocol', async (_, plan, words) => {
    const { run } = await scripted(plan)
    const { code, message } = await codeOf(run())
    expect([code, message]).toEqual(['acp-protocol', expect.stringMatching(words)])
  })

  it('wants a login: acp-auth-needed, with the ways that it offers', async () => {
    const { run } = await scripted({ authRequired: 'session/new', authMethods: [{ id: 'g', name: 'With a browser' }] })
    const { code, message, hint } = await codeOf(run())
    expect([code, message]).toEqual([
      'acp-auth-needed',
      'the agent "helper" wants a login first; it offers: With a browser',
    ])
    expect(hint).toContain('acp_agents.helper.env')
  })

  it('was called off meanwhile: the call was not sent', async () => {
    const { run, received } = await scripted({ silent: 'initialize' })
    const stop = new AbortController()
    const over = run({ signal: stop.signal }).catch((error: unknown) => error)
    await expect.poll(() => received().length, { timeout: 20_000 }).toBe(1)
    stop.abort()
    const error = await over
    expect(error).toBeInstanceOf(CallFailure)
    expect(error).toMatchObject({ code: 'call-cancelled', sent: false })
  })
})

describe('a turn that is stopped [S5, Q4]', () => {
  it('by its time limit is cancelled, and its text is kept', async () => {
    const { run, received } = await scripted([{ text: 'half of' }, { hang: true }, { text: ' it' }], {
      turnTimeoutMs: 1500,
    })
    const { structure, text, isError } = await run()
    expect(structure).toMatchObject({ status: 'timed-out', text: 'half of it', stopReason: 'cancelled' })
    expect(text).toBe(
      '[The agent "helper" was stopped after 1500 ms (turn_timeout_ms of its entry). What it said until then:]\n\nhalf of it',
    )
    expect(isError).toBe(true)
    expect(received().at(-1)?.method).toBe('session/cancel')
  })

  it('by its caller is cancelled, and its text is kept', async () => {
    const { run, received } = await scripted([{ text: 'begun' }, { hang: true }])
    const stop = new AbortController()
    const over = run({ signal: stop.signal, onProgress: () => {} })
    await expect.poll(() => received().at(-1)?.method, { timeout: 20_000 }).toBe('session/prompt')
    stop.abort()
    expect((await over).structure).toMatchObject({ status: 'cancelled', text: 'begun', reason: 'was called off' })
  })

  it('and does not heed it is ended, with its children, though it is deaf to signals', async () => {
    const { run, pids } = await scripted(
      { steps: [{ text: 'I go on' }, { hang: true }], deaf: true, stubborn: true, child: true },
      { turnTimeoutMs: 1000 },
    )
    const { structure } = await run()
    expect(structure).toMatchObject({ status: 'timed-out', text: 'I go on' })
    expect(structure).not.toHaveProperty('stopReason')
    expect(pids()).toHaveLength(2)
    expect(pids().filter(isAlive)).toEqual([])
  })
})

describe('a turn that fails [S5, Q4]', () => {
  it('by the end of the agent keeps its text, and tells its last words', async () => {
    const { run } = await scripted([{ text: 'so far' }, { die: 7, stderr: 'out of memory' }])
    const { structure, isError } = await run()
    expect(structure).toMatchObject({
      status: 'failed',
      text: 'so far',
      reason: 'exited with code 7; it said: out of memory',
    })
    expect(isError).toBe(true)
  })

  it('by a message that is too long ends there', async () => {
    const { run } = await scripted([{ text: 'so far' }, { longLine: 2_000_000 }, { hang: true }])
    const { structure } = await run({ messageBytesMax: 1_000_000 })
    expect(structure).toMatchObject({ status: 'failed', text: 'so far' })
    expect(structure.reason).toMatch(/^was ended, for it sent a message of over \d+ bytes$/)
  })

  it('by a login that is wanted only now says what to do', async () => {
    const { run } = await scripted({ authRequired: 'session/prompt' })
    const { structure } = await run()
    expect(structure).toMatchObject({ status: 'failed' })
    expect(structure.reason).toMatch(/Authentication required \(log in with its own program/)
  })

  it('leaves nothing of a child behind that goes on after the answer', async () => {
    const { run, pids } = await scripted({ steps: [{ text: 'done' }], child: true, stubborn: true })
    expect((await run()).structure.status).toBe('answered')
    expect(pids()).toHaveLength(2)
  })
})
