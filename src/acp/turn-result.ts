// A turn as the result of a tool: what the agent said, and beside it how the turn ended. The model reads the text; so
// whatever takes from its worth stands in it, before what the agent said.

import type { JsonObject } from '../core/json.ts'
import { type TurnSoFar, turnLimits } from './turn-record.ts'

/**
 * answered: the agent ended its turn. limit: it met a limit of its own. refused: its model refused. cancelled: the call
 * was called off. timed-out: the turn took too long. failed: the agent ended, or gave an error.
 */
export type AcpStatus = 'answered' | 'limit' | 'refused' | 'cancelled' | 'timed-out' | 'failed'

export interface TurnEnd {
  readonly status: AcpStatus
  /** As the agent gave it. Absent: it gave none. */
  readonly stopReason?: string
  /** Completes "the agent", printable. Absent where the agent answered. */
  readonly reason?: string
}

/** In the form of a result of MCP: one text, the structure, and whether it failed. */
export function turnResult(agent: string, end: TurnEnd, soFar: TurnSoFar): JsonObject {
  const { status, stopReason, reason } = end
  const { text, textIsCut, toolCalls, toolCallsMore, denied } = soFar
  const said = text.trim() === '' ? [] : [text]
  const notes = [
    ...(reason === undefined
      ? []
      : [`[The agent "${agent}" ${reason}.${said.length > 0 ? ' What it said until then:' : ''}]`]),
    ...(reason === undefined && said.length === 0 ? [`[The agent "${agent}" ended its turn without a text.]`] : []),
    ...(denied.length === 0 ? [] : [`[It was denied: ${listOf(denied)}.]`]),
    ...(textIsCut ? [`[What it said is cut after ${turnLimits.textBytes} bytes.]`] : []),
    ...(toolCallsMore === 0 ? [] : [`[It made ${toolCallsMore} more tool calls than are listed.]`]),
  ]
  return {
    content: [{ type: 'text', text: [...notes, ...said].join('\n\n') }],
    structuredContent: {
      status,
      agent,
      text,
      toolCalls: toolCalls.map(({ title, kind, status: state }) => ({ title, kind, status: state })),
      denied,
      ...(stopReason === undefined ? {} : { stopReason }),
      ...(reason === undefined ? {} : { reason }),
    },
    isError: status !== 'answered',
  }
}

const listed = 10

const listOf = (titles: readonly string[]): string =>
  titles.slice(0, listed).join('; ') + (titles.length > listed ? `; and ${titles.length - listed} more` : '')
