// What callers do on the stage: calls, searches, what a person loads and puts away, and edits in between.

import fc from 'fast-check'
import type { Run } from '../../src/report/run.ts'
import type { ApprovalAnswer } from '../../src/runtime/middleware.ts'
import type { CallOutcome } from '../../src/runtime/tool-call.ts'
import { keywordOf } from './run-time-plans.ts'
import type { Reach, Seat, Stage, StoreStep } from './run-time-world.ts'

export type Act =
  | { readonly kind: 'call'; readonly name: number; readonly args: number; readonly answer: number }
  | { readonly kind: 'search'; readonly names: readonly number[]; readonly form: number }
  | { readonly kind: 'load' | 'route' | 'demote'; readonly name: number }
  | { readonly kind: 'surface'; readonly world: number }
  | { readonly kind: 'store'; readonly broken: boolean }

/** What one caller does, one thing after the other. */
export interface Script {
  readonly seat: number
  readonly acts: readonly Act[]
}

/** Mostly the first, so that what was loaded is called. */
const aName = fc.oneof({ weight: 5, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(999) })
const kindOf = <const K extends string>(...kinds: readonly K[]): fc.Arbitrary<K> => fc.constantFrom(...kinds)

/** Of the arguments by index: see `keyAt`. */
const keyX = 0
const noKey = 8

const aCall = fc.record({ kind: kindOf('call'), name: aName, args: fc.nat(9), answer: fc.nat(5) })
const aSearch = fc.record({
  kind: kindOf('search'),
  names: fc.array(aName, { minLength: 1, maxLength: 3 }),
  form: fc.nat(3),
})
const anotherWay = fc.record({ kind: kindOf('load', 'route', 'load', 'route', 'demote'), name: aName })
const aSurface = fc.record({ kind: kindOf('surface'), world: fc.nat(3) })
const aStore = fc.record({ kind: kindOf('store'), broken: fc.constantFrom(false, false, true) })

const usual = [
  { weight: 12, arbitrary: aCall },
  { weight: 5, arbitrary: aSearch },
  { weight: 4, arbitrary: anotherWay },
  { weight: 2, arbitrary: aSurface },
] as const

const seat = fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 4)
const plain = { noNullPrototype: true } as const

/** One thing that somebody does, where one thing is done after the other. */
export const aStep = fc.record({ seat, act: fc.oneof(...usual) }, plain)

const inTrouble = fc.oneof(...usual, { weight: 1, arbitrary: aStore })
/** Of several at once, with a store that fails now and then. */
export const someScripts: fc.Arbitrary<readonly Script[]> = fc.array(
  fc.record({ seat, acts: fc.array(inTrouble, { minLength: 2, maxLength: 7, size: 'max' }) }, plain),
  { minLength: 2, maxLength: 4 },
)

const onOneTool = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kindOf('call'),
      name: fc.constant(0),
      args: fc.constantFrom(keyX, keyX, noKey),
      answer: fc.constantFrom(0, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kindOf('search'), names: fc.constant([0]), form: fc.constant(1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('load', 'route'), name: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('surface'), world: fc.nat(2) }) },
)
/** Of several who are all about the first tool of their surface. */
export const closeScripts: fc.Arbitrary<readonly Script[]> = fc.array(
  fc.record(
    { seat: fc.constantFrom(0, 0, 0, 1), acts: fc.array(onOneTool, { minLength: 1, maxLength: 5, size: 'max' }) },
    plain,
  ),
  { minLength: 2, maxLength: 4 },
)

/** A call as it was made, and what was in force when it began. */
export interface Made {
  readonly nonce: number
  readonly seat: Seat
  readonly name: string
  readonly key: unknown
  /** The run of the seat, and of those above it, the nearest first. */
  readonly run: Run
  readonly above: readonly Run[]
  readonly outcome: CallOutcome
}

const answerWords: readonly (ApprovalAnswer | undefined)[] = [undefined, 'once', 'always', 'deny', true, 'later']

/** A seat whose runs are at hand: those of the same thread, from the root down. */
function runsOf(seat: Seat, { seats }: Stage): readonly Run[] {
  return seats
    .filter(({ thread, depth }) => thread === seat.thread && depth <= seat.depth)
    .sort((one, other) => other.depth - one.depth)
    .map(({ view }) => view.current().run)
}

