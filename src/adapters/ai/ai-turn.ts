// A surface under the Vercel AI SDK: what its loop needs for one turn of a thread. The loop is the SDK's, and so is the
// conversation, which its caller keeps.
//
//   begin ──▶ message          prepareStep ──▶ step: tools and prompt of this request
//   a call, of whatever name ──▶ execute ──▶ AgentThread.call     stopWhen: it waits for the person
//
// INVARIANT: `tools` is one object as long as the turn lasts, for the SDK takes no other in the middle of its loop:
// `prepareStep` may only choose among those that the loop began with. So each step writes its own tools into it.

import {
  type PrepareStepFunction,
  type StopCondition,
  stepCountIs,
  type ToolCallRepairFunction,
  type ToolSet,
} from 'ai'
import type { AgentCall, AgentThread, Beginning } from '../../runtime/agent-thread.ts'
import type { WaitingFor } from '../../state/thread-state.ts'
import { isObjectText, surfaceTools } from './surface-tools.ts'

export interface AiTurnInput {
  readonly thread: AgentThread
  /** What the person says. */
  readonly message: string
  /** Requests of the model in this turn. Absent: 50. */
  readonly stepsMax?: number
  /** Told of each call when its outcome is there. Absent: nobody wants to know. */
  readonly onCall?: (made: MadeCall) => void
}

export interface MadeCall extends AgentCall {
  readonly callId: string
  readonly name: string
}

/** For `generateText`, `streamText` and `ToolLoopAgent`, to be spread into what they are given, each part as it is. */
export interface AiSettings {
  readonly tools: ToolSet
  readonly prepareStep: PrepareStepFunction<ToolSet>
  readonly stopWhen: StopCondition<ToolSet>[]
  readonly experimental_repairToolCall: ToolCallRepairFunction<ToolSet>
}

export interface AiTurn {
  /** The last message of the conversation: what the model is given in the place of what the person said. */
  readonly message: { readonly role: 'user'; readonly content: string }
  /** For one run of the loop. The system prompt is the thread's, whatever else is given. */
  readonly settings: AiSettings
  /** What the turn has ended for; the answer comes with the next turn. `[]`: nothing, so far. */
  readonly waitsFor: () => readonly WaitingFor[]
  readonly beginning: Beginning
}

const stepsMaxDefault = 50

/** Begins a turn. Rejects with a ToolgateError when the state of the thread cannot be had. */
export async function aiTurn({ thread, message, stepsMax = stepsMaxDefault, onCall }: AiTurnInput): Promise<AiTurn> {
  const beginning = await thread.begin(message)
  const waiting: WaitingFor[] = []
  /** What stands in the place of arguments that are no JSON object, by the id of their call. */
  const unreadable = new Map<string, unknown>()
  const surface = surfaceTools(thread, async ({ name, args, callId, signal }) => {
    const given = unreadable.has(callId) ? unreadable.get(callId) : args
    unreadable.delete(callId)
    const made = await thread.call({ name, args: given, callId, ...(signal === undefined ? {} : { signal }) })
    if (made.waits !== undefined) waiting.push(made.waits)
    onCall?.({ ...made, callId, name })
    return made.outcome
  })
  surface.show((await thread.step()).tools)
  return {
    message: { role: 'user', content: beginning.text },
    settings: {
      tools: surface.tools,
      prepareStep: async () => {
        const { tools, prompt } = await thread.step()
        surface.show(tools)
        return { system: prompt }
      },
      stopWhen: [stepCountIs(stepsMax), () => waiting.length > 0],
      // Asked where the SDK would answer by itself: for a name that the step has not, and for unreadable arguments.
      experimental_repairToolCall: async ({ toolCall, tools }) => {
        if (toolCall.providerExecuted === true) return null
        surface.hide(toolCall.toolName, tools)
        if (isObjectText(toolCall.input)) return toolCall
        unreadable.set(toolCall.toolCallId, toolCall.input.trim() === 'null' ? null : toolCall.input)
        return { ...toolCall, input: '{}' }
      },
    },
    waitsFor: () => [...waiting],
    beginning,
  }
}
