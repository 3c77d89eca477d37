// The one decision function: two nested loops. Each gate is opened on who still stands, judges each of them,
// and an excluding verdict ends that candidate's walk. A gate that throws excludes, and says so.

import type { Candidate } from './candidate.ts'
import type { Decision, Step } from './decision.ts'
import {
  type Amends,
  type Gate,
  gateFailed,
  type Judge,
  type ReservedName,
  type Standing,
  type Verdict,
} from './gate.ts'
import { canonicalJson, type Sha256 } from './json.ts'
import type { RunFacts } from './run-facts.ts'
import { makeSurface, type Surface } from './surface.ts'

export interface AssembleOptions {
  readonly sha256: Sha256
}

interface Walk {
  readonly candidate: Candidate
  readonly position: number
  readonly steps: Step[]
  amends: Amends
  excluded: boolean
}

/**
 * Facts, candidates (in the order of sources) and gates in; a frozen surface with one decision for every
 * candidate out. Pure: the same input gives the same bytes, and no input is changed.
 */
export function assemble(
  facts: RunFacts,
  candidates: readonly Candidate[],
  gates: readonly Gate[],
  options: AssembleOptions,
): Surface {
  const walks = candidates.map(
    (candidate, position): Walk => ({ candidate, position, steps: [], amends: noAmends, excluded: false }),
  )
  const door = doorOf(candidates)
  let standing: readonly Walk[] = walks
  for (const gate of gates) {
    const left = walkedThrough(gate, facts, standing, door)
    if (left !== standing) door.asked = left.map((walk) => walk.candidate)
    standing = left
  }

  const decisions = Object.freeze(walks.map((walk) => settled(walk)))
  return makeSurface({
    facts,
    gates: Object.freeze(gates.map((gate) => gate.id)),
    decisions,
    hash: options.sha256(fingerprint(facts, decisions)),
  })
}

/** What the gates behind need to know of those before: who was renamed or rewritten, and which names are kept. */
interface Door {
  /** Those who still stand, as gates see them. */
  asked: readonly Candidate[]
  readonly fitted: Map<Candidate, Amends>
  readonly reserved: ReservedName[]
  readonly positionOf: (candidate: Candidate) => number
}

function doorOf(candidates: readonly Candidate[]): Door {
  // Most runs reserve no name, and a map of ten thousand is not free.
  let positions: Map<Candidate, number> | undefined
  return {
    asked: candidates,
    fitted: new Map(),
    reserved: [],
    positionOf: (candidate) => {
      positions ??= new Map(candidates.map((one, position) => [one, position]))
      return positions.get(candidate) ?? 0
    },
  }
}

/** Asks one gate about everybody who stands; gives back who still stands, and adds a step to each walk. */
function walkedThrough(gate: Gate, facts: RunFacts, standing: readonly Walk[], door: Door): readonly Walk[] {
  const { fitted, reserved, positionOf } = door
  const judge = opened(gate, facts, {
    candidates: door.asked,
    reserved: [...reserved],
    nameOf: (candidate) => fitted.get(candidate)?.name ?? candidate.name,
    charsOf: (candidate) => fitted.get(candidate)?.definitionChars ?? candidate.definitionChars,
  })
  const stepOf = stepsOf(gate.id)
  /** Made when the first one falls; until then it is the same list. */
  let left: Walk[] | undefined
  let index = -1
  for (const walk of standing) {
    index++
    const { candidate } = walk
    const verdict = judge(candidate)
    walk.steps.push(stepOf(verdict))
    if (verdict.effect !== 'exclude') {
      left?.push(walk)
      if (verdict.amends === undefined) continue
      walk.amends = merged(walk.amends, verdict.amends)
      if (walk.amends.name !== undefined || walk.amends.definitionChars !== undefined)
        fitted.set(candidate, walk.amends)
      continue
    }
    left ??= standing.slice(0, index)
    walk.excluded = true
    if (gate.reasons[verdict.code]?.reserves === true) {
      const { position } = walk
      const isBefore = (other: Candidate): boolean => position < positionOf(other)
      const name = walk.amends.name ?? candidate.name
      reserved.push({ name, id: candidate.id, gate: gate.id, code: verdict.code, isBefore })
    }
  }
  return left ?? standing
}

