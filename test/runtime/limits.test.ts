// How long a tool of this process may take.

import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import { middlewareOrder } from '../../src/runtime/order.ts'
import type { ToolCall } from '../../src/runtime/tool-call.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { setting, text, toolOf } from './a-setting.ts'

const schema = { type: 'object' }
const own = (more: Partial<Candidate> = {}): Candidate =>
  aCandidate({
    source: 'config',
    protocol: 'module',
    name: 'slow',
    definition: { description: 'x', inputSchema: schema },
    ...more,
  })

/** A tool that ends only when it is told to. */
const untilStopped = (seen: AbortSignal[]) => (call: ToolCall) =>
  new Promise<ReturnType<typeof text>>((resolve) => {
    if (call.signal === undefined) return resolve(text('nobody can stop me'))
    seen.push(call.signal)
    call.signal.addEventListener('abort', () => resolve(text('stopped')))
  })

describe('the middlewares [R2]', () => {
  it('stand in one order', () => {
    expect(middlewareOrder.map(({ id }) => id)).toEqual([
      'records',
      'results',
      'secrets',
      'promoted-only',
      'arguments',
      'rules',
      'limits',
      'paths',
    ])
  })

  it('end a tool of this process that takes too long, and tell it', async () => {
    const seen: AbortSignal[] = []
    const { call } = setting({ tools: [own()], tool: untilStopped(seen), more: { limits: { totalMs: 20 } } })
    expect(await call({ name: 'slow', args: {} })).toMatchObject({ kind: 'failed', code: 'call-timed-out', sent: true })
    expect(seen[0]?.aborted).toBe(true)
  })

  it('pass on that a call was called off', async () => {
    const stop = new AbortController()
    const tool = untilStopped([])
    const { call } = setting({ tools: [own()], tool, more: { limits: { totalMs: 600_000 } } })
    const called = call({ name: 'slow', args: {}, signal: stop.signal })
    stop.abort()
    expect(await called).toMatchObject({ kind: 'result', content: [{ text: 'stopped' }] })
  })

  it.each([
    ['a server', toolOf('slow', schema)],
    ['a child', own({ form: 'delegates' })],
  ])('leave %s to its own limits', async (_, tool) => {
    const { call } = setting({ tools: [tool], tool: untilStopped([]), more: { limits: { totalMs: 20 } } })
    expect(await call({ name: tool.name, args: {} })).toMatchObject({ content: [{ text: 'nobody can stop me' }] })
  })
})
