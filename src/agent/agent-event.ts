// What happens in a turn, as one stream of plain objects: for a terminal, for `--json`, for a page. Schema
// `toolgate.event/1`: kinds and fields are added, never changed. Texts are foreign; whoever shows them makes them safe.

import type { PromotedBy } from '../catalog/promotion/promotion-state.ts'
import type { Json, JsonObject } from '../core/json.ts'

export type AgentEvent =
  /** A turn begins. `tools`: names that the model has at that moment. */
  | { readonly type: 'turn'; readonly thread: string; readonly agent: string; readonly tools: readonly string[] }
  /** A piece of what the model says. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly args: Json }
  | {
      readonly type: 'result'
      readonly id: string
      readonly tool: string
      readonly isError: boolean
      readonly text: string
    }
  /** The call did not reach the tool; `code` is the one that `why` gives. */
  | Refused
  /** The call was made, or tried, and gave no result. */
  | (Omit<Refused, 'type'> & { readonly type: 'failure' })
  /** The thread has this deferred tool from now on. */
  | { readonly type: 'promotion'; readonly tool: string; readonly by: PromotedBy }
  /** The thread has this skill in use from now on, or (`on: false`) not any more: the message said so, or the model has read it. */
  | { readonly type: 'skill'; readonly skill: string; readonly by: 'slash' | 'read'; readonly on: boolean }
  /** The turn ends with a question; the answer comes with the next message. */
  | { readonly type: 'clarification'; readonly id: string; readonly question: JsonObject }
  /** The turn ends with a call that a person must approve; the stored question `approval` can be answered anywhere. */
  | {
      readonly type: 'approval'
      readonly id: string
      readonly tool: string
      readonly approval: string
      readonly args: JsonObject
    }
  /** What happens in a helper that the call `id` of `task` has started. */
  | { readonly type: 'child'; readonly id: string; readonly agent: string; readonly event: AgentEvent }
  /** A file for the person. */
  | { readonly type: 'artifact'; readonly path: string; readonly bytes?: number; readonly mime?: string }
  /** The turn is over. */
  | {
      readonly type: 'end'
      readonly because: TurnEnd
      readonly message?: string
    }

/** waiting: for the person, as the events `clarification` and `approval` before it say. */
export type TurnEnd = 'answered' | 'waiting' | 'limit' | 'cancelled' | 'failed'

interface Refused {
  readonly type: 'refusal'
  readonly id: string
  readonly tool: string
  readonly code: string
  readonly message: string
  readonly action: string
}
