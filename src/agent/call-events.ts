// What a call and its outcome are as events, in the order in which they are told.

import type { AgentCall } from '../runtime/agent-thread.ts'
import { modelText } from '../runtime/model-content.ts'
import type { WaitingFor } from '../state/thread-state.ts'
import type { AgentEvent } from './agent-event.ts'

interface Call {
  readonly id: string
  readonly name: string
}

export const callEvents = (call: Call, made: AgentCall): readonly AgentEvent[] => [
  // That a call waits for a person is told as that, and not as a refusal or a result.
  ...(made.waits === undefined ? [outcomeEvent(call, made)] : []),
  ...made.artifacts.map((artifact): AgentEvent => ({ type: 'artifact', ...artifact })),
  ...made.promoted.map(({ name, by }): AgentEvent => ({ type: 'promotion', tool: name, by })),
  ...(made.skill === undefined ? [] : [{ type: 'skill', ...made.skill } as const]),
  ...(made.waits === undefined ? [] : [waitingEvent(call, made.waits)]),
]

function waitingEvent({ id }: Call, waits: WaitingFor): AgentEvent {
  if (waits.kind === 'clarification') return { type: 'clarification', id, question: waits.question }
  return { type: 'approval', id, tool: waits.tool, approval: waits.approvalId, args: waits.args }
}

function outcomeEvent({ id, name: tool }: Call, { outcome }: AgentCall): AgentEvent {
  if (outcome.kind === 'result') return { type: 'result', id, tool, isError: outcome.isError, text: modelText(outcome) }
  const { code, message, action } = outcome
  return { type: outcome.kind === 'refused' ? 'refusal' : 'failure', id, tool, code, message, action }
}
