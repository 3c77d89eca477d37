// Anthropic's Messages, as its documentation of streams and the types of its own client describe them
// (anthropic-sdk-typescript, resources/messages): a stream is one message that begins, blocks one after the other,
// the reason to stop with the usage, and the message's end.

import type { JsonObject } from '../../../core/json.ts'
import { itemTexts, memberText } from '../json-parts.ts'
import { piecesOf } from '../pieces.ts'
import type { ModelRequest, RecordedMessage, RecordedTool } from '../recorded-request.ts'
import { scriptedModelName } from '../script.ts'
import { historyObjection, toolsObjection } from './history-objection.ts'
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

export const anthropicMessages: Wire = {
  protocol: 'anthropic-messages',
  path: '/v1/messages',
  read,
  objection: (request) =>
    toolsObjection(request, 128) ?? historyObjection(request, { call: 'tool_use', result: 'tool_result' }),
  whole: (answer) => ({
    ...head(answer),
    content: [
      ...(answer.say === '' ? [] : [{ type: 'text', text: answer.say, citations: null }]),
      ...answer.calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: inputOf(args) })),
    ],
    stop_reason: stopReason(answer),
    usage: usage(answer),
  }),
  events,
  error,
  errorEvent: (text) => ({
    event: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message: text } },
  }),
}

function read(body: JsonObject, json: string): ModelRequest | Unreadable {
  if (!Array.isArray(body.messages)) return { unreadable: 'messages: Field required' }
  if (typeof body.max_tokens !== 'number') return { unreadable: 'max_tokens: Field required' }
  const messages: RecordedMessage[] = []
  for (const [index, item] of listOf(body.messages).entries()) {
    const { role, content } = recordOf(item)
    if (role === 'user') messages.push(...ofUser(content))
    else if (role === 'assistant') messages.push(ofAssistant(content))
    else return { unreadable: `messages.${index}.role: must be user or assistant` }
  }
  const toolsText = memberText(json, 'tools')
  return {
    model: textOf(body.model),
    system: contentTexts(body.system).join('\n\n'),
    messages,
    tools: toolsIn(toolsText),
    ...(toolsText === undefined ? {} : { toolsText }),
    ...(body.tool_choice === undefined ? {} : { toolChoice: body.tool_choice }),
    stream: body.stream === true,
  }
}

/** Results travel in the user's message, before what the user says. */
function ofUser(content: unknown): readonly RecordedMessage[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(recordOf)
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const said = blocks.filter(({ type }) => type !== 'tool_result')
  return [
    ...results.map(
      ({ tool_use_id: id, content: of, is_error: isError }): RecordedMessage => ({
        role: 'tool',
        id: textOf(id),
        text: contentTexts(of).join('\n'),
        isError: isError === true,
      }),
    ),
    ...(said.length === 0 ? [] : [{ role: 'user' as const, text: contentTexts(said).join('\n') }]),
  ]
}

function ofAssistant(content: unknown): RecordedMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(recordOf)
  return {
    role: 'assistant',
    text: contentTexts(blocks.filter(({ type }) => type === 'text')).join(''),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id: textOf(id), tool: textOf(name), args: JSON.stringify(input ?? {}) })),
  }
}

const toolsIn = (toolsText: string | undefined): readonly RecordedTool[] =>
  itemTexts(toolsText ?? '').map((text) => {
    const { name, description, input_schema: inputSchema } = recordOf(JSON.parse(text))
    return { name: textOf(name), description: textOf(description), inputSchema: inputSchema ?? null, text }
  })

const head = ({ id }: ModelAnswer): JsonObject => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model: scriptedModelName,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  // No field of the protocol takes such a note; clients leave keys that they do not know.
  scripted: scriptedNote,
})

const stopReason = ({ calls }: ModelAnswer): string => (calls.length > 0 ? 'tool_use' : 'end_turn')

const usage = ({ usage: { input, output } }: ModelAnswer): JsonObject => ({
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
})

/** Outside of a stream the protocol sends a value; arguments that are no JSON can only be sent as a text. */
function inputOf(args: string): JsonObject[string] {
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

const sent = (type: string, more: JsonObject = {}): WireEvent => ({ event: type, data: { type, ...more } })

function* events(answer: ModelAnswer): Iterable<WireEvent> {
  const { say, calls } = answer
  // The counts of `message_delta` are cumulative; some clients add them up, and with 0 here both come out right.
  const begun = { ...usage(answer), output_tokens: 0 }
  yield sent('message_start', { message: { ...head(answer), usage: begun } })
  let index = 0
  if (say !== '') {
    yield sent('content_block_start', { index, content_block: { type: 'text', text: '', citations: null } })
    yield sent('ping')
    for (const text of piecesOf(say)) yield sent('content_block_delta', { index, delta: { type: 'text_delta', text } })
    yield sent('content_block_stop', { index })
    index += 1
  }
  for (const { id, tool, args } of calls) {
    yield sent('content_block_start', { index, content_block: { type: 'tool_use', id, name: tool, input: {} } })
    for (const piece of ['', ...piecesOf(args)]) {
      yield sent('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: piece } })
    }
    yield sent('content_block_stop', { index })
    index += 1
  }
  yield sent('message_delta', { delta: { stop_reason: stopReason(answer), stop_sequence: null }, usage: usage(answer) })
  yield sent('message_stop')
}

function error(status: number, message: string): JsonObject {
  const type = errorTypes.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { type: 'error', error: { type, message }, request_id: null }
}

const errorTypes: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])
