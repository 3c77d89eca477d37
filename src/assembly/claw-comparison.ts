import { assemble } from '../core/assemble.ts'
import { gateOrder } from '../gates/order.ts'
import { type ClawReport, clawReport } from '../report/claw.ts'
import type { Lang } from '../report/words.ts'
import { sha256 } from '../sources/sha256.ts'
import { restricted } from './policy.ts'
import type { PreparedRun } from './run-input.ts'

/** What claw-code counts under the flags of a run of its preset, beside what the default gates give. */
export function clawComparison(run: PreparedRun, lang: Lang): ClawReport {
  const gates = gateOrder.default
  const surface = assemble(restricted(run.baseFacts, run.policy), run.candidates, gates, { sha256 })
  return clawReport(run, { ...run, preset: 'default', gates, surface }, lang)
}
