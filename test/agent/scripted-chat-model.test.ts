import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { afterEach, describe, expect, it } from 'vitest'
import { scriptedChatModel } from '../../src/agent/langchain/scripted-chat-model.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model/index.ts'
import { scriptPlayer } from '../../src/testing/scripted-model/script-player.ts'

let server: ScriptedModel | undefined
afterEach(async () => server?.close())

const textSchema = { type: 'object', properties: { word: { type: 'string' } } } as const
const find = tool(({ word }: { word?: string }) => `found ${word}`, {
  name: 'find',
  description: 'Finds a word.',
  schema: textSchema,
})
const drop = tool(() => 'gone', { name: 'drop', description: 'Drops.', schema: textSchema })

const said = 'I look for it, in the notes as well as in the papers: ünïcode too.'
const script: Script = {
  turns: [
    {
      user: 'Where is the key?',
      steps: [
        {
          expect: { tools: ['find', 'drop'], no_tools: 'bash', system: 'You keep the notes.' },
          say: said,
          call: [
            { tool: 'find', args: { word: 'key' } },
            { tool: 'find', args: { word: 'cup' }, as: 'second' },
          ],
        },
        { expect: { result: ['found key', 'found cup'] }, call: [{ tool: 'drop' }] },
        { expect: { result: 'gone' }, say: 'In the blue cup.' },
      ],
    },
    { user: 'Thanks', steps: [{ say: 'Not at all.', usage: { input: 7, output: 3 } }] },
  ],
}

/** Both turns of an agent of the framework on a model: what was said, called and answered. */
async function conversation(model: BaseChatModel, isStream: boolean): Promise<readonly object[]> {
  const agent = createAgent({ model, tools: [find, drop], systemPrompt: 'You keep the notes.' })
  let messages: BaseMessage[] = []
  for (const word of ['Where is the key?', 'Thanks']) {
    const input = { messages: [...messages, new HumanMessage(word)] }
    // A stream of messages makes the framework ask its model for a stream.
    const modes = isStream ? (['messages', 'values'] as const) : (['values'] as const)
    for await (const [mode, part] of await agent.stream(input, { streamMode: [...modes] }))
      if (mode === 'values') messages = (part as { messages: BaseMessage[] }).messages
  }
  return messages.map((message) => ({
    kind: message.getType(),
    text: message.text,
    calls: AIMessage.isInstance(message) ? message.tool_calls?.map(({ id, name, args }) => ({ id, name, args })) : [],
    used: AIMessage.isInstance(message) ? message.usage_metadata?.output_tokens : 0,
  }))
}

const openAi = (at: ScriptedModel): ChatOpenAI =>
  new ChatOpenAI({ apiKey: 'none', model: 'some', maxRetries: 0, configuration: { baseURL: at.openaiUrl } })

const oneStep = (step: Script['turns'][number]['steps'][number]): Script => ({ turns: [{ steps: [step] }] })

