// What a run must have and must not have, checked before the first model call: a missing tool is told with its
// reason, so that a pipeline knows missing, denied and failed apart.

import type { Decision } from '../core/decision.ts'
import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { finding } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { compileRules } from '../permissions/compile-rules.ts'
import type { Run } from './run.ts'
import { settlingStep, stepWords } from './words.ts'

/** A rule, and where it was written. */
export interface Requirement {
  readonly text: string
  readonly origin: Origin
}

export interface Requirements {
  /** Read exactly, as everything that grants: a look-alike does not fulfil it. */
  readonly require: readonly Requirement[]
  /** Read widely, as everything that denies. */
  readonly forbid: readonly Requirement[]
}

/** An error for each rule that is not fulfilled, and for each that cannot be read. */
export function requirementFindings(run: Run, { require, forbid }: Requirements): readonly Finding[] {
  return [
    ...require.flatMap((requirement) => requireFinding(requirement, run)),
    ...forbid.flatMap((requirement) => forbidFinding(requirement, run)),
  ]
}

function requireFinding({ text, origin }: Requirement, run: Run): readonly Finding[] {
  const matcher = compileRules([{ text }], 'exact')
  const [faulty] = matcher.faults
  const subject = printable(text, 80)
  if (faulty !== undefined) {
    const { code, message, hint } = faulty.fault
    return [finding(code, 'error', message, { subject, hint, origin })]
  }
  const { decisions } = run.surface
  const meant = decisions.filter(({ candidate }) => matcher.match(candidate).length > 0)
  if (meant.some(({ outcome }) => outcome !== 'excluded')) return []
  const [first] = meant.length > 0 ? meant : run.surface.named(text)
  const why = first === undefined ? 'nothing offers it' : reasonOf(first, run)
  const near =
    first === undefined
      ? nearest(
          text,
          decisions.map(({ name }) => name),
        )
      : []
  const hint =
    near.length > 0
      ? `nearest: ${near.map((name) => `"${printable(name, 80)}"`).join(', ')}`
      : first === undefined
        ? 'configure what offers it, or drop the requirement'
        : `see toolgate why ${printable(first.name, 80)}`
  return [
    finding('requirement-missing', 'error', `required "${subject}" is not on the surface: ${why}`, {
      subject,
      hint,
      origin,
    }),
  ]
}

function forbidFinding({ text, origin }: Requirement, run: Run): readonly Finding[] {
  const matcher = compileRules([{ text }], 'wide')
  const [faulty] = matcher.faults
  const subject = printable(text, 80)
  if (faulty !== undefined) {
    const { code, message, hint } = faulty.fault
    return [finding(code, 'error', message, { subject, hint, origin })]
  }
  const there = run.surface.decisions.filter(
    ({ outcome, candidate }) => outcome !== 'excluded' && matcher.match(candidate).length > 0,
  )
  if (there.length === 0) return []
  const shown = there.slice(0, 5).map(({ name }) => printable(name, 128))
  const more = there.length > shown.length ? ` and ${there.length - shown.length} more` : ''
  return [
    finding('requirement-forbidden', 'error', `forbidden "${subject}" is on the surface: ${shown.join(', ')}${more}`, {
      subject,
      hint: `add "${subject}" to permissions.deny, or drop the requirement`,
      origin,
    }),
  ]
}

function reasonOf(decision: Decision, { gates }: Run): string {
  const step = settlingStep(decision)
  return step === undefined ? decision.code : `${step.gate}: ${stepWords(step, decision, gates, 'en').say}`
}
