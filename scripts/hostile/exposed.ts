import type { PreparedRun } from '../../src/assembly/run-input.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { Surface } from '../../src/core/surface.ts'
import { exclusionTold, type Told, toldBy } from './expected.ts'

/** The decisions on tools that the model has, now or on request. */
export const exposedOf = (surface: Surface): readonly Decision[] =>
  surface.decisions.filter((decision) => decision.outcome !== 'excluded')

/** All that a run says: its findings, and why each tool that is left out is left out. Built-in tools are nobody's error. */
export function toldOf(run: PreparedRun): { readonly errors: readonly Told[]; readonly told: readonly Told[] } {
  const excluded = run.surface.withOutcome('excluded')
  const configured = excluded.filter(({ candidate }) => candidate.source !== 'builtin')
  const why = (decision: Decision): Told => exclusionTold(decision, run.gates)
  const errors = run.findings.filter((found) => found.severity === 'error')
  return {
    errors: [...errors.map(toldBy), ...configured.map(why)],
    told: [...run.findings.map(toldBy), ...excluded.map(why)],
  }
}

/** Everything of a surface that a person or a model reads, as one text; the facts of a run are not shown to either. */
export function shownOf(surface: Surface): string {
  return JSON.stringify(
    surface.decisions.map(({ name, definition, steps, candidate }) => ({ name, definition, steps, candidate })),
  )
}
