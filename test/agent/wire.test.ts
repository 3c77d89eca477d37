// An agent over the wire: LangChain's chat models against a server that speaks their protocols and replays a script,
// real MCP server processes behind the surface, and what was sent compared with the surface byte for byte.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { ChatOpenAI } from '@langchain/openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/agent-event.ts'
import { openAgent } from '../../src/agent/open-agent.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model/index.ts'
import { owner, page, project } from '../runtime/a-project.ts'

let model: ScriptedModel | undefined
afterEach(async () => model?.close())

const clients = [
  [
    'OpenAI',
    (at: ScriptedModel) =>
      new ChatOpenAI({ apiKey: 'none', model: 'some', maxRetries: 0, configuration: { baseURL: at.openaiUrl } }),
  ],
  [
    'Anthropic',
    (at: ScriptedModel) =>
      new ChatAnthropic({ apiKey: 'none', model: 'some', maxRetries: 0, anthropicApiUrl: at.anthropicUrl }),
  ],
] as const

async function opened(script: Script, client: (at: ScriptedModel) => BaseChatModel, more: object = {}) {
  const { write, open, folder } = project()
  const record = join(folder, 'record')
  write(
    { notes: { record, pages: page('find', 'drop'), calls: { '*': { text: 'the blue cup' } } } },
    { tool_search: { enabled: true }, permissions: { deny: ['notes/drop'] }, ...more },
  )
  const toolbox = await open()
  const calls = await toolbox.callsOf(owner)
  model = await startScriptedModel(script)
  const agent = openAgent({ toolbox, owner, model: client(model), instructions: 'You keep the notes.' })
  const turn = async (message: string): Promise<readonly AgentEvent[]> => {
    const events: AgentEvent[] = []
    for await (const event of agent.turn(message)) events.push(event)
    return events
  }
  return { turn, toolbox, calls, model, record }
}

const kinds = (events: readonly AgentEvent[]): readonly string[] =>
  events.map(({ type }) => type).filter((type, at, all) => type !== 'text' || all[at - 1] !== 'text')

describe.each(clients)('an agent on a surface, %s', (_name, client) => {
  it('is given exactly what the thread has, request by request, through search and promotion [R8] [C1]', async () => {
    const script: Script = {
      turns: [
        {
          user: 'Where is the key?',
          steps: [
            {
              expect: { no_tools: ['notes__find'] },
              say: 'I look.',
              call: [{ tool: 'tool_search', args: { query: 'select:notes__find' } }],
            },
            { expect: { tools: ['notes__find'] }, call: [{ tool: 'notes__find', args: {} }] },
            { expect: { result: 'the blue cup' }, say: 'In the blue cup.' },
          ],
        },
      ],
    }
    const { turn, calls, model: at } = await opened(script, client)
    const events = await turn('Where is the key?')
    expect(at.faults()).toEqual([])
    expect(kinds(events)).toEqual(['turn', 'text', 'call', 'result', 'promotion', 'call', 'result', 'text', 'end'])
    expect(events.at(-1)).toEqual({ type: 'end', because: 'answered' })

    const visible = (await calls.visible()).tools
    const [first, ...later] = at.requests()
    expect(later).toHaveLength(2)
    for (const request of later) {
      expect(request.tools.map(({ name }) => name)).toEqual(visible.map(({ name }) => name))
      for (const [place, { definition }] of visible.entries())
        expect(request.tools[place]?.text).toContain(JSON.stringify(definition.inputSchema))
    }
    const names = visible.map(({ name }) => name).filter((name) => name !== 'notes__find')
    expect(first?.tools.map(({ name }) => name)).toEqual(names)
    expect(first?.system).toContain('<available-deferred-tools>\nnotes__find\n</available-deferred-tools>')
  })

  it('cannot call what it does not have: a denied tool, a deferred one, one that there is not [R3] [R7]', async () => {
    const script: Script = {
      turns: [
        {
          user: 'Go',
          steps: [
            {
              call: [
                { tool: 'notes__drop', args: {} },
                { tool: 'notes__find', args: {} },
                { tool: 'notes__fimd', args: {} },
              ],
            },
            { expect: { result: ['denied', 'not-promoted', 'did you mean'] }, say: 'I cannot.' },
          ],
        },
      ],
    }
    const { turn, toolbox, model: at, record } = await opened(script, client)
    const events = await turn('Go')
    expect(at.faults()).toEqual([])
    const refused = events.flatMap((event) => (event.type === 'refusal' ? [event.code] : []))
    const denied = toolbox.current().run.surface.named('notes__drop')[0]?.code
    expect([...refused].sort()).toEqual([denied, 'not-promoted', 'unknown-tool'])
    expect(readFileSync(record, 'utf8')).not.toContain('tools/call')
  })

  it('ends its turn with a question, also beside another call, and goes on with the answer [R1]', async () => {
    const question = { question: 'Which key?', options: ['house', 'car'] }
    const script: Script = {
      turns: [
        {
          user: 'Where is it?',
          steps: [
            {
              call: [
                { tool: 'ask_clarification', args: question },
                { tool: 'tool_search', args: { query: 'select:notes__find' } },
              ],
            },
          ],
        },
        { user: 'the car key', steps: [{ say: 'On the hook.' }] },
      ],
    }
    const { turn, model: at } = await opened(script, client)
    const first = await turn('Where is it?')
    expect(first).toContainEqual(expect.objectContaining({ type: 'clarification', question }))
    expect(first.at(-1)).toEqual({ type: 'end', because: 'waiting' })
    expect(at.requests()).toHaveLength(1)
    const second = await turn('the car key')
    expect(at.faults()).toEqual([])
    expect(second.at(-1)).toEqual({ type: 'end', because: 'answered' })
  })

  it('tells the failure of its model as the end of the turn', async () => {
    const script: Script = {
      turns: [{ user: 'Go', steps: [{ say: 'x', fail: { status: 400, message: 'not today' } }] }],
    }
    const { turn } = await opened(script, client)
    const [last] = (await turn('Go')).slice(-1)
    expect(last).toMatchObject({ type: 'end', because: 'failed', message: expect.stringContaining('not today') })
  })
})