const noAmends: Amends = Object.freeze({})

/** INVARIANT: nothing a gate does wrong lets a tool through, or stops another gate or candidate. */
function opened(gate: Gate, facts: RunFacts, standing: Standing): Judge {
  let judge: Judge
  try {
    judge = gate.open(facts, standing)
  } catch (error) {
    const verdict = failure(error)
    return () => verdict
  }
  const effects = new Map(Object.entries(gate.reasons).map(([code, reason]) => [code, reason.effect]))
  /** Most verdicts are shared; one that has been looked at is not looked at again. */
  let sound: Verdict | undefined
  return (candidate) => {
    try {
      const verdict = judge(candidate)
      if (verdict !== undefined && verdict === sound) return verdict
      const effect = effects.get(verdict?.code)
      if (effect === undefined) return failure('it gave no verdict')
      if (effect !== verdict.effect) return failure('its verdict has another effect than its table')
      sound = verdict
      return verdict
    } catch (error) {
      return failure(error)
    }
  }
}

/**
 * A verdict that `because` made is its own step. One of other making becomes a step of this gate, whatever it says,
 * and candidates that share the verdict share the step.
 */
function stepsOf(gate: string): (verdict: Verdict) => Step {
  const made = new Map<Verdict, Step>()
  return (verdict) => {
    if (verdict.gate === gate && Object.isFrozen(verdict)) return verdict as Step
    let step = made.get(verdict)
    if (step === undefined) {
      step = Object.freeze({ ...verdict, gate })
      made.set(verdict, step)
    }
    return step
  }
}

function failure(error: unknown): Verdict {
  const text = error instanceof Error ? error.message : String(error)
  return Object.freeze({ code: 'gate-failed', effect: gateFailed.effect, evidence: { error: text.slice(0, 200) } })
}

function merged(before: Amends, now: Amends): Amends {
  if (before === noAmends) return now
  const conditions = [...(before.conditions ?? []), ...(now.conditions ?? [])]
  return { ...before, ...now, ...(conditions.length > 0 ? { conditions } : {}) }
}

function settled(walk: Walk): Decision {
  const { candidate, amends } = walk
  const settling = settlingStep(walk)
  return Object.freeze({
    candidate,
    name: amends.name ?? candidate.name,
    outcome: walk.excluded ? 'excluded' : settling?.effect === 'defer' ? 'deferred' : 'eager',
    settledBy: settling?.gate ?? 'no-gate',
    code: settling?.code ?? 'no-gate',
    steps: Object.freeze(walk.steps),
    approval: amends.approval ?? 'free',
    conditions: Object.freeze(amends.conditions ?? []),
    definition: amends.definition ?? candidate.definition,
    definitionChars: amends.definitionChars ?? candidate.definitionChars,
  })
}

/** The exclusion; else the deferral; else the last that admitted; else the last that had nothing to say. */
function settlingStep(walk: Walk): Step | undefined {
  const { steps } = walk
  if (walk.excluded) return steps.at(-1)
  return (
    steps.find((step) => step.effect === 'defer') ?? steps.findLast((step) => step.effect === 'admit') ?? steps.at(-1)
  )
}

/**
 * The target (definitions are adapted to it), then the words of each decision. Every word stands behind its length,
 * so that no name can be read as another word.
 */
function fingerprint(facts: RunFacts, decisions: readonly Decision[]): string {
  let words = canonicalJson({ ...facts.target, origin: undefined })
  for (const { candidate, name, outcome, approval, settledBy, code, conditions } of decisions) {
    const { id, definitionHash } = candidate
    words += `\n${id.length}:${id}${name.length}:${name}${definitionHash}${outcome}${approval}${settledBy.length}:${settledBy}${code.length}:${code}`
    for (const { effect, text } of conditions) words += `${effect}${text.length}:${text}`
  }
  return words
}