/** Names that somebody may come up with: what is exposed first, then what is not, other spellings, and nothing at all. */
function nameAt(index: number, { surface }: Run): string {
  const shown = [...surface.withOutcome('deferred'), ...surface.withOutcome('eager')].map(({ name }) => name)
  const excluded = surface.withOutcome('excluded').map(({ name }) => name)
  const spelled = surface.decisions.flatMap(({ candidate, name }) => [
    candidate.originalName,
    candidate.id,
    name.toUpperCase(),
    `${name} `,
  ])
  const names = [...shown, ...excluded, ...shown, ...excluded, ...spelled, 'nobody', '', '__proto__']
  return names[index % names.length] ?? ''
}

let nonces = 0

/** Makes a call, and notes what was in force at that moment. */
export async function called(
  stage: Stage,
  seat: Seat,
  request: {
    readonly name: string
    readonly args: { readonly [key: string]: unknown }
    readonly answer?: ApprovalAnswer
  },
): Promise<Made> {
  nonces += 1
  const nonce = nonces
  const [run, ...above] = runsOf(seat, stage)
  if (run === undefined) throw new Error('a seat has a run')
  if (request.answer !== undefined) stage.answers.set(nonce, request.answer)
  const outcome = await seat.calls.call({ name: request.name, args: { ...request.args, nonce } })
  return { nonce, seat, name: request.name, key: request.args.key, run, above, outcome }
}

/** Arguments by index: most are sound, one in ten is not. */
const keyAt = (index: number): unknown => (index === 9 ? 7 : index > 6 ? undefined : index % 2 === 0 ? 'x' : 'y')

export interface Actor {
  readonly stage: Stage
  readonly seat: Seat
  /** Of the store. Absent: nobody breaks it. */
  readonly broken?: { is: boolean }
}

export interface Acted {
  /** Absent: the act was no call. */
  readonly made?: Made
  /** Whose definitions were given for it. Absent: none. */
  readonly given?: readonly string[]
  readonly demoted?: string
}

/** Carries out one act. */
export async function acted(act: Act, { stage, seat, broken = { is: false } }: Actor): Promise<Acted> {
  const { run } = seat.view.current()
  switch (act.kind) {
    case 'surface':
      stage.put(act.world)
      return {}
    case 'store':
      broken.is = act.broken
      return {}
    case 'call': {
      const key = keyAt(act.args)
      const answer = answerWords[act.answer]
      const args = key === undefined ? {} : { key }
      const request = { name: nameAt(act.name, run), args, ...(answer === undefined ? {} : { answer }) }
      return { made: await called(stage, seat, request) }
    }
    case 'search': {
      const tool = run.surface.decisions.find(
        ({ candidate, outcome }) => candidate.role === 'tool-search' && outcome !== 'excluded',
      )
      const names = act.names.map((name) => nameAt(name, run))
      const query = act.form === 0 ? names.join(' ') : `select:${names.join(',')}`
      const made = await called(stage, seat, { name: tool?.name ?? 'tool_search', args: { query }, answer: 'once' })
      return { made, given: namesIn(made.outcome) }
    }
    default:
      // What the store refuses gives nothing.
      return otherWay(act.kind, nameAt(act.name, run), seat).catch(() => ({}))
  }
}

/** The tools whose definitions stand in the answer of a search. */
function namesIn(outcome: CallOutcome): readonly string[] {
  const { tools } = (outcome.kind === 'result' && outcome.structuredContent) || {}
  return Array.isArray(tools) ? tools.map((tool) => String((tool as { readonly name: unknown }).name)) : []
}

async function otherWay(kind: 'load' | 'route' | 'demote', name: string, { calls, view }: Seat): Promise<Acted> {
  switch (kind) {
    case 'load':
      await calls.load([name])
      return { given: [name] }
    case 'demote':
      await calls.demote([name])
      return { demoted: name }
    case 'route': {
      const words = view
        .current()
        .run.surface.named(name)
        .map(({ candidate }) => keywordOf(candidate))
      const promoted = await calls.route([{ role: 'user', text: `please ${words.join(' ')}` }])
      return { given: promoted.map((one) => one.name) }
    }
  }
}

/** Whose promotions a seat has, as the store knows them. */
export const isKeyOf = ({ thread, depth }: Seat, { key }: StoreStep): boolean =>
  key.thread === thread && key.agent === (depth === 0 ? 'main' : `helper ${depth}`)

export const reachesOf = (made: Made, { reached }: Stage): readonly Reach[] =>
  reached.filter(({ nonce }) => nonce === made.nonce)

export function seatOf({ seat: at }: Pick<Script, 'seat'>, { seats }: Stage): Seat {
  const seat = seats[at]
  if (seat === undefined) throw new Error('there is no such seat')
  return seat
}
