// OpenAI's Responses, as the types of its own client describe them (openai-node, resources/responses): what the model
// gives is a list of items, a message and calls beside it; each event of a stream is numbered. The server keeps no
// state, so a request must hold the whole input.

import type { JsonObject } from '../../../core/json.ts'
import { itemTexts, memberText } from '../json-parts.ts'
import { piecesOf } from '../pieces.ts'
import type { ModelRequest, RecordedCall, RecordedMessage, RecordedTool } from '../recorded-request.ts'
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

export const openaiResponses: Wire = {
  protocol: 'openai-responses',
  path: '/v1/responses',
  read,
  objection: (request) =>
    toolsObjection(request, 64) ?? historyObjection(request, { call: 'function_call', result: 'function_call_output' }),
  whole: (answer) => response(answer, 'completed', itemsOf(answer)),
  events,
  error: openaiError,
  errorEvent: (message, sent) => ({
    event: 'error',
    data: { type: 'error', code: 'server_error', message, param: null, sequence_number: sent },
  }),
}

function read(body: JsonObject, json: string): ModelRequest | Unreadable {
  const { input } = body
  if (typeof input !== 'string' && !Array.isArray(input)) return { unreadable: "Missing required parameter: 'input'." }
  if (typeof body.previous_response_id === 'string' || recordOf(body.conversation).id !== undefined) {
    return { unreadable: 'the scripted model keeps no state: send the whole input with each request' }
  }
  const system = [textOf(body.instructions)]
  const messages: RecordedMessage[] = []
  /** The items that one answer gave are one message of the model. */
  const byModel = (text: string, calls: readonly RecordedCall[]) => {
    const last = messages.at(-1)
    if (last?.role !== 'assistant') messages.push({ role: 'assistant', text, calls })
    else messages[messages.length - 1] = { ...last, text: last.text + text, calls: [...last.calls, ...calls] }
  }
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)
  for (const [index, value] of items.entries()) {
    const item = recordOf(value)
    const text = contentTexts(item.content).join(item.role === 'assistant' ? '' : '\n')
    if (item.type === 'function_call') {
      byModel('', [{ id: textOf(item.call_id), tool: textOf(item.name), args: textOf(item.arguments) }])
    } else if (item.type === 'function_call_output') {
      const output = contentTexts(item.output).join('\n')
      messages.push({ role: 'tool', id: textOf(item.call_id), text: output, isError: false })
    } else if (item.role === 'assistant') byModel(text, [])
    else if (item.role === 'user') messages.push({ role: 'user', text })
    else if (item.role === 'system' || item.role === 'developer') system.push(text)
    else if (item.type !== 'reasoning') return { unreadable: `input[${index}] is no item that the script can follow` }
  }
  const toolsText = memberText(json, 'tools')
  return {
    model: textOf(body.model),
    system: system.filter((text) => text !== '').join('\n\n'),
    messages,
    tools: toolsIn(toolsText),
    ...(toolsText === undefined ? {} : { toolsText }),
    ...(body.tool_choice === undefined ? {} : { toolChoice: body.tool_choice }),
    stream: body.stream === true,
  }
}

const toolsIn = (toolsText: string | undefined): readonly RecordedTool[] =>
  itemTexts(toolsText ?? '').map((text) => {
    const { name, description, parameters } = recordOf(JSON.parse(text))
    return { name: textOf(name), description: textOf(description), inputSchema: parameters ?? null, text }
  })

const textPart = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [], logprobs: [] })

interface Item {
  readonly begun: JsonObject
  readonly done: JsonObject
}

/** Each item as it begins and as it is in the end. */
const pairsOf = ({ id, say, calls }: ModelAnswer): readonly Item[] => {
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant' }
  const said = {
    begun: { ...message, status: 'in_progress', content: [] },
    done: { ...message, status: 'completed', content: [textPart(say)] },
  }
  const called = calls.map(({ id: callId, tool, args }) => {
    const item = { id: `fc_${callId}`, type: 'function_call', call_id: callId, name: tool }
    return {
      begun: { ...item, status: 'in_progress', arguments: '' },
      done: { ...item, status: 'completed', arguments: args },
    }
  })
  return say === '' ? called : [said, ...called]
}

const itemsOf = (answer: ModelAnswer): readonly JsonObject[] => pairsOf(answer).map(({ done }) => done)

function response(answer: ModelAnswer, status: string, output: readonly JsonObject[]): JsonObject {
  const { input, output: given } = answer.usage
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: 0,
    status,
    model: scriptedModelName,
    output,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: { scripted: scriptedNote },
    parallel_tool_calls: true,
    temperature: null,
    top_p: null,
    tool_choice: 'auto',
    tools: [],
    usage:
      status === 'completed'
        ? {
            input_tokens: input,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: given,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: input + given,
          }
        : null,
  }
}

function* events(answer: ModelAnswer): Iterable<WireEvent> {
  let sent = 0
  const event = (type: string, more: JsonObject): WireEvent => ({
    event: type,
    data: { type, sequence_number: sent++, ...more },
  })
  yield event('response.created', { response: response(answer, 'in_progress', []) })
  yield event('response.in_progress', { response: response(answer, 'in_progress', []) })
  for (const [index, { begun, done }] of pairsOf(answer).entries()) {
    const at = { output_index: index }
    const inside = { item_id: textOf(begun.id), ...at }
    yield event('response.output_item.added', { ...at, item: begun })
    if (begun.type === 'message') {
      const part = { ...inside, content_index: 0 }
      yield event('response.content_part.added', { ...part, part: textPart('') })
      for (const delta of piecesOf(answer.say)) {
        yield event('response.output_text.delta', { ...part, delta, logprobs: [] })
      }
      yield event('response.output_text.done', { ...part, text: answer.say, logprobs: [] })
      yield event('response.content_part.done', { ...part, part: textPart(answer.say) })
    } else {
      const args = textOf(done.arguments)
      for (const delta of piecesOf(args)) yield event('response.function_call_arguments.delta', { ...inside, delta })
      yield event('response.function_call_arguments.done', { ...inside, name: textOf(done.name), arguments: args })
    }
    yield event('response.output_item.done', { ...at, item: done })
  }
  yield event('response.completed', { response: response(answer, 'completed', itemsOf(answer)) })
}
