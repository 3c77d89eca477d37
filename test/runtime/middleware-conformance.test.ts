// Every middleware of the order against what all of them must hold; and the suite itself: each check finds its fault.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { Middleware } from '../../src/runtime/middleware.ts'
import { middlewareOrder } from '../../src/runtime/order.ts'
import type { CallOutcome, ToolCall } from '../../src/runtime/tool-call.ts'
import { type MiddlewareExample, middlewareConformance } from '../../src/testing/middleware-conformance.ts'
import { aCandidate, aSearchTool } from '../../src/testing/world.ts'
import type { PathView } from '../../src/workspace/mapping/path-view.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { rule, type Setting, setting, toolOf } from './a-setting.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolgate-middleware-'))
const workspace = await openWorkspace({ threadsFolder: join(folder, 'threads'), owner: { user: 'u', thread: 't' } })
const base = { virtual: '/mnt/user-data/workspace', host: workspace.cwd, has: () => false }
const view: PathView = { workspace, openRoots: [], privateRoots: [folder], base }

/** A call of a tool in a setting. */
function example(given: Setting, args: JsonObject, refusedAs?: string): MiddlewareExample {
  const { context, surface } = setting({ ...given, tools: given.tools ?? [toolOf('list')] })
  const decision = surface.decisions[0]
  if (decision === undefined) throw new Error('a setting has a tool')
  const call: ToolCall = { name: decision.name, decision, args, callId: 'call-1', signal: AbortSignal.timeout(60_000) }
  return { call, context, ...(refusedAs === undefined ? {} : { refusedAs }) }
}

const path = '/mnt/user-data/workspace/a.md'
const approvals = (said?: 'once' | 'always' | 'deny') => ({
  standing: async () => said,
  remember: async () => {},
  ask: async () => 'question-1',
})
const asking = { rules: [rule('ask', 'list')] }
const deferring = { tools: [toolOf('list'), aSearchTool()], facts: { deferral: { mode: 'on' } } } as const

/** What each middleware needs to show all that it does. */
const examples: { readonly [id: string]: readonly MiddlewareExample[] } = {
  records: [
    example({ more: { record: () => {} } }, { path }),
    example(
      {
        more: {
          record: () => {
            throw new Error('the disk is full')
          },
        },
      },
      { path },
    ),
  ],
  results: [example({ more: { results: { bytesMax: 1024, workspace } } }, { path })],
  secrets: [example({ more: { redacted: (text) => text.replaceAll('tmp', '***') } }, { path: '/tmp/x' })],
  'promoted-only': [
    example({ ...deferring, more: { isPromoted: async () => true } }, { path }),
    example({ ...deferring, more: { isPromoted: async () => false } }, { path }, 'not-promoted'),
  ],
  arguments: [
    example({}, { path, depth: 2 }),
    example({}, { path, depth: 9 }, 'arguments-invalid'),
    example({}, { other: '\u202e\n' }, 'arguments-invalid'),
  ],
  rules: [
    example({ rules: [rule('deny', 'list(path:/etc/**)')], view }, { path }),
    example({ rules: [rule('deny', 'list(path:/etc/**)')], view }, { path: '/etc/passwd' }, 'call-denied'),
    example({ ...asking, approve: async () => 'always', more: { approvals: approvals() } }, { path }),
    example({ ...asking, approve: async () => 'deny' }, { path }, 'call-denied'),
    example({ ...asking, more: { approvals: approvals('always') } }, { path }),
    example({ ...asking, more: { approvals: approvals() } }, { path }, 'approval-pending'),
    example(asking, { path }, 'approval-needed'),
    example({ ...asking, approve: () => Promise.reject(new Error('the line\nis dead')) }, { path }, 'approval-needed'),
  ],
  limits: [
    example({ tools: [aCandidate({ originalName: 'list' })], more: { limits: { totalMs: 60_000 } } }, { path }),
    example({ more: { limits: { totalMs: 60_000 } } }, { path }),
  ],
  paths: [
    example({ view }, { path }),
    example({ view }, { path: '../../other/\u0007secret' }, 'path-traversal'),
    example({}, { path: '../x' }),
  ],
}

describe('a middleware [R2]', () => {
  it('has examples here, each of them', () => {
    expect(Object.keys(examples)).toEqual(middlewareOrder.map(({ id }) => id))
  })

  for (const middleware of middlewareOrder)
    for (const check of middlewareConformance(middleware, { examples: examples[middleware.id] ?? [] }))
      test(check.name, check.run)
})

const plain: Middleware = { id: 'plain', wrap: (next) => (call) => next(call) }
const done: CallOutcome = { kind: 'result', content: [], isError: false }
const refusal = (more: object = {}) =>
  ({ kind: 'refused', code: 'call-denied', message: 'no', action: 'ask', ...more }) as CallOutcome
