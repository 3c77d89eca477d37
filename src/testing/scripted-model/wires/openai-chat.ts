// OpenAI's Chat Completions, as the types of its own client describe them (openai-node, resources/chat/completions):
// a stream is chunks with deltas, one with a reason to finish, one with the usage for whoever asked, and `[DONE]`.

import type { JsonObject } from '../../../core/json.ts'
import { itemTexts, memberText } from '../json-parts.ts'
import { piecesOf } from '../pieces.ts'
import type { ModelRequest, RecordedMessage, RecordedTool } from '../recorded-request.ts'
import { scriptedModelName } from '../script.ts'
import { historyObjection, toolsObjection } from './history-objection.ts'
import { openaiError } from './openai-error.ts'
import {
  contentTexts,
  listOf,
  type ModelAnswer,
  recordOf,
  scriptedNote,
  textOf,
  type Unreadable,
  type Wire,
  type WireEvent,
} from './wire.ts'

export const openaiChat: Wire = {
  protocol: 'openai-chat',
  path: '/v1/chat/completions',
  read,
  objection: (request) =>
    toolsObjection(request, 64) ?? historyObjection(request, { call: 'tool call', result: 'tool message' }),
  whole: (answer) => ({
    ...head(answer, 'chat.completion'),
    choices: [{ index: 0, message: message(answer), logprobs: null, finish_reason: finishReason(answer) }],
    usage: usage(answer),
  }),
  events,
  error: openaiError,
  errorEvent: (text) => ({ data: openaiError(500, text) }),
}

function read(body: JsonObject, json: string): ModelRequest | Unreadable {
  if (!Array.isArray(body.messages)) return { unreadable: "Missing required parameter: 'messages'." }
  const system: string[] = []
  const messages: RecordedMessage[] = []
  for (const [index, item] of listOf(body.messages).entries()) {
    const { role, content, tool_calls: calls, tool_call_id: id } = recordOf(item)
    const text = contentTexts(content).join(role === 'assistant' ? '' : '\n')
    if (role === 'system' || role === 'developer') system.push(text)
    else if (role === 'user') messages.push({ role, text })
    else if (role === 'assistant') messages.push({ role, text, calls: listOf(calls).map(callOf) })
    else if (role === 'tool') messages.push({ role, id: textOf(id), text, isError: false })
    else return { unreadable: `messages[${index}].role is none of system, developer, user, assistant, tool` }
  }
  const toolsText = memberText(json, 'tools')
  return {
    model: textOf(body.model),
    system: system.join('\n\n'),
    messages,
    tools: toolsIn(toolsText),
    ...(toolsText === undefined ? {} : { toolsText }),
    ...(body.tool_choice === undefined ? {} : { toolChoice: body.tool_choice }),
    stream: body.stream === true,
  }
}

function callOf(value: unknown) {
  const { id, function: called } = recordOf(value)
  const { name, arguments: args } = recordOf(called)
  return { id: textOf(id), tool: textOf(name), args: textOf(args) }
}

const toolsIn = (toolsText: string | undefined): readonly RecordedTool[] =>
  itemTexts(toolsText ?? '').map((text) => {
    const { name, description, parameters } = recordOf(recordOf(JSON.parse(text)).function)
    return { name: textOf(name), description: textOf(description), inputSchema: parameters ?? null, text }
  })

// `created` is a constant, so that one request has one answer.
const head = ({ id }: ModelAnswer, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: 0,
  model: scriptedModelName,
  system_fingerprint: scriptedNote,
})

const finishReason = ({ calls }: ModelAnswer): string => (calls.length > 0 ? 'tool_calls' : 'stop')

const message = ({ say, calls }: ModelAnswer): JsonObject => ({
  role: 'assistant',
  content: say === '' ? null : say,
  refusal: null,
  annotations: [],
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ id, tool, args }) => ({
          id,
          type: 'function',
          function: { name: tool, arguments: args },
        })),
      }),
})

const usage = ({ usage: { input, output } }: ModelAnswer): JsonObject => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
})

function* events(answer: ModelAnswer, body: JsonObject): Iterable<WireEvent> {
  const counted = recordOf(body.stream_options).include_usage === true
  const common = { ...head(answer, 'chat.completion.chunk'), ...(counted ? { usage: null } : {}) }
  const chunk = (delta: JsonObject, finish: string | null = null): WireEvent => ({
    data: { ...common, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] },
  })
  yield chunk({ role: 'assistant', content: answer.say === '' ? null : '', refusal: null })
  for (const content of piecesOf(answer.say)) yield chunk({ content })
  for (const [index, { id, tool, args }] of answer.calls.entries()) {
    yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] })
    for (const piece of piecesOf(args)) yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  yield chunk({}, finishReason(answer))
  if (counted) yield { data: { ...common, choices: [], usage: usage(answer) } }
  yield { data: '[DONE]' }
}
