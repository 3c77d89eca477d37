// What every gate must hold, as named checks that any test runner can run:
//
//   for (const check of describeGate(myGate, { worlds })) test(check.name, check.run)
//
// A check that fails throws an error that says what is wrong.

import { assemble } from '../core/assemble.ts'
import type { Candidate } from '../core/candidate.ts'
import type { Decision, Step } from '../core/decision.ts'
import type { Evidence, Gate, Standing, Verdict } from '../core/gate.ts'
import { canonicalJson, deepFreeze, type Json } from '../core/json.ts'
import { applyChanges, type World } from '../gates/apply-changes.ts'
import { hostileCandidates, sha256, smallWorlds, someFacts } from './world.ts'

/** A world that shows something of a gate. Together, the worlds of a gate reach each of its codes. */
export interface GateWorld extends World {
  /** Gates that run before, for codes that rest on what they left. Absent: none. */
  readonly before?: readonly Gate[]
}

export interface GateCheck {
  readonly name: string
  /** Throws when the gate does not hold it. */
  readonly run: () => void
}

export interface DescribeGateOptions {
  /** Absent: only the built-in small worlds, which reach few codes of a gate that they do not know. */
  readonly worlds?: readonly GateWorld[]
}

/** A gate and its example worlds in, the checks out. Nothing runs before a check is run. */
export function describeGate(gate: Gate, options: DescribeGateOptions = {}): readonly GateCheck[] {
  const examples = options.worlds ?? []
  const worlds: readonly GateWorld[] = [...examples, ...smallWorlds()]
  const check = (name: string, run: () => void): GateCheck => ({ name: `${gate.id}: ${name}`, run })
  return [
    check('has a kebab-case id and asks one question in both languages', () => asksWell(gate)),
    check('has kebab-case codes, with a hint where a tool is left out or comes later', () => tableIsWhole(gate)),
    check('speaks one plain sentence for each verdict, in both languages', () => speaksWell(gate, worlds)),
    check('stays on one line whatever strangers write', () => staysOnOneLine(gate)),
    check('does not change its input', () => leavesInputAlone(gate, worlds)),
    check('gives the same bytes for the same input', () => repeatsItself(gate, worlds)),
    check('judges hostile candidates without failing', () => survives(gate)),
    check('judges each candidate alike in whatever order they are asked', () => ignoresAskingOrder(gate, worlds)),
    check('gives evidence that is plain JSON', () => givesPlainEvidence(gate, worlds)),
    check('reaches each of its codes in some example', () => reachesEveryCode(gate, examples)),
    check('names changes that alter the outcome', () => changesHelp(gate, worlds)),
  ]
}

interface Seen {
  readonly world: GateWorld
  readonly decision: Decision
  readonly step: Step
}

/** Every verdict the gate gives in the worlds. */
function seenIn(gate: Gate, worlds: readonly GateWorld[]): readonly Seen[] {
  return worlds.flatMap((world) =>
    run(gate, world).flatMap((decision) => {
      const step = decision.steps.at(-1)
      return step === undefined || decision.steps.length !== (world.before ?? []).length + 1
        ? []
        : [{ world, decision, step }]
    }),
  )
}

const run = (gate: Gate, { facts, candidates, before = [] }: GateWorld): readonly Decision[] =>
  assemble(facts, candidates, [...before, gate], { sha256 }).decisions

function must(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem)
}

const kebab = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

function asksWell({ id, asks }: Gate): void {
  must(kebab.test(id), `the id "${id}" is not kebab-case`)
  must(asks.en.endsWith('?') && !lineBreaks.test(asks.en), `not one question: ${asks.en}`)
  must(asks.zh.endsWith('？') && !lineBreaks.test(asks.zh), `not one question: ${asks.zh}`)
}

function tableIsWhole({ reasons }: Gate): void {
  const entries = Object.entries(reasons)
  must(entries.length > 0, 'the gate has no codes')
  for (const [code, { effect, hint }] of entries) {
    must(kebab.test(code), `the code "${code}" is not kebab-case`)
    must(hint !== undefined || (effect !== 'exclude' && effect !== 'defer'), `the code "${code}" has no hint`)
  }
}

const lineBreaks = /[\n\r\u0085\u2028\u2029]/
const finalStop = /[.。!！?？;；,，\s]$/u
const secondSentence = /[.!?]\s+\p{Lu}|[。！？]/u

/** All that a verdict says to people, in both languages. */
function textsOf(gate: Gate, { code, evidence }: Verdict, candidate: Candidate): readonly string[] {
  const reason = gate.reasons[code]
  must(reason !== undefined, `the code "${code}" is not in the table`)
  const spoken = [reason.say, ...(reason.hint === undefined ? [] : [reason.hint])]
  return spoken.flatMap((words) => [words.en(evidence, candidate), words.zh(evidence, candidate)])
}

