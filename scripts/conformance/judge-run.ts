// A run against what is known to fail. A warning counts as a failure, for it is a thing that the protocol asks for; an
// exception that is no longer true counts as one too.

import type { Exception } from './exceptions.ts'
import type { Check, Scenario } from './run-suite.ts'
import type { Run } from './runs.ts'

export interface Judged {
  readonly passed: number
  /** Checks that fail and may. */
  readonly excused: number
  /** What fails and may not, one line each. */
  readonly faults: readonly string[]
}

export function judgeRun(run: Run, scenarios: readonly Scenario[], exceptions: readonly Exception[]): Judged {
  const ours = exceptions.filter((exception) => exception.runs.includes(run.name))
  const allowed = new Set(ours.flatMap(({ scenario, checks }) => checks.map((check) => `${scenario}: ${check}`)))
  const faults: string[] = []
  const excusedKeys = new Set<string>()
  let passed = 0
  let excused = 0
  for (const { name, checks } of scenarios) {
    if (!checks.some(hasVerdict)) faults.push(`${name}: it gave no result`)
    for (const check of checks) {
      const key = `${name}: ${check.id}`
      if (check.status === 'SUCCESS') passed += 1
      if (!isFailed(check)) continue
      if (allowed.has(key)) {
        excused += 1
        excusedKeys.add(key)
      } else faults.push(`${key}: ${check.errorMessage ?? check.description}`)
    }
  }
  if (scenarios.length < run.scenarios) faults.push(`${scenarios.length} of ${run.scenarios} scenarios gave a result`)
  for (const key of allowed) if (!excusedKeys.has(key)) faults.push(`${key}: it is listed as failing and does not fail`)
  return { passed, excused, faults }
}

const isFailed = ({ status }: Check): boolean => status === 'FAILURE' || status === 'WARNING'

const hasVerdict = (check: Check): boolean =>
  isFailed(check) || check.status === 'SUCCESS' || check.status === 'SKIPPED'
