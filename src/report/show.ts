// One tool whole: its names, identity, definition as the model gets it (and as its owner gave it, where the two
// differ), what it may do, what it costs, and the rules that are checked on each call. Schema `toolgate.show/1`.

import type {
  Availability,
  Candidate,
  Definition,
  EffectClass,
  Need,
  Protocol,
  ToolForm,
  ToolRole,
} from '../core/candidate.ts'
import type { Decision } from '../core/decision.ts'
import type { Rule } from '../core/run-facts.ts'
import { explain } from './explain.ts'
import type { Run } from './run.ts'
import type { CountTokens } from './tokens.ts'
import { type DecisionReport, decisionReport } from './tools-report.ts'
import type { Lang } from './words.ts'

export interface ShownTool extends DecisionReport {
  readonly protocol: Protocol
  readonly form: ToolForm
  readonly role?: ToolRole
  readonly needs: readonly Need[]
  readonly effects: readonly EffectClass[]
  readonly effectsBy: Candidate['effectsBy']
  readonly available: Availability
  /** Rules with conditions on arguments, with their places. */
  readonly rules: readonly Rule[]
  readonly routing?: Candidate['routing']
  /** The definition as the model gets it. */
  readonly definition: Definition
  /** As its owner gave it; absent where the model gets that. */
  readonly original?: Definition
}

export interface Show {
  readonly schema: 'toolgate.show/1'
  readonly word: string
  readonly kind: 'exposed' | 'excluded' | 'unknown'
  /** All that the word may mean; what the model has first. */
  readonly tools: readonly ShownTool[]
  readonly nearest: readonly string[]
}

/** The tools that a word names, whole. Words are read as `explain` reads them. */
export function show(run: Run, word: string, options: { readonly lang: Lang; readonly count?: CountTokens }): Show {
  const { kind, decisions, nearest, word: asked } = explain(run, word, options)
  const byId = new Map(run.surface.decisions.map((decision) => [decision.candidate.id, decision]))
  const tools = decisions.flatMap(({ id }) => {
    const decision = byId.get(id)
    return decision === undefined ? [] : [shown(decision, run, options)]
  })
  return { schema: 'toolgate.show/1', word: asked, kind, tools, nearest }
}

function shown(
  decision: Decision,
  run: Run,
  options: { readonly lang: Lang; readonly count?: CountTokens },
): ShownTool {
  const { candidate, definition, conditions } = decision
  return {
    ...decisionReport(decision, run.gates, options),
    protocol: candidate.protocol,
    form: candidate.form,
    ...(candidate.role === undefined ? {} : { role: candidate.role }),
    needs: candidate.needs,
    effects: candidate.effects,
    effectsBy: candidate.effectsBy,
    available: candidate.availability,
    rules: conditions,
    ...(candidate.routing === undefined ? {} : { routing: candidate.routing }),
    definition,
    ...(definition === candidate.definition ? {} : { original: candidate.definition }),
  }
}