function speaksWell(gate: Gate, worlds: readonly GateWorld[]): void {
  for (const { step, decision } of seenIn(gate, worlds)) {
    for (const text of textsOf(gate, step, decision.candidate)) {
      must(text !== '' && !lineBreaks.test(text), `"${step.code}" does not say one line: ${JSON.stringify(text)}`)
      must(!finalStop.test(text), `"${step.code}" ends with punctuation: ${text}`)
      must(!secondSentence.test(text), `"${step.code}" says more than one sentence: ${text}`)
      must(!/undefined|NaN|\[object/.test(text), `"${step.code}" speaks of a value that is not there: ${text}`)
    }
  }
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
/** Longest sentence: names are cut, lists are cut, so nothing comes near it. */
const sentenceMax = 1200

function staysOnOneLine(gate: Gate): void {
  for (const { step, decision } of seenIn(gate, hostileWorlds())) {
    for (const text of textsOf(gate, step, decision.candidate)) {
      must(!unprintable.test(text), `"${step.code}" lets unprintable text through: ${JSON.stringify(text)}`)
      must(text.length <= sentenceMax, `"${step.code}" says ${text.length} characters`)
    }
  }
}

/** Each hostile candidate under each switch of the small worlds. */
const hostileWorlds = (): readonly GateWorld[] => {
  const candidates = hostileCandidates()
  return [...smallWorlds().map(({ facts }) => ({ facts, candidates })), { facts: someFacts(), candidates }]
}

function leavesInputAlone(gate: Gate, worlds: readonly GateWorld[]): void {
  for (const world of worlds) {
    const before = bytes({ facts: world.facts, candidates: world.candidates })
    deepFreeze(world.facts)
    deepFreeze(world.candidates)
    mustNotFail(run(gate, world), gate)
    must(bytes({ facts: world.facts, candidates: world.candidates }) === before, 'the input was changed')
  }
}

const bytes = (value: unknown): string => canonicalJson(value as Json)

function repeatsItself(gate: Gate, worlds: readonly GateWorld[]): void {
  for (const world of worlds) {
    const { facts, candidates } = world
    const copy = { ...world, ...structuredClone({ facts, candidates }) }
    must(bytes(run(gate, world)) === bytes(run(gate, copy)), 'the same input gave two answers')
  }
}

function survives(gate: Gate): void {
  for (const world of hostileWorlds()) mustNotFail(run(gate, world), gate)
}

function mustNotFail(decisions: readonly Decision[], gate: Gate): void {
  for (const { candidate, steps } of decisions) {
    const failed = steps.find((step) => step.gate === gate.id && step.code === 'gate-failed')
    must(failed === undefined, `it failed on ${JSON.stringify(candidate.id.slice(0, 80))}: ${failed?.evidence.error}`)
  }
}

function ignoresAskingOrder(gate: Gate, worlds: readonly GateWorld[]): void {
  for (const world of worlds) {
    let seen: Standing | undefined
    const probe: Gate = {
      ...gate,
      open: (facts, standing) => {
        seen = standing
        return gate.open(facts, standing)
      },
    }
    run(probe, world)
    must(seen !== undefined, 'the gate was never opened')
    const { candidates } = seen
    const forward = judged(gate, world, seen, candidates)
    const backward = judged(gate, world, seen, candidates.toReversed())
    for (const candidate of candidates) {
      must(
        bytes(forward.get(candidate)) === bytes(backward.get(candidate)),
        `${candidate.id} is judged differently when it is asked in another order`,
      )
    }
  }
}

function judged(
  gate: Gate,
  { facts }: World,
  standing: Standing,
  asked: readonly Candidate[],
): Map<Candidate, Verdict> {
  const judge = gate.open(facts, standing)
  return new Map(asked.map((candidate) => [candidate, judge(candidate)]))
}

function givesPlainEvidence(gate: Gate, worlds: readonly GateWorld[]): void {
  for (const { step } of seenIn(gate, [...worlds, ...hostileWorlds()])) {
    must(isPlain(step.evidence), `the evidence of "${step.code}" is not plain JSON`)
    must(gate.reasons[step.code]?.effect === step.effect, `"${step.code}" does not have the effect of its table`)
  }
}

function isPlain(value: Evidence | Json | undefined): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || value === undefined) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(isPlain)
  const kind: unknown = Object.getPrototypeOf(value)
  return (kind === Object.prototype || kind === null) && Object.values(value).every(isPlain)
}

function reachesEveryCode(gate: Gate, examples: readonly GateWorld[]): void {
  const reached = new Set(seenIn(gate, examples).map(({ step }) => step.code))
  const missing = Object.keys(gate.reasons).filter((code) => !reached.has(code))
  must(missing.length === 0, `no example reaches ${missing.join(', ')}`)
}

function changesHelp(gate: Gate, worlds: readonly GateWorld[]): void {
  for (const { world, decision, step } of seenIn(gate, worlds)) {
    const { candidate, outcome } = decision
    const changes = gate.reasons[step.code]?.change?.(step.evidence, candidate, world.facts) ?? []
    if (changes.length === 0) continue
    const changed = { ...world, ...applyChanges(world, candidate.id, changes) }
    const after = run(gate, changed).find((other) => other.candidate.id === candidate.id)
    must(
      after !== undefined && after.outcome !== outcome,
      `after the change that "${step.code}" names for ${candidate.id}, it is still ${outcome} (${after?.code})`,
    )
  }
}
