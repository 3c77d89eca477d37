import { afterEach, describe, expect, it } from 'vitest'
import { type Script, type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model/index.ts'
import { type Client, chat, eventsIn, messages, post, responses } from './scripted-model-client.ts'

let model: ScriptedModel | undefined
afterEach(async () => model?.close())

const script: Script = {
  turns: [
    {
      steps: [
        {
          say: 'Good morning.',
          call: [
            { tool: 'one', args: { a: 1 } },
            { tool: 'two', args: {} },
          ],
          usage: { input: 11, output: 5 },
        },
      ],
    },
  ],
}

async function sent(client: Client, stream: boolean, change: object = {}, from: Script = script) {
  model = await startScriptedModel(from)
  const body = { ...client.body({ history: [{ user: 'hi' }] }, stream), ...change }
  const response = await post(model, client.path, JSON.stringify(body))
  return { response, text: await response.text() }
}

const dataOf = (text: string) => eventsIn(text).map(({ data }) => (data === '[DONE]' ? data : JSON.parse(data)))

describe('Chat Completions', () => {
  it('streams chunks with deltas, a reason to finish, the usage and [DONE]', async () => {
    const { response, text } = await sent(chat, true)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(text).not.toContain('event:')
    const chunks = dataOf(text)
    expect(chunks.pop()).toBe('[DONE]')
    const { choices, usage, ...head } = chunks.pop()
    expect(head).toMatchObject({ id: 'chatcmpl-script_main_0', object: 'chat.completion.chunk', model: 'script' })
    expect([choices, usage]).toEqual([
      [],
      expect.objectContaining({ prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }),
    ])
    for (const chunk of chunks) expect(chunk).toMatchObject({ ...head, usage: null })
    const last = chunks.length - 1
    expect(chunks.map(({ choices: [{ finish_reason: reason }] }) => reason)).toEqual(
      chunks.map((_, index) => (index === last ? 'tool_calls' : null)),
    )
    expect(chunks.map(({ choices: [{ delta }] }) => delta)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: 'Good m' },
      { content: 'orning' },
      { content: '.' },
      { tool_calls: [{ index: 0, id: 'call_main_0_0', type: 'function', function: { name: 'one', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a":1' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
      { tool_calls: [{ index: 1, id: 'call_main_0_1', type: 'function', function: { name: 'two', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      {},
    ])
  })

  it('sends no usage to whoever does not ask for it', async () => {
    const { text } = await sent(chat, true, { stream_options: undefined })
    expect(text).not.toContain('usage')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('answers whole with one choice', async () => {
    const { text } = await sent(chat, false)
    expect(JSON.parse(text)).toMatchObject({
      object: 'chat.completion',
      model: 'script',
      system_fingerprint: expect.stringContaining('no model was asked'),
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'Good morning.',
            refusal: null,
            tool_calls: [
              { id: 'call_main_0_0', type: 'function', function: { name: 'one', arguments: '{"a":1}' } },
              { id: 'call_main_0_1', type: 'function', function: { name: 'two', arguments: '{}' } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
    })
  })

  it('answers without calls with the reason stop and without a list of them', async () => {
    const { text } = await sent(chat, false, {}, { turns: [{ steps: [{ say: 'x' }] }] })
    const [choice] = JSON.parse(text).choices
    expect(choice.finish_reason).toBe('stop')
    expect(choice.message).not.toHaveProperty('tool_calls')
  })
})

describe('Messages', () => {
  it('streams a message, its blocks and why it stops', async () => {
    const { text } = await sent(messages, true)
    for (const { event, data } of eventsIn(text)) expect(JSON.parse(data).type).toBe(event)
    const [start, ...others] = dataOf(text)
    expect(start).toMatchObject({
      type: 'message_start',
      message: {
        id: 'msg_script_main_0',
        type: 'message',
        role: 'assistant',
        model: 'script',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 11, output_tokens: 0 },
      },
    })
    const delta = (index: number, part: object) => ({ type: 'content_block_delta', index, delta: part })
    const said = (text: string) => delta(0, { type: 'text_delta', text })
    const json = (index: number, partial: string) => delta(index, { type: 'input_json_delta', partial_json: partial })
    const use = (index: number, id: string, name: string) => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id, name, input: {} },
    })
    expect(others).toEqual([
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
      { type: 'ping' },
      said('Good m'),
      said('orning'),
      said('.'),
      { type: 'content_block_stop', index: 0 },
      use(1, 'call_main_0_0', 'one'),
      json(1, ''),
      json(1, '{"a":1'),
      json(1, '}'),
      { type: 'content_block_stop', index: 1 },
      use(2, 'call_main_0_1', 'two'),
      json(2, ''),
      json(2, '{}'),
      { type: 'content_block_stop', index: 2 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { input_tokens: 11, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      },
      { type: 'message_stop' },
    ])
  })

  it('answers whole with blocks', async () => {
    const { text } = await sent(messages, false)
    expect(JSON.parse(text)).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'text', text: 'Good morning.' },
        { type: 'tool_use', id: 'call_main_0_0', name: 'one', input: { a: 1 } },
        { type: 'tool_use', id: 'call_main_0_1', name: 'two', input: {} },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 11, output_tokens: 5 },
    })
  })

  it('takes texts and blocks, results with errors and parts, and any choice of tools', async () => {
    model = await startScriptedModel({ turns: [{ steps: [{ call: [{ tool: 't', as: 'a' }] }, { say: 'x' }] }] })
    const body = {
      max_tokens: 5,
      system: 'plain',
      tool_choice: { type: 'any' },
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 't', input: { b: 2 } }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              is_error: true,
              content: [{ type: 'text', text: 'no' }, { type: 'image' }],
            },
            { type: 'text', text: 'and now?' },
          ],
        },
      ],
    }
    // As its client asks for what is in a trial.
    expect((await post(model, '/v1/messages?beta=true', JSON.stringify(body))).status).toBe(200)
    expect(model.requests()[0]).toMatchObject({
      system: 'plain',
      toolChoice: { type: 'any' },
      messages: [
        { role: 'user', text: 'hi' },
        { role: 'assistant', text: '', calls: [{ id: 'a', tool: 't', args: '{"b":2}' }] },
        { role: 'tool', id: 'a', text: 'no\n[image]', isError: true },
        { role: 'user', text: 'and now?' },
      ],
    })
  })

  it('names errors by their status', async () => {
    for (const [status, type] of [
      [401, 'authentication_error'],
      [429, 'rate_limit_error'],
      [500, 'api_error'],
      [529, 'overloaded_error'],
    ] as const) {
      const { response, text } = await sent(
        messages,
        true,
        {},
        { turns: [{ steps: [{ fail: { status, message: 'no' } }] }] },
      )
      expect(response.status).toBe(status)
      expect(JSON.parse(text)).toEqual({ type: 'error', error: { type, message: 'no' }, request_id: null })
      await model?.close()
    }
  })
})

