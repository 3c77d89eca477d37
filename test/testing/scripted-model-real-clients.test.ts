import { ChatAnthropic } from '@langchain/anthropic'
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { afterEach, describe, expect, it } from 'vitest'
import { type Script, type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model/index.ts'

const script: Script = {
  turns: [
    {
      user: 'Who has the key?',
      steps: [
        {
          expect: { only_tools: ['search_notes', 'echo'], system: 'desk' },
          say: 'I look, und ich schaue – 看一看 🔑.',
          call: [
            { tool: 'search_notes', args: { word: 'schlüssel 🔑', deep: { list: [1, 2.5, null, true] } } },
            { tool: 'echo', args: {} },
          ],
          usage: { input: 20, output: 9 },
        },
        { expect: { result: ['blue cup', 'echoed'] }, say: 'In the blue cup.' },
      ],
    },
    { user: 'Thanks', steps: [{ say: 'Gladly.', fail: { status: 400, message: 'not today' } }] },
  ],
}

const schema = { type: 'object', properties: { word: { type: 'string' } } }
const openaiTools = ['search_notes', 'echo'].map((name) => ({
  type: 'function' as const,
  function: { name, description: 'd', parameters: schema },
}))

let model: ScriptedModel | undefined
afterEach(async () => model?.close())

const makers = [
  ['OpenAI, Chat Completions', (at: ScriptedModel) => openai(at, false)],
  ['OpenAI, Responses', (at: ScriptedModel) => openai(at, true)],
  [
    'Anthropic, Messages',
    (at: ScriptedModel) =>
      new ChatAnthropic({ apiKey: 'none', model: 'some', maxRetries: 0, anthropicApiUrl: at.anthropicUrl }).bindTools(
        openaiTools,
      ),
  ],
] as const

const openai = (at: ScriptedModel, useResponsesApi: boolean) =>
  new ChatOpenAI({
    apiKey: 'none',
    model: 'some',
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: at.openaiUrl },
  }).bindTools(openaiTools)

const ways = makers.flatMap(([name, make]) => [
  { name: `${name}, streamed`, make, stream: true },
  { name: `${name}, whole`, make, stream: false },
])

describe.each(ways)('the client that people use: $name', ({ make, stream }) => {
  it('goes through a conversation', async () => {
    const at = await startScriptedModel(script)
    model = at
    const client = make(at)
    const ask = async (messages: readonly BaseMessage[]): Promise<AIMessage> => {
      if (!stream) return client.invoke([...messages])
      const pieces = []
      for await (const piece of await client.stream([...messages])) pieces.push(piece)
      expect(pieces.length).toBeGreaterThan(2)
      return pieces.slice(1).reduce((sum, piece) => sum.concat(piece), pieces[0] as (typeof pieces)[number])
    }
    const history: BaseMessage[] = [new SystemMessage('You work at a desk.'), new HumanMessage('Who has the key?')]
    const one = await ask(history)
    expect(one.text).toBe('I look, und ich schaue – 看一看 🔑.')
    expect(one.tool_calls?.map(({ name, args }) => [name, args])).toEqual([
      ['search_notes', { word: 'schlüssel 🔑', deep: { list: [1, 2.5, null, true] } }],
      ['echo', {}],
    ])
    expect(one.usage_metadata).toMatchObject({ input_tokens: 20, output_tokens: 9, total_tokens: 29 })
    expect(JSON.stringify([one.response_metadata, one.additional_kwargs])).toContain('no model was asked')

    const results = (one.tool_calls ?? []).map(
      ({ id = '' }, index) =>
        new ToolMessage({ tool_call_id: id, content: ['in the blue cup', 'echoed'][index] ?? '' }),
    )
    const two = await ask([...history, one, ...results])
    expect([two.text, two.tool_calls]).toEqual(['In the blue cup.', []])
    expect(at.faults()).toEqual([])

    const thanks = [...history, one, ...results, two, new HumanMessage('Thanks')]
    await expect(ask(thanks)).rejects.toThrow('not today')
    await expect(ask([...history, new AIMessage('x'), new HumanMessage('y')])).rejects.toThrow(
      'scripted model, request 2',
    )
    expect(at.requests()[0]?.tools.map(({ name }) => name)).toEqual(['search_notes', 'echo'])
  })
})
