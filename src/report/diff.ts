// What differs between two surfaces, with the reason on each side. It works on two `toolgate.tools/1` documents, so
// a run of today and a stored one are compared in the same way. Schema `toolgate.diff/1`.

import type { Outcome } from '../core/decision.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import type { DecisionReport, OutcomeCounts, ToolsReport } from './tools-report.ts'
import { withoutOrigins } from './without-origins.ts'

/** What a tool is on one side. */
export interface DiffState {
  readonly name: string
  readonly outcome: Outcome
  readonly settledBy: string
  readonly code: string
  readonly why: string
  /** Where the settling rule or value stands. */
  readonly origin?: Origin
  readonly approval: 'free' | 'ask'
  readonly conditions: readonly string[]
  readonly definitionHash: string
}

/**
 * reason: settled elsewhere, or by another code. definition: its owner changed it. adaptation: the target gets
 * another form of the same definition.
 */
export type DiffReason = 'outcome' | 'name' | 'approval' | 'conditions' | 'definition' | 'adaptation' | 'reason'

export interface DiffChange {
  readonly id: string
  /** The name on the second side. */
  readonly name: string
  readonly before: DiffState
  readonly after: DiffState
  readonly reasons: readonly DiffReason[]
}

export interface DiffEntry extends DiffState {
  readonly id: string
}

export interface DiffSide {
  readonly surface: string
  readonly preset: string
  readonly agent: string
  readonly model: string
  readonly target: string
  readonly totals: OutcomeCounts
}

export interface SurfaceDiff {
  readonly schema: 'toolgate.diff/1'
  /** True when both surfaces have the same hash. */
  readonly same: boolean
  readonly before: DiffSide
  readonly after: DiffSide
  /** Parts of the facts that differ, places aside. */
  readonly facts: readonly string[]
  /** Candidates that only the second side has, exposed or not. */
  readonly added: readonly DiffEntry[]
  /** Candidates that only the first side has. */
  readonly removed: readonly DiffEntry[]
  readonly changed: readonly DiffChange[]
  /** Candidates that are the same on both sides. */
  readonly unchanged: number
}

/** The difference of two documents; candidates are matched by identity, the order is that of their sources. */
export function diffSurfaces(before: ToolsReport, after: ToolsReport): SurfaceDiff {
  const earlier = new Map(before.decisions.map((decision) => [decision.id, decision]))
  const later = new Set(after.decisions.map((decision) => decision.id))
  const added: DiffEntry[] = []
  const changed: DiffChange[] = []
  let unchanged = 0
  for (const decision of after.decisions) {
    const old = earlier.get(decision.id)
    if (old === undefined) {
      added.push({ id: decision.id, ...stateOf(decision) })
      continue
    }
    const reasons = reasonsOf(old, decision)
    if (reasons.length === 0) unchanged++
    else {
      const { id, name } = decision
      changed.push({ id, name, before: stateOf(old), after: stateOf(decision), reasons })
    }
  }
  return {
    schema: 'toolgate.diff/1',
    same: before.surface === after.surface,
    before: sideOf(before),
    after: sideOf(after),
    facts: factsThatDiffer(before, after),
    added,
    removed: before.decisions
      .filter((decision) => !later.has(decision.id))
      .map((decision) => ({ id: decision.id, ...stateOf(decision) })),
    changed,
    unchanged,
  }
}

function reasonsOf(before: DecisionReport, after: DecisionReport): readonly DiffReason[] {
  const reasons: DiffReason[] = []
  if (before.outcome !== after.outcome) reasons.push('outcome')
  if (before.name !== after.name) reasons.push('name')
  if (before.approval !== after.approval) reasons.push('approval')
  if (canonicalJson(before.conditions) !== canonicalJson(after.conditions)) reasons.push('conditions')
  if (before.definitionHash !== after.definitionHash) reasons.push('definition')
  else if (before.adapted !== after.adapted || before.definitionChars !== after.definitionChars) {
    if (before.name === after.name) reasons.push('adaptation')
  }
  if (before.settledBy !== after.settledBy || before.code !== after.code) reasons.push('reason')
  return reasons
}

function stateOf(decision: DecisionReport): DiffState {
  const { name, outcome, settledBy, code, why, approval, conditions, definitionHash, steps } = decision
  const origin = steps.findLast((step) => step.gate === settledBy && step.code === code)?.origin
  const place = origin === undefined ? {} : { origin }
  return { name, outcome, settledBy, code, why, ...place, approval, conditions, definitionHash }
}

function sideOf({ surface, preset, facts, totals }: ToolsReport): DiffSide {
  const { candidates, eager, deferred, excluded } = totals
  return {
    surface,
    preset,
    agent: facts.agent.name,
    model: facts.model.name,
    target: facts.target.name,
    totals: { candidates, eager, deferred, excluded },
  }
}

function factsThatDiffer(before: ToolsReport, after: ToolsReport): readonly string[] {
  const one = bare(before)
  const other = bare(after)
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  return keys.filter((key) => canonicalJson(one[key]) !== canonicalJson(other[key]))
}

const bare = (report: ToolsReport): { readonly [key: string]: Json | undefined } =>
  withoutOrigins(report.facts as unknown as Json) as { readonly [key: string]: Json | undefined }