const kept: { call?: ToolCall } = {}

/** A middleware with one fault, and the check that finds it. */
const faulty: readonly (readonly [fault: string, check: string, wrap: Middleware['wrap']])[] = [
  [
    'calls the tool when it is made',
    'does nothing before there is a call',
    (next, { surface }) => {
      const [decision] = surface.decisions
      if (decision !== undefined) void next({ name: 'x', args: {}, decision })
      return next
    },
  ],
  [
    'calls the tool again when it fails',
    'calls what comes after it at most once, and not after it has answered',
    (next) => async (call) => {
      const outcome = await next(call)
      return outcome.kind === 'failed' ? next(call) : outcome
    },
  ],
  [
    'calls the tool a second time beside its answer',
    'calls what comes after it at most once, and not after it has answered',
    (next) => async (call) => {
      void next(call)
      return next(call)
    },
  ],
  [
    'writes into the arguments',
    'changes neither call nor outcome in place, and throws nothing of its own',
    (next) => (call) => next(Object.assign(call, { args: { ...call.args, seen: true } })),
  ],
  [
    'writes into the outcome',
    'changes neither call nor outcome in place, and throws nothing of its own',
    (next) => async (call) => Object.assign(await next(call), { meta: {} }),
  ],
  [
    'makes a new call of the arguments alone',
    'hands on the name, the decision and the id, and that a call is called off',
    (next) =>
      ({ name, args, decision }) =>
        next({ name, args, decision }),
  ],
  [
    'forgets the signal',
    'hands on the name, the decision and the id, and that a call is called off',
    (next) =>
      ({ signal: _, ...call }) =>
        next(call),
  ],
  [
    'forgets who listens',
    'hands on signs of progress and what is said of approvals, one for one',
    (next) =>
      ({ onProgress: _, ...call }) =>
        next(call),
  ],
  [
    'gives the content alone',
    'gives an outcome that is one of the union',
    (next) => async (call) => {
      const outcome = await next(call)
      return outcome.kind === 'result' ? (outcome.content as unknown as CallOutcome) : outcome
    },
  ],
  [
    'refuses with a code of its own',
    'refuses with a known code, one printable line and an action',
    () => async () => refusal({ code: 'no-mood' }),
  ],
  [
    'refuses without saying what to do',
    'refuses with a known code, one printable line and an action',
    () => async () => refusal({ action: '' }),
  ],
  [
    'lets a line break through',
    'refuses with a known code, one printable line and an action',
    () => async () => refusal({ message: 'no\nnever' }),
  ],
  [
    'makes a result of a refusal',
    'never makes a result of what is none',
    (next) => async (call) => {
      const outcome = await next(call)
      return outcome.kind === 'refused' ? done : outcome
    },
  ],
  ['answers in the place of the tool', 'never makes a result of what is none', () => async () => done],
  [
    'refuses what has run',
    'never says of a tool that ran that it was not reached',
    (next) => async (call) => {
      const outcome = await next(call)
      return outcome.kind === 'result' ? refusal() : outcome
    },
  ],
  [
    'makes a result of what was thrown',
    'passes on what was thrown, or says that the call failed',
    (next) => (call) => next(call).catch(() => done),
  ],
  [
    'throws its own error in the place of the one that came',
    'passes on what was thrown, or says that the call failed',
    (next) => (call) =>
      next(call).catch(() => {
        throw new Error('something went wrong')
      }),
  ],
  [
    'keeps the last call where all calls find it',
    'keeps calls apart that run at once',
    (next) => async (call) => {
      kept.call = call
      await Promise.resolve()
      return next(kept.call)
    },
  ],
]

describe('the conformance suite of middlewares [R2]', () => {
  it('passes a middleware that does nothing', async () => {
    for (const check of middlewareConformance(plain)) await check.run()
  })

  it.each(faulty)('finds one that %s', async (_fault, title, wrap) => {
    const check = middlewareConformance({ ...plain, wrap }).find(({ name }) => name === `plain: ${title}`)
    await expect(check?.run()).rejects.toThrow(/\w/)
  })

  it('finds an id in another case, and an example that is answered otherwise', async () => {
    const [id] = middlewareConformance({ ...plain, id: 'plainOne' })
    await expect(id?.run()).rejects.toThrow('kebab-case')
    const wrong = [example({}, { path }, 'call-denied')]
    const check = middlewareConformance(plain, { examples: wrong }).find(({ name }) => name.includes('its examples'))
    await expect(check?.run()).rejects.toThrow('is let through, and should be refused with "call-denied"')
  })
})
