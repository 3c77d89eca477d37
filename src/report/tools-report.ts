// The whole answer as one JSON document: every candidate with its decision, in words, and the sums. The table, the
// diff, stored surfaces and the inspector all read this one form. Schema `toolgate.tools/1`; keys are only added.

import type { Availability, SourceKind } from '../core/candidate.ts'
import type { Decision, Outcome } from '../core/decision.ts'
import type { Finding } from '../core/finding.ts'
import type { Effect, Evidence, Gate } from '../core/gate.ts'
import type { Origin } from '../core/origin.ts'
import { printable } from '../core/printable.ts'
import type { RunFacts } from '../core/run-facts.ts'
import type { Run, ServerState } from './run.ts'
import { type CountTokens, type TokenCosts, tokenCosts, toolTokens } from './tokens.ts'
import { type Lang, settlingStep, stepWords } from './words.ts'

export interface StepReport {
  readonly gate: string
  readonly effect: Effect
  readonly code: string
  readonly evidence: Evidence
  /** The step in one sentence. */
  readonly say: string
  readonly origin?: Origin
}

export interface DecisionReport {
  /** What the model sees and calls. */
  readonly name: string
  readonly id: string
  readonly source: SourceKind
  readonly server?: string
  readonly originalName: string
  readonly declaredName?: string
  readonly group?: string
  readonly standIn?: boolean
  readonly availability: Availability['state']
  readonly outcome: Outcome
  readonly settledBy: string
  readonly code: string
  /** The settling step in one sentence. */
  readonly why: string
  readonly hint?: string
  readonly approval: 'free' | 'ask'
  /** Rules with conditions on arguments, as `deny TEXT`. */
  readonly conditions: readonly string[]
  readonly steps: readonly StepReport[]
  /** Where the tool itself comes from. */
  readonly origin: Origin
  readonly tokens: number
  /** Length of the definition as the model gets it. */
  readonly definitionChars: number
  /** SHA-256 of the definition as its owner gave it. */
  readonly definitionHash: string
  /** True when the target gets another definition than the owner gave. */
  readonly adapted: boolean
}

export interface OutcomeCounts {
  readonly candidates: number
  readonly eager: number
  readonly deferred: number
  readonly excluded: number
}

export interface ToolsTotals extends OutcomeCounts {
  /** Excluded tools by gate and code; the numbers add up to `excluded`. */
  readonly byGate: { readonly [gate: string]: { readonly [code: string]: number } }
  readonly bySource: { readonly [source: string]: OutcomeCounts }
  readonly byServer: { readonly [server: string]: OutcomeCounts }
  readonly tokens: TokenCosts
  /** False when the tokens were counted by a tokenizer. */
  readonly estimated: boolean
}

export interface ToolsReport {
  readonly schema: 'toolgate.tools/1'
  readonly preset: string
  /** Ids of the gates, in order. */
  readonly gates: readonly string[]
  /** Hash of the surface: equal hash, equal decisions. */
  readonly surface: string
  readonly facts: RunFacts
  readonly totals: ToolsTotals
  readonly servers: readonly ServerState[]
  readonly findings: readonly Finding[]
  /** In the order of sources. */
  readonly decisions: readonly DecisionReport[]
}

export interface ReportOptions {
  readonly lang: Lang
  /** An exact counter. Absent: tokens are estimated from characters. */
  readonly count?: CountTokens
}

/** The document for a run. Same run, same language: same bytes. */
export function toolsReport(run: Run, { lang, count }: ReportOptions): ToolsReport {
  const { surface } = run
  return {
    schema: 'toolgate.tools/1',
    preset: run.preset,
    gates: surface.gates,
    surface: surface.hash,
    facts: surface.facts,
    totals: {
      ...surface.totals,
      byGate: exclusionsByGate(surface.decisions),
      bySource: countsBy(surface.decisions, (decision) => decision.candidate.source),
      byServer: countsBy(surface.decisions, (decision) => decision.candidate.server),
      tokens: tokenCosts(surface, count),
      estimated: count === undefined,
    },
    servers: run.servers,
    findings: run.findings,
    decisions: surface.decisions.map((decision) => decisionReport(decision, run.gates, { lang, count })),
  }
}

/** One decision in words and figures. */
export function decisionReport(
  decision: Decision,
  gates: readonly Gate[],
  { lang, count }: { readonly lang: Lang; readonly count?: CountTokens | undefined },
): DecisionReport {
  const { candidate } = decision
  const settling = settlingStep(decision)
  const words = settling === undefined ? { say: decision.code } : stepWords(settling, decision, gates, lang)
  return {
    name: decision.name,
    id: candidate.id,
    source: candidate.source,
    ...(candidate.server === undefined ? {} : { server: candidate.server }),
    originalName: candidate.originalName,
    ...(candidate.declaredName === undefined ? {} : { declaredName: candidate.declaredName }),
    ...(candidate.group === undefined ? {} : { group: candidate.group }),
    ...(candidate.standIn === true ? { standIn: true } : {}),
    availability: candidate.availability.state,
    outcome: decision.outcome,
    settledBy: decision.settledBy,
    code: decision.code,
    why: words.say,
    ...(words.hint === undefined ? {} : { hint: words.hint }),
    approval: decision.approval,
    conditions: decision.conditions.map((rule) => `${rule.effect} ${printable(rule.text, 400)}`),
    steps: decision.steps.map((step) => ({
      gate: step.gate,
      effect: step.effect,
      code: step.code,
      evidence: step.evidence,
      say: stepWords(step, decision, gates, lang).say,
      ...(step.origin === undefined ? {} : { origin: step.origin }),
    })),
    origin: candidate.origin,
    tokens: toolTokens(decision, count),
    definitionChars: decision.definitionChars,
    definitionHash: candidate.definitionHash,
    adapted: decision.definition !== candidate.definition,
  }
}

/** How many tools each gate took away, by code; gates in the order in which they first did. */
export function exclusionsByGate(decisions: readonly Decision[]): ToolsTotals['byGate'] {
  const gates = new Map<string, Map<string, number>>()
  for (const { outcome, settledBy, code } of decisions) {
    if (outcome !== 'excluded') continue
    const codes = gates.get(settledBy) ?? new Map<string, number>()
    gates.set(settledBy, codes.set(code, (codes.get(code) ?? 0) + 1))
  }
  return Object.fromEntries([...gates].map(([gate, codes]) => [gate, Object.fromEntries(codes)]))
}

/** Outcomes counted under a key of each decision; decisions without the key are not counted. */
export function countsBy(
  decisions: readonly Decision[],
  keyOf: (decision: Decision) => string | undefined,
): { readonly [key: string]: OutcomeCounts } {
  const counts = new Map<string, OutcomeCounts>()
  for (const decision of decisions) {
    const key = keyOf(decision)
    if (key === undefined) continue
    const before = counts.get(key) ?? { candidates: 0, eager: 0, deferred: 0, excluded: 0 }
    const { outcome } = decision
    counts.set(key, { ...before, candidates: before.candidates + 1, [outcome]: before[outcome] + 1 })
  }
  return Object.fromEntries(counts)
}
