// Is the surface still the one that was reviewed? Each difference has a code, so that a pipeline can tell a new
// tool from a changed definition. Schema `toolgate.drift/1`.

import type { Decision } from '../core/decision.ts'
import type { Sha256 } from '../core/json.ts'
import { originText } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import { codeUnitOrder } from './code-unit-order.ts'
import { factsFingerprint, type Lock, type LockedTool, lockOf } from './lock.ts'
import { phrases } from './phrases.ts'
import type { Run } from './run.ts'
import { type Lang, settlingStep, stepWords } from './words.ts'

/** Every way in which a surface can differ from its lock, in the order in which they are told. */
export const driftCodes = [
  'tool-gained',
  'tool-lost',
  'name-changed',
  'outcome-changed',
  'approval-changed',
  'conditions-changed',
  'definition-changed',
  'facts-changed',
] as const
export type DriftCode = (typeof driftCodes)[number]

export interface Difference {
  readonly code: DriftCode
  /** Name of the tool; absent for `facts-changed`. */
  readonly name?: string
  readonly id?: string
  /** One printable sentence, with the reason where there is one. */
  readonly message: string
}

export interface Drift {
  readonly schema: 'toolgate.drift/1'
  /** True when the surface is the locked one. Other facts alone are no drift; they are told all the same. */
  readonly same: boolean
  /** By name, then code. */
  readonly differences: readonly Difference[]
}

/** What differs between a lock and the run of now. */
export function driftOf(
  lock: Lock,
  run: Run,
  { sha256, lang }: { readonly sha256: Sha256; readonly lang: Lang },
): Drift {
  const now = new Map(lockOf(run, sha256).tools.map((tool) => [tool.id, tool]))
  const then = new Map(lock.tools.map((tool) => [tool.id, tool]))
  const decisions = new Map(run.surface.decisions.map((decision) => [decision.candidate.id, decision]))
  const differences: Difference[] = []
  for (const tool of now.values()) {
    const before = then.get(tool.id)
    if (before === undefined) differences.push(gained(tool, decisions.get(tool.id), run, lang))
    else differences.push(...changesOf(before, tool, lang))
  }
  for (const tool of then.values()) {
    if (!now.has(tool.id)) differences.push(lost(tool, decisions.get(tool.id), run, lang))
  }
  differences.sort(
    (a, b) => codeUnitOrder(a.name ?? '', b.name ?? '') || driftCodes.indexOf(a.code) - driftCodes.indexOf(b.code),
  )
  const same = differences.length === 0
  if (factsFingerprint(run.surface.facts, sha256) !== lock.facts) {
    differences.push({ code: 'facts-changed', message: phrases[lang].drift['facts-changed'] ?? 'facts-changed' })
  }
  return { schema: 'toolgate.drift/1', same, differences }
}

/** The differences as lines: code, tool, sentence. */
export function driftText(drift: Drift, lang: Lang): string {
  if (drift.differences.length === 0) return phrases[lang].noDrift
  const lines = drift.differences.map(({ code, name, message }) =>
    name === undefined ? `${code}  ${message}` : `${code}  ${printable(name, 128)}: ${message}`,
  )
  return drift.same ? [phrases[lang].noDrift, ...lines].join('\n') : lines.join('\n')
}

function gained(tool: LockedTool, decision: Decision | undefined, run: Run, lang: Lang): Difference {
  return difference('tool-gained', tool, `${phrases[lang].drift['tool-gained']}${because(decision, run, lang)}`)
}

function lost(tool: LockedTool, decision: Decision | undefined, run: Run, lang: Lang): Difference {
  const say = phrases[lang]
  const why = decision === undefined ? `: ${say.noCandidate}` : because(decision, run, lang)
  return difference('tool-lost', tool, `${say.drift['tool-lost']}${why}`)
}

function because(decision: Decision | undefined, { gates }: Run, lang: Lang): string {
  const step = decision === undefined ? undefined : settlingStep(decision)
  if (decision === undefined || step === undefined) return ''
  const place = originText(step.origin)
  const where = place === '' ? '' : ` (${printable(place, 160)})`
  return `: ${step.gate}: ${stepWords(step, decision, gates, lang).say}${where}`
}

function changesOf(before: LockedTool, now: LockedTool, lang: Lang): Difference[] {
  const say = phrases[lang]
  const found: Difference[] = []
  const told = (code: DriftCode, was: string, is: string): void => {
    found.push(difference(code, now, `${say.drift[code]}: ${printable(was, 200)} → ${printable(is, 200)}`))
  }
  if (before.name !== now.name) told('name-changed', before.name, now.name)
  if (before.outcome !== now.outcome) {
    told('outcome-changed', say.outcome[before.outcome], say.outcome[now.outcome])
  }
  if (before.approval !== now.approval) told('approval-changed', before.approval, now.approval)
  const [was, is] = [before.conditions.join(', '), now.conditions.join(', ')]
  if (was !== is) told('conditions-changed', was === '' ? say.none : was, is === '' ? say.none : is)
  if (before.definitionHash !== now.definitionHash) {
    told('definition-changed', before.definitionHash.slice(0, 12), now.definitionHash.slice(0, 12))
  }
  return found
}

const difference = (code: DriftCode, { name, id }: LockedTool, message: string): Difference => ({
  code,
  name,
  id,
  message,
})
