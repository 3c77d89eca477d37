// What every middleware must hold, as named checks that any test runner can run:
//
//   for (const check of middlewareConformance(myMiddleware, { examples })) test(check.name, check.run)
//
// The tool behind it is played: it gives each kind of outcome, fails, and tells of its progress. A check that does not
// hold rejects with an error that says what is wrong.

import { isJsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { errorCodes } from '../errors.ts'
import type { CallContext, Middleware, Next } from '../runtime/middleware.ts'
import type { CallOutcome, ToolCall } from '../runtime/tool-call.ts'
import { must, same } from './conformance-checks.ts'
import { brokenTools, playedOutcomes, usualExamples } from './middleware-examples.ts'

/** A call that shows something of a middleware. */
export interface MiddlewareExample {
  readonly call: ToolCall
  readonly context: CallContext
  /** The code that the middleware refuses it with. Absent: it reaches the tool. */
  readonly refusedAs?: string
}

export interface MiddlewareCheck {
  readonly name: string
  /** Rejects when the middleware does not hold it. */
  readonly run: () => Promise<void>
}

export interface MiddlewareConformanceOptions {
  /** Together they reach each code that the middleware refuses with. Absent: only the built-in ones, which reach few. */
  readonly examples?: readonly MiddlewareExample[]
}

/** A middleware and its examples in, the checks out. Nothing runs before a check is run. */
export function middlewareConformance(
  middleware: Middleware,
  { examples = [] }: MiddlewareConformanceOptions = {},
): readonly MiddlewareCheck[] {
  const all = [...examples, ...usualExamples()]
  const check = (title: string, holds: (middleware: Middleware, all: readonly MiddlewareExample[]) => unknown) => ({
    name: `${middleware.id}: ${title}`,
    run: async () => void (await holds(middleware, all)),
  })
  return [
    check('has a kebab-case id', hasAnId),
    check('does nothing before there is a call', waitsForCalls),
    check('answers its examples as they say', (_, __) => answersExamples(middleware, examples)),
    check('calls what comes after it at most once, and not after it has answered', callsOnce),
    check('changes neither call nor outcome in place, and throws nothing of its own', changesNothingInPlace),
    check('hands on the name, the decision and the id, and that a call is called off', handsOn),
    check('hands on signs of progress and what is said of approvals, one for one', handsOnSigns),
    check('gives an outcome that is one of the union', givesOutcomes),
    check('refuses with a known code, one printable line and an action', refusesWell),
    check('never makes a result of what is none', makesNoResult),
    check('never says of a tool that ran that it was not reached', deniesNothing),
    check('passes on what was thrown, or says that the call failed', passesOnErrors),
    check('keeps calls apart that run at once', keepsApart),
  ]
}

interface Made {
  readonly example: MiddlewareExample
  readonly outcome: CallOutcome
  /** The calls that reached the tool. */
  readonly reached: readonly ToolCall[]
}

/** One call, frozen, around a tool that is played. */
async function made(middleware: Middleware, example: MiddlewareExample, tool: Next): Promise<Made> {
  const reached: ToolCall[] = []
  const next: Next = async (call) => {
    reached.push(call)
    return tool(call)
  }
  const outcome = await middleware.wrap(next, Object.freeze({ ...example.context }))(Object.freeze({ ...example.call }))
  return { example, outcome, reached }
}

/** Every example around every outcome that a tool can have. */
async function* everyWay(middleware: Middleware, examples: readonly MiddlewareExample[]) {
  for (const example of examples)
    for (const given of playedOutcomes()) yield { given, ...(await made(middleware, example, async () => given)) }
}

const done = (): CallOutcome => ({ kind: 'result', content: [{ type: 'text', text: 'done' }], isError: false })

function hasAnId({ id }: Middleware): void {
  must(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id), `the id "${id}" is not kebab-case`)
}

