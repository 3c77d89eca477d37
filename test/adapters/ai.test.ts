// The AI SDK's own loops on a surface, over the wire: what every adapter must hold, and what this one does beside it.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { generateText, type ModelMessage, NoSuchToolError, streamText, ToolLoopAgent } from 'ai'
import { describe, expect, it, test } from 'vitest'
import { type AiSettings, aiTurn, type MadeCall } from '../../src/adapters/ai/index.ts'
import type { AgentThread } from '../../src/runtime/agent-thread.ts'
import { type AdapterStage, adapterConformance, type OpenAdapter } from '../../src/testing/adapter-conformance.ts'
import { type AdapterWorld, inAdapterWorld } from '../../src/testing/adapter-world.ts'
import type { Script } from '../../src/testing/scripted-model/index.ts'
import { scriptedProgram } from '../sources/scripted.ts'
import { answered } from './ai-example.ts'
import { chatModel } from './chat-model.ts'

type Model = ReturnType<typeof chatModel>
/** One turn in a loop of the SDK: what is added to the conversation. */
type Loop = (model: Model, messages: ModelMessage[], settings: AiSettings) => Promise<readonly ModelMessage[]>

const loops: readonly (readonly [name: string, loop: Loop])[] = [
  [
    'streamText',
    async (model, messages, settings) => {
      const result = streamText({ model, messages, maxRetries: 0, ...settings, onError: () => {} })
      for await (const part of result.fullStream) if (part.type === 'error') throw part.error
      return (await result.response).messages
    },
  ],
  [
    'ToolLoopAgent',
    async (model, messages, settings) =>
      (await new ToolLoopAgent({ model, maxRetries: 0, ...settings }).generate({ messages })).response.messages,
  ],
]

/** Keeps the conversation, as whoever uses the SDK does. */
const adapter =
  (loop: Loop): OpenAdapter =>
  ({ thread, model }) => {
    const messages: ModelMessage[] = []
    return {
      turn: async (message) => {
        const turn = await aiTurn({ thread, message })
        messages.push(turn.message)
        messages.push(...(await loop(chatModel(model.openaiUrl), messages, turn.settings)))
        return { waitsFor: turn.waitsFor().map(({ kind }) => kind) }
      },
    }
  }

const program = scriptedProgram

describe('the adapter of the AI SDK [R10] [R3] [R7]', () => {
  // The agent's `generate` is generateText.
  for (const [name, loop] of loops)
    for (const check of adapterConformance(name, adapter(loop), { program })) test(check.name, check.run)
})

/** A stage with a model that replays these steps, and what holds on it. */
async function onStage(
  steps: Script['turns'][number]['steps'],
  holds: (stage: AdapterStage, world: AdapterWorld) => Promise<void>,
): Promise<void> {
  let stage: AdapterStage | undefined
  const open: OpenAdapter = (given) => {
    stage = given
    return { turn: () => Promise.reject(new Error('the test makes the turn')) }
  }
  await inAdapterWorld({ open, script: { turns: [{ steps }] }, canSee: true, program }, async (world) => {
    if (stage !== undefined) await holds(stage, world)
  })
}

const find = { tool: 'notes__find', args: { word: 'key' } }

