// What LangChain asks of a model, in the form in which scripts are judged.

import type { BindToolsInput } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { isJsonObject, type Json } from '../../core/json.ts'
import type { ModelRequest, RecordedMessage, RecordedTool } from '../../testing/scripted-model/recorded-request.ts'

/** Tools may be those of the framework or in OpenAI's form. A message of another kind is one of the person. */
export function modelRequest(
  messages: readonly BaseMessage[],
  tools: readonly BindToolsInput[],
  { model, stream }: Pick<ModelRequest, 'model' | 'stream'>,
): ModelRequest {
  const listed = tools.map(toolOf)
  return {
    model,
    system: messages.flatMap((message) => (isSystem(message) ? [textOf(message)] : [])).join('\n\n'),
    messages: messages.filter((message) => !isSystem(message)).map(messageOf),
    tools: listed,
    ...(listed.length === 0 ? {} : { toolsText: `[${listed.map(({ text }) => text).join(',')}]` }),
    stream,
  }
}

const isSystem = (message: BaseMessage): boolean => ['system', 'developer'].includes(message.getType())

function messageOf(message: BaseMessage): RecordedMessage {
  if (AIMessage.isInstance(message)) {
    const { tool_calls: calls = [], invalid_tool_calls: unread = [] } = message
    return {
      role: 'assistant',
      text: message.text,
      calls: [
        ...calls.map(({ id = '', name, args }) => ({ id, tool: name, args: JSON.stringify(args) })),
        ...unread.map(({ id = '', name = '', args = '' }) => ({ id, tool: name, args })),
      ],
    }
  }
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id: id, status } = message
    return { role: 'tool', id, text: textOf(message), isError: status === 'error' }
  }
  return { role: 'user', text: textOf(message) }
}

/** The texts; a part of another kind shows as `[kind]`, as over a wire. */
function textOf({ content }: BaseMessage): string {
  if (typeof content === 'string') return content
  return content
    .map((part) => ('text' in part && typeof part.text === 'string' ? part.text : `[${String(part.type)}]`))
    .join('\n')
}

function toolOf(tool: BindToolsInput): RecordedTool {
  const carried = convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0])
  const { name, description = '', parameters = null } = carried.function
  const inputSchema: Json = isJsonObject(parameters) ? parameters : null
  return { name, description, inputSchema, text: JSON.stringify(carried) }
}