function waitsForCalls(middleware: Middleware, examples: readonly MiddlewareExample[]): void {
  for (const { context } of examples) {
    let told = 0
    const next: Next = async () => {
      told += 1
      return done()
    }
    const record = (): void => {
      told += 1
    }
    middleware.wrap(next, { ...context, record })
    must(told === 0, 'it acts while it is put around a call')
  }
}

async function answersExamples(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for (const example of examples) {
    const { outcome, reached } = await made(middleware, example, async () => done())
    const said = outcome.kind === 'refused' ? outcome.code : undefined
    must(
      said === example.refusedAs && reached.length === (said === undefined ? 1 : 0),
      `"${example.call.name}" is ${said === undefined ? 'let through' : `refused with "${said}"`}, ` +
        `and should be ${example.refusedAs === undefined ? 'let through' : `refused with "${example.refusedAs}"`}`,
    )
  }
}

async function callsOnce(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for await (const { reached, given } of everyWay(middleware, examples)) {
    // What it does in secret after its answer has begun by the next turn of the loop.
    await new Promise((resolve) => setImmediate(resolve))
    must(reached.length <= 1, `the tool is called ${reached.length} times where it gives ${given.kind}`)
  }
}

async function changesNothingInPlace(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for (const example of examples)
    for (const given of playedOutcomes()) {
      const [args, outcome] = [JSON.stringify(example.call.args), JSON.stringify(given)]
      await made(middleware, example, async () => given).catch((error: unknown) => {
        throw new Error(`it throws where the tool does not: ${String(error)}`, { cause: error })
      })
      must(JSON.stringify(example.call.args) === args, 'the arguments were changed in place')
      must(JSON.stringify(given) === outcome, 'the outcome was changed in place')
    }
}

async function handsOn(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for (const example of examples) {
    const caller = new AbortController()
    const call: ToolCall = { ...example.call, signal: caller.signal }
    await made(middleware, { ...example, call }, async (inner) => {
      for (const key of ['name', 'decision', 'callId'] as const)
        must(inner[key] === call[key], `the tool gets another "${key}" than was asked with`)
      must(isJsonObject(inner.args), 'the tool gets arguments that are no object')
      caller.abort()
      must(inner.signal?.aborted === true, 'the tool does not learn that its call is called off')
      return done()
    })
  }
}

async function handsOnSigns(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  const signs: readonly Parameters<NonNullable<ToolCall['onProgress']>>[0][] = [
    { progress: 1 },
    { progress: 2, total: 3, message: 'half' },
  ]
  for (const example of examples) {
    const heard: string[] = []
    const approvals: string[] = []
    const call: ToolCall = {
      ...example.call,
      onProgress: ({ progress, total }) => heard.push(`${progress} of ${total}`),
      onApproval: (state) => approvals.push(state),
    }
    const { reached } = await made(middleware, { ...example, call }, async (inner) => {
      for (const sign of signs) inner.onProgress?.(sign)
      inner.onApproval?.('remembered')
      return done()
    })
    if (reached.length === 0) continue
    same(
      heard,
      signs.map(({ progress, total }) => `${progress} of ${total}`),
      'the signs of progress that are heard',
    )
    must(approvals.at(-1) === 'remembered', 'what is said of an approval is not heard')
  }
}

async function givesOutcomes(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for await (const { outcome } of everyWay(middleware, examples)) {
    const problem = problemOf(outcome)
    must(problem === undefined, `${problem}: ${JSON.stringify(outcome)?.slice(0, 200)}`)
  }
}

function problemOf(outcome: CallOutcome): string | undefined {
  if (!isJsonObject(outcome)) return 'it gives no outcome'
  switch (outcome.kind) {
    case 'result': {
      const { content, isError, structuredContent, meta } = outcome
      if (!Array.isArray(content) || !content.every(isJsonObject)) return 'a result holds blocks'
      if (typeof isError !== 'boolean') return 'a result says whether its tool failed'
      return [structuredContent, meta].every((part) => part === undefined || isJsonObject(part))
        ? undefined
        : 'what is beside the blocks of a result is an object'
    }
    case 'refused':
      return texts(outcome) ? undefined : 'a refusal has a code, a message and an action'
    case 'failed':
      return texts(outcome) && typeof outcome.sent === 'boolean'
        ? undefined
        : 'a failure has a code, a message and an action, and says whether it was sent'
    default:
      return 'the kind of an outcome is result, refused or failed'
  }
}

