// Decisions in words: the sentence and the hint of a step, taken from the reason table of the gate that gave it.

import type { Decision, Step } from '../core/decision.ts'
import { type Change, type Gate, gateFailed, type ReasonTable } from '../core/gate.ts'
import { printable } from '../core/printable.ts'
import type { RunFacts } from '../core/run-facts.ts'

/** The languages that reasons and reports are written in. */
export type Lang = 'en' | 'zh'

export interface StepWords {
  /** One sentence: why. No final period. */
  readonly say: string
  /** What a person can do to alter the outcome. Absent where nothing was taken away. */
  readonly hint?: string
}

/**
 * What a step says, in words. A code that no gate at hand knows (a stored surface, another version) is its own
 * sentence; so is one whose words fail on the evidence.
 */
export function stepWords(step: Step, decision: Decision, gates: readonly Gate[], lang: Lang): StepWords {
  const reason = reasonOf(step, gates)
  if (reason === undefined) return { say: printable(step.code, wordsMax) }
  try {
    const { candidate } = decision
    const say = printable(reason.say[lang](step.evidence, candidate), wordsMax)
    if (reason.hint === undefined) return { say }
    return { say, hint: printable(reason.hint[lang](step.evidence, candidate), wordsMax) }
  } catch {
    return { say: printable(step.code, wordsMax) }
  }
}

/** The steps that would alter what this step settled, as data; `[]` where the world cannot be changed by data. */
export function stepChanges(
  step: Step,
  decision: Decision,
  gates: readonly Gate[],
  facts: RunFacts,
): readonly Change[] {
  try {
    return reasonOf(step, gates)?.change?.(step.evidence, decision.candidate, facts) ?? []
  } catch {
    return []
  }
}

/** The step that settled a decision; absent only where there was no gate at all. */
export function settlingStep(decision: Decision): Step | undefined {
  return decision.steps.findLast((step) => step.gate === decision.settledBy && step.code === decision.code)
}

/** The entry of the reason table that a step rests on. */
export function reasonOf(step: Step, gates: readonly Gate[]): ReasonTable[string] | undefined {
  if (step.code === 'gate-failed') return gateFailed
  const reasons = gates.find((gate) => gate.id === step.gate)?.reasons
  return reasons !== undefined && Object.hasOwn(reasons, step.code) ? reasons[step.code] : undefined
}

const wordsMax = 600
