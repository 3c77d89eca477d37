// Everything that names nothing, can never match, is shadowed, is unsafe, or is refused by the target. Strict or
// not is for the caller to say; here each finding only gets its severity, its place and what to do.

import type { Finding } from '../core/finding.ts'
import { canonicalJson, type Json } from '../core/json.ts'
import { testRules } from '../permissions/test-rule.ts'
import { nameFindings } from './check-names.ts'
import { type CheckedPrompt, promptsFindings } from './check-prompts.ts'
import { type Requirement, requirementFindings } from './check-requirements.ts'
import { routingFindings } from './check-routing.ts'
import { surfaceFindings } from './check-surface.ts'
import { codeUnitOrder } from './code-unit-order.ts'
import type { Run } from './run.ts'

export interface CheckOptions {
  /** Findings of the rule tester. Absent: the rules of the run are tried here, on its own candidates. */
  readonly ruleFindings?: readonly Finding[]
  /** Tools the run must have. Absent and `[]`: none is required. */
  readonly require?: readonly Requirement[]
  /** Tools the run must not have. Absent and `[]`: none is forbidden. */
  readonly forbid?: readonly Requirement[]
  /** Texts that the model is given on this run. Absent and `[]`: none is looked at. */
  readonly prompts?: readonly CheckedPrompt[]
  /**
   * Most eager tools before a warning. Absent: 40, the middle of the 30 to 50 past which providers see models
   * choose worse.
   */
  readonly eagerMax?: number
}

/**
 * All findings about a run, those of reading and listing included, each once: errors first, then by file, line,
 * code and subject. Same run, same list. Messages are in English, as those of the catalogue of codes.
 */
export function checkRun(run: Run, options: CheckOptions = {}): readonly Finding[] {
  const found = [
    ...run.findings,
    ...(options.ruleFindings ?? triedRules(run)),
    ...nameFindings(run),
    ...surfaceFindings(run, options.eagerMax ?? 40),
    ...routingFindings(run),
    ...promptsFindings(run, options.prompts ?? []),
    ...requirementFindings(run, { require: options.require ?? [], forbid: options.forbid ?? [] }),
  ]
  const once = new Map(found.map((one) => [canonicalJson(one as unknown as Json), one]))
  return [...once.values()].sort(inOrder)
}

function triedRules({ surface }: Run): readonly Finding[] {
  const candidates = surface.decisions.map((decision) => decision.candidate)
  return testRules(surface.facts.permissions.rules, candidates).findings
}

const rank = { error: 0, warning: 1, info: 2 }

function inOrder(a: Finding, b: Finding): number {
  return (
    rank[a.severity] - rank[b.severity] ||
    codeUnitOrder(a.origin?.in ?? '', b.origin?.in ?? '') ||
    (a.origin?.line ?? 0) - (b.origin?.line ?? 0) ||
    codeUnitOrder(a.code, b.code) ||
    codeUnitOrder(a.subject ?? '', b.subject ?? '') ||
    codeUnitOrder(a.message, b.message)
  )
}