const texts = (outcome: { readonly code: unknown; readonly message: unknown; readonly action: unknown }): boolean =>
  [outcome.code, outcome.message, outcome.action].every((text) => typeof text === 'string')

/** Longest line that a refusal says. */
const lineMax = 1200

async function refusesWell(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for (const example of examples) {
    const { outcome } = await made(middleware, example, async () => done())
    if (outcome.kind === 'result') continue
    const { code, message, action } = outcome
    const known =
      Object.hasOwn(errorCodes, code) || example.context.gates.some(({ reasons }) => Object.hasOwn(reasons, code))
    must(known, `the code "${code}" stands in no catalogue`)
    for (const [what, text] of [
      ['message', message],
      ['action', action],
    ] as const) {
      must(text.trim() !== '', `"${code}" has an empty ${what}`)
      must(
        printable(text, lineMax) === text,
        `the ${what} of "${code}" is not one printable line: ${JSON.stringify(text)}`,
      )
      must(
        !/undefined|NaN|\[object/.test(text),
        `the ${what} of "${code}" speaks of a value that is not there: ${text}`,
      )
    }
  }
}

async function makesNoResult(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for await (const { given, outcome, reached } of everyWay(middleware, examples)) {
    if (reached.length === 0) {
      must(outcome.kind !== 'result', 'it gives a result where nothing was called')
      continue
    }
    if (given.kind === 'result') continue
    must(outcome.kind === given.kind, `what was ${given.kind} comes out as ${outcome.kind}`)
    same(outcome.code, given.code, 'the code of what is no result')
    if (given.kind === 'failed' && outcome.kind === 'failed') same(outcome.sent, given.sent, 'whether a call was sent')
  }
}

async function deniesNothing(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for await (const { given, outcome, reached } of everyWay(middleware, examples)) {
    if (reached.length === 0 || given.kind !== 'result') continue
    must(outcome.kind !== 'refused', 'a tool ran, and its call is said to be refused')
    must(outcome.kind !== 'failed' || outcome.sent, 'a tool ran, and its call is said not to have been sent')
    if (outcome.kind === 'result' && given.isError)
      must(outcome.isError, 'what a tool calls its error is none any more')
  }
}

async function passesOnErrors(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for (const example of examples)
    for (const tool of brokenTools()) {
      let reached = 0
      const next: Next = (call) => {
        reached += 1
        return tool.next(call)
      }
      const outcome = await middleware
        .wrap(
          next,
          example.context,
        )(example.call)
        .catch((error: unknown) => {
          must(error === tool.error, `another error comes out than went in: ${String(error)}`)
          return undefined
        })
      if (reached === 0 || outcome === undefined) continue
      const problem = problemOf(outcome)
      must(
        problem === undefined && outcome.kind === 'failed',
        problem ?? `what was thrown comes out as ${outcome.kind}`,
      )
    }
}

const many = 16

/** Each call is answered with its own id, those that came first after those that came later. */
async function keepsApart(middleware: Middleware, examples: readonly MiddlewareExample[]): Promise<void> {
  for (const { call, context } of examples) {
    let came = 0
    const next: Next = async ({ callId = '' }) => {
      came += 1
      for (let turns = many - came; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve))
      return { kind: 'result', content: [{ type: 'text', text: `<${callId}>` }], isError: false }
    }
    const around = middleware.wrap(next, context)
    const ids = Array.from({ length: many }, (_, index) => `call-${index}`)
    const outcomes = await Promise.all(
      ids.map((callId) => around({ ...call, callId, signal: new AbortController().signal })),
    )
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind !== 'result') continue
      const text = JSON.stringify(outcome.content)
      must(text.includes(`<${ids[index]}>`), `the call ${ids[index]} is answered with ${text}`)
    }
  }
}