describe('a turn of the AI SDK [R10]', () => {
  it('reads in the documentation as it runs', async () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../docs/adapters.md'), 'utf8')
    for (const name of ['ai-example', 'own-adapter']) {
      const source = readFileSync(resolve(import.meta.dirname, `${name}.ts`), 'utf8')
      const [, shown = ''] = /\/\/ docs\n([\s\S]*?)\n *\/\/ end/.exec(source) ?? []
      const indent = /^ */.exec(shown)?.[0] ?? ''
      const lines = shown.split('\n').map((line) => line.replace(indent, ''))
      expect(lines.length).toBeGreaterThanOrEqual(5)
      expect(page).toContain(lines.join('\n'))
    }
    await onStage([{ call: [find] }, { say: 'In the blue cup.' }], async ({ thread, model }) => {
      const history: ModelMessage[] = []
      const answer = await answered({ thread, model: chatModel(model.openaiUrl), history }, 'Where is the key?')
      expect(answer).toEqual({ text: 'In the blue cup.', waitsFor: [] })
      expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    })
  })

  it('tells its program of each call, and of a refusal as an error whose cause is the outcome', async () => {
    const search = { tool: 'tool_search', args: { query: 'select:notes__archive' } }
    await onStage([{ call: [search, { tool: 'notes__drop' }] }, { say: 'Done.' }], async ({ thread, model }) => {
      const made: MadeCall[] = []
      const turn = await aiTurn({ thread, message: 'Go', onCall: (call) => made.push(call) })
      const { steps } = await generateText({
        model: chatModel(model.openaiUrl),
        messages: [turn.message],
        ...turn.settings,
      })
      const byName = new Map(made.map((call) => [call.name, call]))
      expect(byName.get('tool_search')?.promoted.map(({ name }) => name)).toEqual(['notes__archive'])
      expect(byName.get('notes__drop')).toMatchObject({ outcome: { kind: 'refused' }, callId: 'call_main_0_1' })
      const error = steps[0]?.content.find(({ type }) => type === 'tool-error')
      expect(error).toMatchObject({ toolName: 'notes__drop', error: { cause: byName.get('notes__drop')?.outcome } })
      expect(steps[0]?.toolResults).toMatchObject([{ toolName: 'tool_search', output: { kind: 'result' } }])
    })
  })

  it('keeps in the conversation what the model wrote, where a conversation can hold it', async () => {
    const call = [
      { tool: 'notes__find', raw_args: '[1]' },
      { tool: 'notes__fimd', raw_args: '{"word"' },
      { tool: 'notes__fimd', raw_args: '{"word":"key"}' },
      { tool: 'tool_search', raw_args: 'null' },
      { tool: 'notes__find', raw_args: '{"__proto__":{"word":"key"}}' },
    ]
    await onStage([{ call }, { say: 'Done.' }], async ({ thread, model }, { requests, reached }) => {
      const turn = await aiTurn({ thread, message: 'Go' })
      await generateText({ model: chatModel(model.openaiUrl), messages: [turn.message], ...turn.settings })
      const messages = requests()[1]?.messages ?? []
      const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
      expect(calls.map(({ args }) => args)).toEqual(['{}', '{}', '{"word":"key"}', '{}', '{}'])
      const codes = messages.flatMap((message) => (message.role === 'tool' ? [message.text.split(':')[0]] : []))
      expect(codes).toEqual([
        'arguments-invalid',
        'unknown-tool',
        'unknown-tool',
        'arguments-invalid',
        'arguments-invalid',
      ])
      expect(reached()).toEqual([])
    })
  })

  it('ends after so many requests of the model', async () => {
    await onStage([{ call: [find] }, { call: [find] }], async ({ thread, model }, { requests }) => {
      const turn = await aiTurn({ thread, message: 'Go', stepsMax: 2 })
      await generateText({ model: chatModel(model.openaiUrl), messages: [turn.message], ...turn.settings })
      expect(requests()).toHaveLength(2)
    })
  })

  it('refuses with its own words also where its caller has narrowed the tools', async () => {
    const call = [find, { tool: 'tool_search', args: { query: 'key' } }]
    await onStage([{ call }, { say: 'Done.' }], async ({ thread, model }, { requests, reached }) => {
      const turn = await aiTurn({ thread, message: 'Go' })
      const activeTools = ['tool_search']
      await generateText({ model: chatModel(model.openaiUrl), messages: [turn.message], ...turn.settings, activeTools })
      expect(requests()[0]?.tools.map(({ name }) => name)).toEqual(activeTools)
      expect(reached()).toHaveLength(1)
    })
  })

  it('leaves calls that a provider carries out to it, and hands on that a turn is called off', async () => {
    await onStage([{ call: [find] }], async ({ thread, model }) => {
      const caller = new AbortController()
      const signals: (AbortSignal | undefined)[] = []
      const own: AgentThread = {
        ...thread,
        call: (request) => {
          caller.abort()
          signals.push(request.signal)
          return thread.call(request)
        },
      }
      const turn = await aiTurn({ thread: own, message: 'Go' })
      const asked = { model: chatModel(model.openaiUrl), messages: [turn.message], abortSignal: caller.signal }
      await expect(generateText({ ...asked, ...turn.settings })).rejects.toThrow(/abort/i)
      expect(signals.map((signal) => signal?.aborted)).toEqual([true])

      const { tools, experimental_repairToolCall: repair } = turn.settings
      const toolCall = {
        type: 'tool-call',
        toolCallId: '1',
        toolName: 'web',
        input: '{}',
        providerExecuted: true,
      } as const
      const error = new NoSuchToolError({ toolName: 'web' })
      const more = { system: undefined, messages: [], inputSchema: async () => ({}) }
      expect(await repair({ toolCall, tools, error, ...more })).toBeNull()
    })
  })
})
