// One step of an agent (a request of the model, a call of a tool, the result) with five hundred tools: through our
// enforcement, next to the bare framework with the same tools. The model is one of this process that costs nothing, so
// what is compared is the work around it. Each round is one turn of many steps, and the ways take turns.
//
// From the source: what is measured is long loaded when it is measured, and the parts are no exports of the package.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { surfaceMiddleware } from '../src/agent/langchain/surface-middleware.ts'
import { openAgent } from '../src/agent/open-agent.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { openAgentThread } from '../src/runtime/agent-thread.ts'
import { openToolbox } from '../src/runtime/toolbox.ts'
import { callingModel } from './agent-step/calling-model.ts'
import { median, milliseconds, printRatios } from './ratios.ts'

const toolsCount = 500
const stepsOfTurn = 20
const rounds = 30
const warmUp = 5
/** Steps of the framework in one turn: its hooks count as well. */
const recursionLimit = stepsOfTurn * 10

const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'))
const names = Array.from({ length: toolsCount }, (_, at) => `tool_${at}`)
const moduleFile = join(folder, 'tools.mjs')
const schemaOf = (name: string) => ({
  type: 'object' as const,
  properties: {
    text: { type: 'string' as const, description: `What ${name} works on.` },
    count: { type: 'integer', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['text'],
})
writeFileSync(
  moduleFile,
  `const run = async ({ text }) => 'done with ' + text
${names
  .map(
    (name) =>
      `export const ${name} = { name: '${name}', description: 'Works on a text as ${name} does.', inputSchema: ${JSON.stringify(schemaOf(name))}, execute: run }`,
  )
  .join('\n')}\n`,
)
const configFile = join(folder, 'toolgate.json')
writeFileSync(
  configFile,
  JSON.stringify({
    version: 1,
    state: { url: 'sqlite::memory:' },
    tool_search: { enabled: false },
    tools: names.map((name) => ({ name, use: `./tools.mjs:${name}` })),
  }),
)
const { config, findings } = await loadConfig(configFile, { environment: process.env })
if (config === undefined) throw new Error(`the configuration of the benchmark is not usable: ${findings[0]?.message}`)
const owner = { user: 'bench', thread: 'bench' }
const toolbox = await openToolbox({ config, owner, stateFolder: join(folder, 'state') })
try {
  const model = callingModel({ steps: stepsOfTurn, call: { name: 'tool_250', args: { text: 'hello', count: 1 } } })
  const { execute } =
    ((await import(pathToFileURL(moduleFile).href)) as Record<string, { execute: (args: object) => Promise<string> }>)
      .tool_0 ?? {}
  if (execute === undefined) throw new Error('the tools of the benchmark are not there')
  const bareTools = names.map((name) =>
    tool((args: object) => execute(args), {
      name,
      description: `Works on a text as ${name} does.`,
      schema: schemaOf(name),
    }),
  )
  const said = () => ({ messages: [new HumanMessage('go')] })
  const thread = await openAgentThread({ view: toolbox, owner, instructions: '', children: [] })
  const { tools } = await thread.step()
  if (tools.length < toolsCount) throw new Error(`the surface has ${tools.length} tools, not ${toolsCount}`)
  let turns = 0
  const ways = {
    bare: async () => {
      const agent = createAgent({ model, tools: bareTools })
      return (await agent.invoke(said(), { recursionLimit })).messages.length
    },
    middlewares: async () => {
      const { middleware } = surfaceMiddleware({
        thread,
        tell: () => {},
        hasWords: true,
        childWaits: () => [],
        signal: new AbortController().signal,
      })
      const agent = createAgent({ model, tools: [], middleware: [middleware] })
      return (await agent.invoke(said(), { recursionLimit })).messages.length
    },
    bareKept: async () => {
      const agent = createAgent({ model, tools: bareTools, checkpointer: new MemorySaver() })
      const options = { recursionLimit, streamMode: 'messages' as const, configurable: { thread_id: 'bench' } }
      let parts = 0
      for await (const part of await agent.stream(said(), options)) parts += part.length > 0 ? 1 : 0
      return parts
    },
    whole: async () => {
      turns += 1
      const agent = openAgent({
        toolbox,
        owner: { user: 'bench', thread: `t${turns}` },
        model,
        stepsMax: stepsOfTurn + 5,
      })
      let results = 0
      for await (const event of agent.turn('go')) {
        if (event.type === 'result' && !event.isError) results += 1
        if (event.type === 'end' && event.because !== 'answered') throw new Error(`the turn ended: ${event.message}`)
      }
      return results
    },
  }
  const order = ['bare', 'middlewares', 'bareKept', 'whole'] as const
  const wall = new Map<string, number[]>()
  const processor = new Map<string, number[]>()
  const add = (to: Map<string, number[]>, way: string, value: number) => to.set(way, [...(to.get(way) ?? []), value])
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const way of order) {
      const usage = process.cpuUsage()
      const begin = performance.now()
      const made = await ways[way]()
      const ms = performance.now() - begin
      const { user, system } = process.cpuUsage(usage)
      if (made < stepsOfTurn) throw new Error(`the ${way} turn had ${made} of ${stepsOfTurn} steps`)
      if (round < warmUp) continue
      add(wall, way, ms / stepsOfTurn)
      add(processor, way, (user + system) / 1000 / stepsOfTurn)
    }
  }
  const of = (from: Map<string, number[]>, way: (typeof order)[number]) => median(from.get(way) ?? [])
  printRatios({
    title: 'agent-step',
    about: [
      `${toolsCount} tools for the model, one call a step; turns of ${stepsOfTurn} steps; a model of this process`,
      `medians of ${rounds} turns in turn, after ${warmUp} that are not counted; figures are of one step`,
    ],
    ratios: [
      {
        what: 'a step through the middlewares',
        value: of(wall, 'middlewares'),
        peer: 'the bare framework',
        peerValue: of(wall, 'bare'),
        most: 1.1,
      },
      {
        what: 'the same, processor time',
        value: of(processor, 'middlewares'),
        peer: 'the bare framework',
        peerValue: of(processor, 'bare'),
      },
      {
        what: 'a step of the whole agent, kept and told',
        value: of(wall, 'whole'),
        peer: 'the bare one, kept in memory and told',
        peerValue: of(wall, 'bareKept'),
      },
      {
        what: 'the same, processor time',
        value: of(processor, 'whole'),
        peer: 'the bare one, kept in memory and told',
        peerValue: of(processor, 'bareKept'),
      },
    ],
    figure: milliseconds,
  })
} finally {
  await toolbox.close()
  rmSync(folder, { recursive: true, force: true })
}