describe('Responses', () => {
  it('streams numbered events for each item', async () => {
    const { text } = await sent(responses, true)
    const events = dataOf(text)
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
    for (const { event, data } of eventsIn(text)) expect(JSON.parse(data).type).toBe(event)
    const short = events.map(({ type, output_index: index, delta }) =>
      [type.replace('response.', ''), index, delta].filter((part) => part !== undefined).join(' '),
    )
    expect(short).toEqual([
      'created',
      'in_progress',
      'output_item.added 0',
      'content_part.added 0',
      'output_text.delta 0 Good m',
      'output_text.delta 0 orning',
      'output_text.delta 0 .',
      'output_text.done 0',
      'content_part.done 0',
      'output_item.done 0',
      'output_item.added 1',
      'function_call_arguments.delta 1 {"a":1',
      'function_call_arguments.delta 1 }',
      'function_call_arguments.done 1',
      'output_item.done 1',
      'output_item.added 2',
      'function_call_arguments.delta 2 {}',
      'function_call_arguments.done 2',
      'output_item.done 2',
      'completed',
    ])
    expect(events.at(-1).response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'script',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Good morning.', annotations: [] }],
        },
        { type: 'function_call', id: 'fc_call_main_0_0', call_id: 'call_main_0_0', name: 'one', arguments: '{"a":1}' },
        { type: 'function_call', call_id: 'call_main_0_1', name: 'two', arguments: '{}' },
      ],
      usage: { input_tokens: 11, output_tokens: 5, total_tokens: 16 },
    })
  })
})
