// A program that is ended in the middle of a turn leaves calls of the model without an answer, which no provider takes.
// Such a call may have been made, so it is not made again: the model is told, and decides.

import { AIMessage, type BaseMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages'
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph'

const words =
  'call-cut-off: the program was ended before the result of this call was seen; it may have done its work all the ' +
  'same. Look at what is there before you call again.'

/** The id of the message that answers a call: the same for the placeholder and for what replaces it. */
export const answerId = (callId: string): string => `answer-${callId}`

/** An update that answers every call without an answer, behind the message that made it. `[]`: all have one. */
export function cutOffCalls(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const answered = new Set(
    messages.flatMap((message) => (ToolMessage.isInstance(message) ? [message.tool_call_id] : [])),
  )
  let isWhole = true
  const mended = messages.flatMap((message): BaseMessage[] => {
    if (!AIMessage.isInstance(message)) return [message]
    const missing = (message.tool_calls ?? []).filter(({ id }) => id !== undefined && !answered.has(id))
    if (missing.length === 0) return [message]
    isWhole = false
    const answers = missing.map(({ id = '', name }) => {
      const fields = { id: answerId(id), tool_call_id: id, name, content: words, status: 'error' as const }
      return new ToolMessage(fields)
    })
    return [message, ...answers]
  })
  return isWhole ? [] : [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...mended]
}
