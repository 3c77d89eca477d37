import type { Finding } from '../core/finding.ts'
import { testRules } from '../permissions/test-rule.ts'
import { checkRun } from '../report/check.ts'
import { promptsOf } from '../report/check-prompts.ts'
import { advised } from './advised.ts'
import type { PreparedRun } from './run-input.ts'

/** Everything that `check` has to say about a run: its surface, its rules, what it requires and forbids; each with a hint. */
export function checkedRun(run: PreparedRun): readonly Finding[] {
  const { rules } = run.surface.facts.permissions
  const found = checkRun(run, {
    prompts: promptsOf(run),
    ruleFindings: testRules(rules, run.candidates).findings,
    ...(run.config === undefined ? {} : { require: run.config.require, forbid: run.config.forbid }),
  })
  return found.map(advised)
}
