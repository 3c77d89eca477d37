// Clients of three protocols, for tests of the scripted model: written from the providers' documentation of their
// forms, and sharing no code with the server.

import type { ScriptedModel } from '../../src/testing/scripted-model/index.ts'

export interface Call {
  readonly id: string
  readonly tool: string
  readonly args: string
}

export type Turn =
  | { readonly user: string }
  | { readonly say: string; readonly calls?: readonly Call[] }
  | { readonly result: string; readonly of: string }

export interface Question {
  readonly system?: string
  readonly history: readonly Turn[]
  readonly tools?: readonly string[]
  readonly model?: string
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly say: string
  readonly calls: readonly Call[]
  readonly stop: string | undefined
  readonly usage: readonly [number, number] | undefined
  /** The body, or the data of the events. */
  readonly raw: readonly unknown[]
  readonly error: string | undefined
  readonly headers: Headers
}

/** What a JSON text holds: a client takes it as the documentation says it is. */
type Any = ReturnType<JSON['parse']>

export interface Client {
  readonly protocol: string
  readonly path: string
  readonly body: (question: Question, stream: boolean) => Any
  readonly whole: (body: Any) => Omit<Answer, 'status' | 'raw' | 'error' | 'headers'>
  readonly joined: (events: readonly Any[]) => Omit<Answer, 'status' | 'raw' | 'error' | 'headers'>
}

const schema = { type: 'object', properties: {} }

export const chat: Client = {
  protocol: 'openai-chat',
  path: '/v1/chat/completions',
  body: ({ system, history, tools, model = 'some-model' }, stream) => ({
    model,
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...history.map((turn) => {
        if ('user' in turn) return { role: 'user', content: turn.user }
        if ('of' in turn) return { role: 'tool', tool_call_id: turn.of, content: turn.result }
        const calls = (turn.calls ?? []).map(({ id, tool, args }) => ({
          id,
          type: 'function',
          function: { name: tool, arguments: args },
        }))
        return { role: 'assistant', content: turn.say, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
      }),
    ],
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map((name) => ({ type: 'function', function: { name, description: 'd', parameters: schema } })),
        }),
  }),
  whole: ({ choices: [{ message, finish_reason: stop }], usage }) => ({
    say: message.content ?? '',
    calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }: Any) => ({
      id,
      tool: name,
      args,
    })),
    stop,
    usage: [usage.prompt_tokens, usage.completion_tokens],
  }),
  joined: (events) => {
    let say = ''
    let stop: string | undefined
    let usage: [number, number] | undefined
    const calls: { id: string; tool: string; args: string }[] = []
    for (const { choices, usage: counted } of events) {
      if (counted) usage = [counted.prompt_tokens, counted.completion_tokens]
      const [choice] = choices
      if (choice === undefined) continue
      say += choice.delta.content ?? ''
      stop = choice.finish_reason ?? stop
      for (const { index, id, function: called } of choice.delta.tool_calls ?? []) {
        calls[index] ??= { id: '', tool: '', args: '' }
        const call = calls[index] as { id: string; tool: string; args: string }
        if (id !== undefined) call.id = id
        if (called.name !== undefined) call.tool = called.name
        call.args += called.arguments ?? ''
      }
    }
    return { say, calls, stop, usage }
  },
}

export const responses: Client = {
  protocol: 'openai-responses',
  path: '/v1/responses',
  body: ({ system, history, tools, model = 'some-model' }, stream) => ({
    model,
    stream,
    ...(system === undefined ? {} : { instructions: system }),
    input: history.flatMap((turn): readonly Any[] => {
      if ('user' in turn) return [{ role: 'user', content: [{ type: 'input_text', text: turn.user }] }]
      if ('of' in turn) return [{ type: 'function_call_output', call_id: turn.of, output: turn.result }]
      const said = [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: turn.say, annotations: [] }] },
      ]
      const calls = (turn.calls ?? []).map(({ id, tool, args }) => ({
        type: 'function_call',
        call_id: id,
        name: tool,
        arguments: args,
      }))
      return [...(turn.say === '' ? [] : said), ...calls]
    }),
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map((name) => ({ type: 'function', name, description: 'd', parameters: schema, strict: null })),
        }),
  }),
  whole: (response) => ofOutput(response),
  joined: (events) => {
    const items: Any[] = []
    for (const event of events) {
      if (event.type === 'response.output_item.added') items[event.output_index] = { ...event.item, text: '' }
      const item = items[event.output_index]
      if (event.type === 'response.output_text.delta') item.text += event.delta
      if (event.type === 'response.function_call_arguments.delta') item.arguments += event.delta
    }
    const output = items.map((item) =>
      item.type === 'message' ? { ...item, content: [{ type: 'output_text', text: item.text }] } : item,
    )
    const { response } = events.at(-1)
    return ofOutput({ ...response, output })
  },
}

