// Calls on surfaces that change, with promotions that come and go, by a person's agent and by children. Everything is
// random; what must hold is worked out by rules of their own.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Decision } from '../../src/core/decision.ts'
import type { ApprovalAnswer } from '../../src/runtime/middleware.ts'
import {
  type Acted,
  acted,
  aStep,
  called,
  closeScripts,
  type Made,
  reachesOf,
  type Script,
  seatOf,
  someScripts,
} from './run-time-acts.ts'
import { exposedIn, rulesSay, wrongCode, wrongPromotions, wrongReach, wrongRecords } from './run-time-judge.ts'
import { aPlan, aPlanOfDeferred, keywordOf, type Plan } from './run-time-plans.ts'
import { openTheatre, type Seat, type Stage, type StageOptions, type Theatre } from './run-time-world.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
})
afterAll(() => theatre.close())

/** How often the worlds reach what they are about. */
const counter = () => {
  const counts = new Map<string, number>()
  return {
    add: (word: string) => void counts.set(word, (counts.get(word) ?? 0) + 1),
    of: (...words: readonly string[]) => words.map((word) => counts.get(word) ?? 0),
  }
}

const wrong = (made: readonly Made[], stage: Stage): string[] => [
  ...made.flatMap((one) => wrongReach(one, stage)),
  ...made.flatMap((one) => wrongCode(one.run, one.name, one.outcome) ?? []),
  ...wrongPromotions(stage),
  ...wrongRecords(made, stage),
  ...stage.seats.flatMap((seat) => wrongChild(seat, stage)),
]

/** A child never has more than its parent at this moment. */
function wrongChild(seat: Seat, { seats }: Stage): string[] {
  const parent = seats.find(({ thread, depth }) => thread === seat.thread && depth === seat.depth - 1)
  if (parent === undefined) return []
  const has = exposedIn(parent.view.current().run.surface)
  const more = [...exposedIn(seat.view.current().run.surface).keys()].filter((id) => !has.has(id))
  return more.map((id) => `at depth ${seat.depth} there is ${id}, which the parent does not have`)
}

/** What came of a call, with how its tool was exposed and to whom. */
const kindOf = ({ run, name, seat, outcome }: Made): string =>
  outcome.kind === 'result'
    ? `${run.surface.find(name)?.outcome} by ${seat.depth === 0 ? 'an agent' : 'a child'}`
    : outcome.code

interface Play {
  readonly plan: Plan
  readonly scripts: readonly Script[]
  readonly more: StageOptions
}

/** Everybody at once, in the order that the scheduler picks; one waits for it wherever the product waits for others. */
async function played(scheduler: fc.Scheduler, { plan, scripts, more }: Play) {
  const broken = { is: false }
  const pause = (where: string) => scheduler.schedule(Promise.resolve(), where)
  const stage = await theatre.open(plan, { pause, isBroken: () => broken.is, ...more })
  const made: Made[] = []
  const acting = scripts.map(async (script, at) => {
    const seat = seatOf(script, stage)
    for (const act of script.acts) {
      await pause(`caller ${at}`)
      const one = await acted(act, { stage, seat, broken })
      if (one.made !== undefined) made.push(one.made)
    }
  })
  await scheduler.waitFor(Promise.all(acting))
  return { made, stage }
}

const aStageOf = fc.record(
  { promotedMax: fc.constantFrom(128, 1, 2), asksLater: fc.boolean() },
  { noNullPrototype: true },
)

describe('calls by several at once, on surfaces that change [R4]', () => {
  it('reach what is theirs to reach and nothing else, and are recorded, also where the store fails now and then', async () => {
    const count = counter()
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), aPlan, someScripts, aStageOf, async (scheduler, plan, scripts, more) => {
        const { made, stage } = await played(scheduler, { plan, scripts, more })
        for (const one of made) count.add(kindOf(one))
        expect(wrong(made, stage)).toEqual([])
      }),
      { numRuns: 200 },
    )
    const usual = count.of('eager by an agent', 'eager by a child', 'not-promoted', 'unknown-tool')
    expect(Math.min(...usual)).toBeGreaterThan(20)
    expect(Math.min(...count.of('deferred by an agent', 'call-denied', 'approval-needed'))).toBeGreaterThan(0)
  })

  it('are judged by one definition each, while that of the tool changes under them', async () => {
    const count = counter()
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        aPlanOfDeferred,
        closeScripts,
        aStageOf,
        async (scheduler, plan, scripts, more) => {
          const { made, stage } = await played(scheduler, { plan, scripts, more })
          for (const one of made) count.add(kindOf(one))
          expect(wrong(made, stage)).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
    expect(Math.min(...count.of('deferred by an agent', 'not-promoted', 'approval-pending'))).toBeGreaterThan(5)
  })
})

// ── one after the other, where it can be told what must come of each ──

/** What each seat was given: names with the hash of the definition. */
type Given = ReadonlyMap<Seat, Map<string, string>>

/** What is given is noted; what an edit belies is void for good. */
function note(
  all: Given,
  { stage, seat, given = [], demoted }: Acted & { readonly stage: Stage; readonly seat: Seat },
) {
  if (demoted !== undefined) all.get(seat)?.delete(demoted)
  for (const name of given) {
    const decision = seat.view.current().run.surface.find(name)
    if (decision?.outcome === 'deferred') all.get(seat)?.set(name, decision.candidate.definitionHash)
  }
  for (const one of stage.seats) {
    const { surface } = one.view.current().run
    for (const [name, hash] of all.get(one) ?? []) {
      const decision = surface.find(name)
      if (decision?.outcome === 'deferred' && decision.candidate.definitionHash !== hash) all.get(one)?.delete(name)
    }
  }
}

