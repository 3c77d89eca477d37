// An agent over the wire, for tests: a chat model of LangChain against a server that replays a script, and real MCP
// server processes behind the surface.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChatOpenAI } from '@langchain/openai'
import { afterEach, expect } from 'vitest'
import type { AgentEvent } from '../../src/agent/agent-event.ts'
import { type AgentInput, openAgent } from '../../src/agent/open-agent.ts'
import { type ApprovalBoard, approvalBoard } from '../../src/runtime/approvals/approval-board.ts'
import type { Toolbox, ToolboxOptions } from '../../src/runtime/toolbox.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model/index.ts'
import { owner, page, project } from '../runtime/a-project.ts'

const models: ScriptedModel[] = []
afterEach(async () => {
  for (const model of models.splice(0)) await model.close()
})

export interface World {
  readonly model: ScriptedModel
  /** An agent of a toolbox of its own, as a new program would open it. */
  readonly start: (options?: Partial<ToolboxOptions>, more?: Partial<AgentInput>) => Promise<Started>
  /** Calls of `notes` that reached it, by tool. */
  readonly made: () => readonly string[]
}

export interface Started {
  readonly toolbox: Toolbox
  readonly say: (message: string, signal?: AbortSignal) => Promise<readonly AgentEvent[]>
  readonly resume: () => Promise<readonly AgentEvent[]>
  readonly waiting: ReturnType<typeof openAgent>['waiting']
  readonly board: () => Promise<ApprovalBoard>
}

export const openaiClient = (at: ScriptedModel) =>
  new ChatOpenAI({ apiKey: 'none', model: 'some', maxRetries: 0, configuration: { baseURL: at.openaiUrl } })

/** `notes` has the tools find, drop and tell; `more` are other keys of the configuration. */
export async function world(script: Script, more: object = {}): Promise<World> {
  const { write, open, folder } = project()
  const record = join(folder, 'record')
  const plan = { record, pages: page('find', 'drop', 'tell'), calls: { '*': { text: 'the blue cup' } } }
  write({ notes: plan }, { tool_search: { enabled: false }, ...more })
  const model = await startScriptedModel(script)
  models.push(model)
  return {
    model,
    start: async (options = {}, rest = {}) => {
      const toolbox = await open(options)
      const agent = openAgent({ toolbox, owner, model: openaiClient(model), ...rest })
      return {
        toolbox,
        say: (message, signal) => all(agent.turn(message, signal)),
        resume: () => all(agent.resume()),
        waiting: agent.waiting,
        board: async () => approvalBoard(await toolbox.state()),
      }
    },
    made: () => madeIn(record),
  }
}

async function all(events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

function madeIn(record: string): readonly string[] {
  if (!existsSync(record)) return []
  return readFileSync(record, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"tools/call"'))
    .map((line) => /"name":"([a-z]+)"/.exec(line)?.[1] ?? line)
}

export const kinds = (events: readonly AgentEvent[]): readonly string[] =>
  events.map(({ type }) => type).filter((type, at, list) => type !== 'text' || list[at - 1] !== 'text')

export const endOf = (events: readonly AgentEvent[]): string => {
  const last = events.at(-1)
  return last?.type === 'end' ? `${last.because}${last.message === undefined ? '' : `: ${last.message}`}` : 'no end'
}

export const childEvents = (events: readonly AgentEvent[]): readonly AgentEvent[] =>
  events.flatMap((event) => (event.type === 'child' ? [event.event] : []))

/** What went wrong with the script is said before anything else. */
export const asWritten = (model: ScriptedModel): void => expect(model.faults()).toEqual([])
