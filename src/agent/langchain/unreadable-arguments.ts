// A model may write arguments that are no JSON, or be cut off in their middle. Of a stream the framework completes what
// is cut off, and so calls with half of what was meant; what it cannot complete it puts aside and answers with nothing,
// which no provider takes. Here both become calls that are refused because their arguments cannot be read.

import { AIMessage, AIMessageChunk } from '@langchain/core/messages'

interface Unreadable {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** The message with all its calls. `raw`: told what was written as arguments, by the id of the call. */
export function withUnreadable(message: AIMessage, raw: (id: string, text: string) => void): AIMessage {
  const aside = putAside(message)
  const halves = completed(message)
  if (aside.length + halves.length === 0) return message
  for (const { id, text } of [...aside, ...halves]) raw(id, text)
  const faulty = new Set(halves.map(({ id }) => id))
  const made = (message.tool_calls ?? []).map((call) => (faulty.has(call.id ?? '') ? { ...call, args: {} } : call))
  const { id, name, content, response_metadata, usage_metadata } = message
  // What the provider itself wrote down of its calls holds the unreadable text once more.
  const { tool_calls: _, ...additional_kwargs } = message.additional_kwargs
  return new AIMessage({
    content,
    response_metadata,
    additional_kwargs,
    tool_calls: [
      ...made,
      ...aside.map((call) => ({ id: call.id, name: call.name, args: {}, type: 'tool_call' as const })),
    ],
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
  })
}

const putAside = (message: AIMessage): readonly Unreadable[] =>
  (message.invalid_tool_calls ?? []).map(({ id, name = '', args = '' }, at) => ({
    id: id ?? `unreadable-${message.id ?? ''}-${at}`,
    name,
    text: args,
  }))

/** Calls of a stream whose text is no JSON, whatever was made of it. No text at all means no arguments. */
function completed(message: AIMessage): readonly Unreadable[] {
  if (!AIMessageChunk.isInstance(message)) return []
  return (message.tool_call_chunks ?? []).flatMap(({ id, name = '', args = '' }) => {
    const isMade = id !== undefined && message.tool_calls?.some((call) => call.id === id) === true
    return isMade && args.trim() !== '' && !isJson(args) ? [{ id, name, text: args }] : []
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