/** What must come of a call of a tool that is exposed: it is reached, or a code. */
function mustCome(decision: Decision, made: Made, had: string | undefined, answer: ApprovalAnswer | undefined): string {
  const { candidate, outcome } = decision
  if (candidate.standIn === true) return 'tool-not-executable'
  if (outcome === 'deferred' && had !== candidate.definitionHash) return 'not-promoted'
  if (made.key !== undefined && typeof made.key !== 'string') return 'arguments-invalid'
  const says = rulesSay(made.run.surface.facts, candidate, made.key)
  if (says === 'deny' || (says === 'ask' && answer === 'deny')) return 'call-denied'
  if (says === 'ask' && answer !== true && answer !== 'once' && answer !== 'always') return 'approval-needed'
  // Nobody of that name can be started here.
  return candidate.protocol === 'acp' ? 'failed' : 'reached'
}

function whatCame(made: Made, stage: Stage): string {
  const { outcome } = made
  if (reachesOf(made, stage).length > 0) return 'reached'
  return outcome.kind === 'refused' ? outcome.code : outcome.kind
}

/** A limit of tools would put promotions away; another property looks at that. */
const roomy = (plan: Plan): Plan => ({
  ...plan,
  worlds: plan.worlds.map((world) => {
    const { toolsMax: _, ...target } = world.facts.target
    return { ...world, facts: { ...world.facts, target } }
  }),
})

describe('calls one after the other [R4]', () => {
  it('come to exactly what surface, rules, approvals and promotions say', async () => {
    const count = counter()
    const steps = fc.array(aStep, { minLength: 4, maxLength: 20, size: 'max' })
    await fc.assert(
      fc.asyncProperty(aPlan.map(roomy), steps, async (plan, list) => {
        const stage = await theatre.open(plan)
        const given: Given = new Map(stage.seats.map((seat) => [seat, new Map<string, string>()]))
        const all: Made[] = []
        for (const { seat: at, act } of list) {
          const seat = seatOf({ seat: at }, stage)
          const before = new Map(given.get(seat))
          const { made, ...change } = await acted(act, { stage, seat })
          note(given, { stage, seat, ...change })
          expect(stage.seats.flatMap((one) => wrongChild(one, stage))).toEqual([])
          if (made === undefined) continue
          all.push(made)
          const decision = made.run.surface.find(made.name)
          const came = whatCame(made, stage)
          if (decision !== undefined) {
            const must = mustCome(decision, made, before.get(made.name), stage.answers.get(made.nonce))
            expect(`${made.name}: ${came}`).toBe(`${made.name}: ${must}`)
            count.add(`${decision.outcome} ${must}`)
          } else expect(came, made.name).not.toBe('reached')
        }
        expect(wrong(all, stage)).toEqual([])
      }),
      { numRuns: 200 },
    )
    expect(Math.min(...count.of('eager reached', 'deferred reached', 'deferred not-promoted'))).toBeGreaterThan(10)
    expect(Math.min(...count.of('eager call-denied', 'eager approval-needed'))).toBeGreaterThan(0)
  })

  it('of a deferred tool open the definition that was given, to whom it was given, and no other', async () => {
    const ways = ['search', 'load', 'route'] as const
    const course = fc.record({
      seat: fc.nat(5),
      tool: fc.nat(9),
      first: fc.constantFrom(...ways),
      again: fc.constantFrom(...ways),
      /** Whether anybody calls while the other definition is in force. */
      isNoticed: fc.boolean(),
    })
    let opened = 0
    await fc.assert(
      fc.asyncProperty(aPlanOfDeferred, course, async (plan, { seat: at, tool, first, again, isNoticed }) => {
        const stage = await theatre.open(plan)
        const seat = seatOf({ seat: at }, stage)
        const deferred = seat.view.current().run.surface.withOutcome('deferred')
        const decision = deferred[tool % Math.max(1, deferred.length)]
        if (decision === undefined) return
        const { name, candidate } = decision
        const came = async (who: Seat): Promise<string> => whatCame(await called(stage, who, { name, args: {} }), stage)
        const give = (way: (typeof ways)[number]) => given(way, { name, keyword: keywordOf(candidate) }, seat)

        expect(await came(seat)).toBe('not-promoted')
        await give(first)
        expect(await came(seat)).toBe('reached')
        for (const other of stage.seats) if (other !== seat) expect(await came(other)).toBe('not-promoted')

        stage.put(1)
        const isSame = seat.view.current().run.surface.find(name)?.candidate.definitionHash === candidate.definitionHash
        if (isNoticed) expect(await came(seat)).toBe(isSame ? 'reached' : 'not-promoted')
        stage.put(0)
        expect(await came(seat)).toBe(isSame ? 'reached' : 'not-promoted')
        await give(again)
        expect(await came(seat)).toBe('reached')
        stage.put(2)
        expect(await came(seat)).toBe(isSame ? 'reached' : 'not-promoted')
        if (!isSame) opened += 1
      }),
      { numRuns: 100 },
    )
    expect(opened).toBeGreaterThan(20)
  })
})

/** Gives a seat the definition of a tool, as a model, a person or a message does. */
async function given(
  way: 'search' | 'load' | 'route',
  { name, keyword }: { readonly name: string; readonly keyword: string },
  { calls }: Seat,
): Promise<void> {
  if (way === 'load') await calls.load([name])
  else if (way === 'route') await calls.route([{ role: 'user', text: `please ${keyword}` }])
  else await calls.call({ name: 'tool_search', args: { query: `select:${name}`, nonce: 0 } })
}
