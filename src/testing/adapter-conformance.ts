// What every adapter of an agent framework must hold, as named checks that any test runner can run:
//
//   for (const check of adapterConformance('my framework', openMyAdapter)) test(check.name, check.run)
//
// The adapter is driven over the wire: a model that replays a script, and a scripted MCP server in a process of its own
// behind a real toolbox. What was sent and what was reached is compared with what the thread has at that moment, which
// the adapter is not asked for. A check that does not hold rejects with an error that says what is wrong.

import type { AgentThread } from '../runtime/agent-thread.ts'
import type { Toolbox } from '../runtime/toolbox.ts'
import type { WaitingFor } from '../state/thread-state.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { adapterChecks } from './adapter-checks.ts'
import { inAdapterWorld } from './adapter-world.ts'
import type { ScriptedModel } from './scripted-model/index.ts'

/** What an adapter is opened on. */
export interface AdapterStage {
  /** For an adapter that opens its threads itself: on `toolbox`, for `owner`, with questions that are answered later. */
  readonly toolbox: Pick<Toolbox, 'current' | 'callsOf' | 'derived' | 'state'>
  readonly owner: ThreadOwner
  /** The thread of `owner`, for an adapter that is given one. */
  readonly thread: AgentThread
  /** Where the model answers. Keys are not asked for, and any name of a model will do. */
  readonly model: Pick<ScriptedModel, 'openaiUrl' | 'anthropicUrl'>
}

/** One conversation. */
export interface DrivenAdapter {
  /** The person says this; resolves when the turn is over. Rejects where it ends with an error. */
  readonly turn: (message: string) => Promise<DrivenTurn>
}

export interface DrivenTurn {
  /** What the turn has ended for, as its caller learns it. `[]`: the model has answered. */
  readonly waitsFor: readonly WaitingFor['kind'][]
}

export type OpenAdapter = (stage: AdapterStage) => DrivenAdapter | Promise<DrivenAdapter>

export interface AdapterCheck {
  readonly name: string
  /** Rejects when the adapter does not hold it. */
  readonly run: () => Promise<void>
}

export interface AdapterConformanceOptions {
  /** Path of the program of the scripted server. Absent: the one of this package. */
  readonly program?: string
}

/** Nothing runs before a check is run; each has a stage of its own, and leaves nothing behind. */
export function adapterConformance(
  name: string,
  open: OpenAdapter,
  options: AdapterConformanceOptions = {},
): readonly AdapterCheck[] {
  return adapterChecks.map(({ title, script, canSee = true, holds }) => ({
    name: `${name}: ${title}`,
    run: () => inAdapterWorld({ ...options, open, script, canSee }, holds),
  }))
}
