// The stage of one check of an adapter: a configuration with one server, a toolbox in service, and a model.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Decision } from '../core/decision.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { AgentThread } from '../runtime/agent-thread.ts'
import type { CallOutcome } from '../runtime/tool-call.ts'
import type { Toolbox } from '../runtime/toolbox.ts'
import type { Calls } from '../runtime/view.ts'
import type { DrivenAdapter, OpenAdapter } from './adapter-conformance.ts'
import { must } from './conformance-checks.ts'
import { scriptedServer } from './scripted-handles.ts'
import { type RecordedRequest, type Script, type ScriptedModel, startScriptedModel } from './scripted-model/index.ts'
import type { ServerPlan } from './scripted-plan.ts'

export interface AdapterWorld extends DrivenAdapter {
  /** All requests of the model so far. */
  readonly requests: () => readonly RecordedRequest[]
  /** What the thread has at this moment. */
  readonly visible: () => Promise<readonly Decision[]>
  /** A call past the adapter. */
  readonly call: Calls['call']
  /** The calls that reached the server, by original name, in order. */
  readonly reached: () => readonly { readonly tool: string; readonly args: Json | undefined }[]
}

export interface AdapterWorldInput {
  readonly open: OpenAdapter
  readonly script: Script
  readonly canSee: boolean
  readonly program?: string
}

/** A picture of one point. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Keys in an order of their own, and words that no schema knows: what a framework would tidy up. */
const wordSchema: JsonObject = {
  type: 'object',
  required: ['word'],
  properties: {
    word: { description: 'a word – “any”', type: 'string', minLength: 1 },
    options: { type: 'object', properties: { depth: { type: 'integer', maximum: 9 }, Case: { type: 'boolean' } } },
  },
}
const listed = (name: string): JsonObject => ({ name, description: `Does ${name}: "so".`, inputSchema: wordSchema })

const plan: ServerPlan = {
  pages: [{ tools: ['find', 'look', 'fail', 'grow', 'send', 'drop', 'archive', 'count'].map(listed) }],
  lists: [[listed('grow'), listed('grown')]],
  calls: {
    find: { tell: true },
    look: { result: { content: [{ type: 'image', data: picture, mimeType: 'image/png' }] } },
    fail: { result: { content: [{ type: 'text', text: 'the drawer is stuck' }], isError: true } },
    grow: { list: 0, text: 'there is more now' },
    archive: { text: 'the blue cup' },
  },
}

const configOf = (command: string, args: readonly string[], canSee: boolean): Json => ({
  version: 1,
  models: [{ name: 'main', can: canSee ? ['tools', 'vision'] : ['tools'] }],
  mcp_servers: { notes: { command, args, tools: { count: { keywords: ['ledger'] } } } },
  tool_search: {
    enabled: true,
    always: ['find', 'look', 'fail', 'grow', 'grown', 'send'].map((name) => `notes__${name}`),
  },
  permissions: { deny: ['notes/drop'], ask: ['notes/send'] },
})

const owner = { user: 'ada', thread: 'conformance' }

/** Runs one check, and ends all that was started for it. */
export async function inAdapterWorld(
  { open, script, canSee, program }: AdapterWorldInput,
  holds: (world: AdapterWorld) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'toolgate-adapter-'))
  const endings: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const server = scriptedServer(plan, program === undefined ? {} : { program })
    const file = join(folder, 'toolgate.json')
    await writeFile(file, JSON.stringify(configOf(server.command, server.args, canSee)))
    const { toolbox, thread } = await inService(file)
    endings.unshift(toolbox.close)
    const model = await startScriptedModel(script)
    endings.unshift(model.close)
    const calls = await toolbox.callsOf(owner)
    const adapter = await open({ toolbox, owner, thread, model })
    await holds({
      turn: adapter.turn,
      requests: model.requests,
      visible: async () => (await calls.visible()).tools,
      call: calls.call,
      reached: () =>
        server
          .received()
          .filter(({ method }) => method === 'tools/call')
          .map(({ params }) => ({ tool: String(params?.name), args: params?.arguments as Json | undefined })),
    })
    asWritten(model)
  } finally {
    for (const end of endings) await end()
  }
}

function asWritten(model: ScriptedModel): void {
  const [fault] = model.faults()
  must(fault === undefined, `a request of the model was not as it should be: ${fault}`)
  const [left] = model.unplayed()
  must(left === undefined, `the turn ended before it was over: nobody asked the model for ${left}`)
}

/** Loaded by what needs it alone: this brings the MCP client, which checks of gates and stores have no use for. */
async function inService(file: string): Promise<{ readonly toolbox: Toolbox; readonly thread: AgentThread }> {
  const [{ loadConfig }, { openToolbox }, { openAgentThread }] = await Promise.all([
    import('../config/load-config.ts'),
    import('../runtime/toolbox.ts'),
    import('../runtime/agent-thread.ts'),
  ])
  const { config, findings } = await loadConfig(file, { environment: process.env })
  if (config === undefined) throw new Error(findings[0]?.message)
  const toolbox = withGrowth(await openToolbox({ config, owner }))
  const thread = await openAgentThread({
    view: toolbox,
    owner,
    instructions: 'You keep the notes.',
    children: [],
    calls: { asksLater: true },
  })
  return { toolbox, thread }
}

/** The call of `grow` is over when what it brought is on the surface: what comes after it is the same each time. */
function withGrowth(toolbox: Toolbox): Toolbox {
  const hasGrown = (): boolean => toolbox.current().run.surface.find('notes__grown') !== undefined
  const grown = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      const heard = (): void => {
        if (!hasGrown()) return
        stop()
        resolve()
      }
      const stop = toolbox.onGeneration(heard)
      heard()
    })
  }
  return {
    ...toolbox,
    callsOf: async (whose, options) => {
      const calls = await toolbox.callsOf(whose, options)
      return {
        ...calls,
        call: async (request): Promise<CallOutcome> => {
          const outcome = await calls.call(request)
          if (request.name === 'notes__grow') await grown()
          return outcome
        },
      }
    },
  }
}