const ofOutput = ({ output, usage, status }: Any) => ({
  say: output
    .filter(({ type }: Any) => type === 'message')
    .flatMap(({ content }: Any) => content.map(({ text }: Any) => text))
    .join(''),
  calls: output
    .filter(({ type }: Any) => type === 'function_call')
    .map(({ call_id: id, name: tool, arguments: args }: Any) => ({ id, tool, args })),
  stop: status,
  usage: [usage?.input_tokens, usage?.output_tokens] as const,
})

export const messages: Client = {
  protocol: 'anthropic-messages',
  path: '/v1/messages',
  body: ({ system, history, tools, model = 'some-model' }, stream) => {
    const merged: { role: string; content: Any[] }[] = []
    const add = (role: string, blocks: readonly Any[]) => {
      const last = merged.at(-1)
      if (last?.role === role && role === 'user') last.content.push(...blocks)
      else merged.push({ role, content: [...blocks] })
    }
    for (const turn of history) {
      if ('user' in turn) add('user', [{ type: 'text', text: turn.user }])
      else if ('of' in turn) add('user', [{ type: 'tool_result', tool_use_id: turn.of, content: turn.result }])
      else {
        const uses = (turn.calls ?? []).map(({ id, tool, args }) => ({
          type: 'tool_use',
          id,
          name: tool,
          input: JSON.parse(args),
        }))
        add('assistant', [...(turn.say === '' ? [] : [{ type: 'text', text: turn.say }]), ...uses])
      }
    }
    return {
      model,
      stream,
      max_tokens: 1000,
      ...(system === undefined ? {} : { system: [{ type: 'text', text: system }] }),
      messages: merged,
      ...(tools === undefined
        ? {}
        : {
            tools: tools.map((name) => ({ name, description: 'd', input_schema: schema })),
            tool_choice: { type: 'auto' },
          }),
    }
  },
  whole: ({ content, stop_reason: stop, usage }) => ({
    say: content.map(({ text = '' }: Any) => text).join(''),
    calls: content
      .filter(({ type }: Any) => type === 'tool_use')
      .map(({ id, name, input }: Any) => ({ id, tool: name, args: JSON.stringify(input) })),
    stop,
    usage: [usage.input_tokens, usage.output_tokens],
  }),
  joined: (events) => {
    const blocks: Any[] = []
    let stop: string | undefined
    let usage: [number, number] | undefined
    for (const event of events) {
      if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block, json: '' }
      if (event.type === 'content_block_delta') {
        const block = blocks[event.index]
        if (event.delta.type === 'text_delta') block.text += event.delta.text
        else block.json += event.delta.partial_json
      }
      if (event.type === 'message_delta') {
        stop = event.delta.stop_reason
        usage = [event.usage.input_tokens, event.usage.output_tokens]
      }
    }
    return {
      say: blocks.map(({ text = '' }) => text).join(''),
      calls: blocks
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, json }) => ({ id, tool: name, args: json })),
      stop,
      usage,
    }
  },
}

export const clients: readonly Client[] = [chat, responses, messages]

/** Every protocol, as a stream and whole. */
export const ways = clients.flatMap((client) => [
  { name: `${client.protocol}, streamed`, client, stream: true },
  { name: `${client.protocol}, whole`, client, stream: false },
])

export interface SentEvent {
  readonly event: string | undefined
  readonly data: string
}

export function eventsIn(text: string): readonly SentEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const lines = block.split('\n')
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      return { event: field('event'), data: field('data') ?? '' }
    })
}

/** Posts a body as it is. */
export async function post(model: ScriptedModel, path: string, body: string, question: Partial<Question> = {}) {
  return fetch(`${model.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...question.headers },
    body,
    ...(question.signal === undefined ? {} : { signal: question.signal }),
  })
}

/** Rejects as a client would when the connection breaks, or when what came cannot be read. */
export async function ask(model: ScriptedModel, client: Client, stream: boolean, question: Question): Promise<Answer> {
  const response = await post(model, client.path, JSON.stringify(client.body(question, stream)), question)
  const { status, headers } = response
  const text = await response.text()
  if (status !== 200) {
    const body = JSON.parse(text)
    return {
      status,
      headers,
      say: '',
      calls: [],
      stop: undefined,
      usage: undefined,
      raw: [body],
      error: body.error.message,
    }
  }
  if (!stream) {
    const body = JSON.parse(text)
    return { status, headers, raw: [body], error: undefined, ...client.whole(body) }
  }
  const events = eventsIn(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data))
  const failed = events.find((event) => event.error !== undefined || event.type === 'error')
  return {
    status,
    headers,
    raw: events,
    error: failed === undefined ? undefined : (failed.error?.message ?? failed.message),
    ...client.joined(events.filter((event) => event !== failed)),
  }
}
