// What the checks of a middleware are made of: calls under little and under much context, and tools that are played.

import { assemble } from '../core/assemble.ts'
import { deepFreeze } from '../core/json.ts'
import type { Surface } from '../core/surface.ts'
import { finding, ToolgateError } from '../errors.ts'
import { gateOrder } from '../gates/order.ts'
import type { CallContext, Next } from '../runtime/middleware.ts'
import type { CallOutcome, ToolCall } from '../runtime/tool-call.ts'
import type { MiddlewareExample } from './middleware-conformance.ts'
import { aCandidate, aSearchTool, sha256, someFacts } from './world.ts'

/** Each kind of outcome that what stands behind a middleware can give, frozen. */
export const playedOutcomes = (): readonly CallOutcome[] =>
  deepFreeze<CallOutcome[]>([
    { kind: 'result', content: [{ type: 'text', text: 'done' }], isError: false },
    { kind: 'result', content: [], isError: false },
    { kind: 'result', content: [{ type: 'text', text: 'no such file' }], isError: true },
    {
      kind: 'result',
      content: [
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        { type: 'text', text: 'a line\nand another\u0007 '.repeat(2000) },
        { type: 'resource', resource: { uri: 'file:///tmp/a', text: 'within' } },
      ],
      structuredContent: { list: [1, 'two', null, { three: true }] },
      meta: { 'example.com/note': 'kept' },
      isError: false,
    },
    { kind: 'refused', code: 'call-denied', message: 'this call is refused', action: 'ask for something else' },
    { kind: 'failed', code: 'internal-error', message: 'it broke', action: 'try again', sent: true },
    { kind: 'failed', code: 'pool-closed', message: 'it was not begun', action: 'start it again', sent: false },
  ])

interface BrokenTool {
  readonly next: Next
  readonly error: unknown
}

/** Tools that throw, at once and later, errors of ours and of others. */
export function brokenTools(): readonly BrokenTool[] {
  const errors: readonly unknown[] = [
    new Error('a mistake'),
    new ToolgateError(finding('internal-error', 'error', 'a mistake of ours')),
    'a text that was thrown',
    undefined,
  ]
  return errors.map((error) => ({
    error,
    next: async () => {
      await Promise.resolve()
      throw error
    },
  }))
}

/** Calls of an ordinary tool, of a deferred one and of one that a person is asked for. */
export function usualExamples(): readonly MiddlewareExample[] {
  const facts = someFacts({
    deferral: { mode: 'on', always: ['files__write_note', 'files__send_note'] },
    permissions: {
      rules: [{ effect: 'ask', text: 'send_note', scope: 'config', origin: { in: 'toolgate.yaml', line: 3 } }],
      otherwise: 'allow',
    },
  })
  const tools = ['write_note', 'send_note', 'find_note'].map((originalName) =>
    aCandidate({ server: 'files', originalName, effects: ['write'] }),
  )
  const surface = assemble(facts, [...tools, aSearchTool()], gateOrder.default, { sha256 })
  const calls = surface.decisions
    .filter(({ outcome }) => outcome !== 'excluded')
    .flatMap((decision) =>
      [{}, { path: '/mnt/user-data/workspace/a.md', note: ['x', { y: null }] }].map(
        (args): ToolCall => ({
          name: decision.name,
          decision,
          args: deepFreeze(args),
          callId: 'call-1',
          signal: new AbortController().signal,
        }),
      ),
    )
  return contexts(surface).flatMap((context) => calls.map((call) => ({ call, context })))
}

/** Nothing but what must be there; and everything, with a person who agrees. */
function contexts(surface: Surface): readonly CallContext[] {
  const bare: CallContext = {
    surface,
    gates: gateOrder.default,
    viewOf: () => undefined,
    isPromoted: async () => true,
    redacted: (text) => text,
  }
  const full: CallContext = {
    ...bare,
    approve: async () => 'once',
    approvals: { standing: async () => undefined, remember: async () => {}, ask: async () => 'question-1' },
    results: { bytesMax: 4096 },
    limits: { totalMs: 60_000 },
    record: () => {},
  }
  return [bare, full]
}