describe('a written conversation as a model of this process', () => {
  it.each([false, true])('has the same conversation as over HTTP, streamed: %s', async (isStream) => {
    server = await startScriptedModel(script)
    const over = await conversation(openAi(server), isStream)
    const player = scriptPlayer(script)
    expect(await conversation(scriptedChatModel(player), isStream)).toEqual(over)
    expect(over).toHaveLength(9)
    expect(server.requests().map(({ stream }) => stream)).toEqual([isStream, isStream, isStream, isStream])
    expect([server.faults(), player.faults()]).toEqual([[], []])
    expect(player.unplayed()).toEqual([])
  })

  it('streams its text in pieces, and calls with their ids', async () => {
    const bound = scriptedChatModel(script).bindTools?.([find, drop])
    if (bound === undefined) throw new Error('it takes tools')
    const pieces: AIMessageChunk[] = []
    for await (const piece of await bound.stream([
      ['system', 'You keep the notes.'],
      new HumanMessage('Where is the key?'),
    ]))
      pieces.push(piece)
    expect(pieces.filter(({ text }) => text !== '').length).toBeGreaterThan(5)
    const whole = pieces.reduce((before, piece) => before.concat(piece))
    expect(whole.text).toBe(said)
    expect(whole.tool_calls?.map(({ id, name, args }) => ({ id, name, args }))).toEqual([
      { id: 'call_main_0_0', name: 'find', args: { word: 'key' } },
      { id: 'second', name: 'find', args: { word: 'cup' } },
    ])
    expect(whole.response_metadata.system_fingerprint).toContain('no model was asked')
  })

  it.each<[string, Script, RegExp]>([
    [
      'a tool that is not listed',
      oneStep({ expect: { tools: 'drop' }, say: 'x' }),
      /the tool "drop" is expected, and is not listed; listed are find/,
    ],
    [
      'a tool that is',
      oneStep({ expect: { no_tools: 'find' }, say: 'x' }),
      /the tool "find" is listed, and is expected not to be/,
    ],
    [
      'words of the person',
      { turns: [{ user: 'Good night', steps: [{ say: 'x' }] }] },
      /expects that the person says "Good night"; what came is "Hello"/,
    ],
    [
      'words of the system',
      oneStep({ expect: { system: 'a clerk' }, say: 'x' }),
      /the system prompt is expected to hold "a clerk"/,
    ],
  ])('rejects with what does not hold: %s', async (_case, broken, fault) => {
    const player = scriptPlayer(broken)
    const bound = scriptedChatModel(player).bindTools?.([find])
    await expect(bound?.invoke([new HumanMessage('Hello')])).rejects.toThrow(fault)
    expect(player.faults()).toEqual([expect.stringMatching(fault)])
    expect(player.unplayed()).toEqual(['turns[0].steps[0]'])
  })

  it('takes tools in the form of OpenAI as well, and results that failed', async () => {
    const player = scriptPlayer({
      turns: [
        {
          steps: [
            { expect: { only_tools: ['seek'] }, call: [{ tool: 'seek', raw_args: '{"word": ' }] },
            { expect: { result: 'no such word' }, say: 'Nothing.' },
          ],
        },
      ],
    })
    const bound = scriptedChatModel(player).bindTools?.([
      { type: 'function', function: { name: 'seek', description: 'Seeks.', parameters: textSchema } },
    ])
    const asked = new HumanMessage('Go')
    const called = await bound?.invoke([asked])
    if (called === undefined) throw new Error('it answers')
    const failed = new ToolMessage({ tool_call_id: 'call_main_0_0', content: 'no such word', status: 'error' })
    expect((await bound?.invoke([asked, called, failed]))?.text).toBe('Nothing.')
    expect(player.faults()).toEqual([])
  })

  it('refuses a history that every provider refuses', async () => {
    const model = scriptedChatModel(script)
    const call = new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'find', args: {} }] })
    await expect(model.invoke([new HumanMessage('a'), call, new HumanMessage('b')])).rejects.toThrow(
      /a provider would refuse it: messages: each call must be followed by its result; without one: "c1"/,
    )
  })

  it('fails as the script has it, as often as the script has it', async () => {
    const model = scriptedChatModel(oneStep({ say: 'Now.', fail: { status: 529, message: 'busy', times: 1 } }))
    await expect(model.invoke([new HumanMessage('a')])).rejects.toMatchObject({ message: 'busy', status: 529 })
    expect((await model.invoke([new HumanMessage('a')])).text).toBe('Now.')
  })

  it('breaks off within its answer where the script has it so', async () => {
    const model = scriptedChatModel(oneStep({ say: said, fail: { cut: 'middle' } }))
    let got = ''
    const reading = (async () => {
      for await (const piece of await model.stream([new HumanMessage('a')])) got += piece.text
    })()
    await expect(reading).rejects.toThrow('the script has a failure here')
    expect(said.startsWith(got)).toBe(true)
    expect(got.length).toBeGreaterThan(5)
    expect(got.length).toBeLessThan(said.length)
  })

  it('stops when it is called off', async () => {
    const ends = new AbortController()
    const model = scriptedChatModel(oneStep({ say: said, pace_ms: 3_600_000 }))
    const reading = (async () => {
      for await (const _piece of await model.stream([new HumanMessage('a')], { signal: ends.signal })) ends.abort()
    })()
    await expect(reading).rejects.toThrow(/abort/i)
  })

  it('tells children apart by their system prompt, their task and the model that is asked for', async () => {
    const player = scriptPlayer({
      turns: [{ steps: [{ say: 'main' }] }],
      children: [
        { name: 'other', when: { model: 'small' }, turns: [{ steps: [{ say: 'small' }] }] },
        { name: 'task', when: { user: 'sum up' }, turns: [{ steps: [{ say: 'task' }] }] },
      ],
    })
    const ask = async (words: string, model?: string) =>
      (await scriptedChatModel(player, model === undefined ? {} : { model }).invoke([new HumanMessage(words)])).text
    expect([await ask('Go'), await ask('please sum up'), await ask('Go', 'small')]).toEqual(['main', 'task', 'small'])
    expect(player.unplayed()).toEqual([])
  })
})
