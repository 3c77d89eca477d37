// One step of an agent (a request of the model, a call of a tool, its result) with five hundred tools: through our
// enforcement, next to the bare framework with the same tools. The model is one of this process; it writes its requests
// as a client of a provider does, and sends them nowhere. Every round is a turn of many steps, the ways in turn.
//
// From the source: what is measured was loaded long before, and its parts are no exports of the package.

import { HumanMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { surfaceMiddleware } from '../src/agent/langchain/surface-middleware.ts'
import { openAgent } from '../src/agent/open-agent.ts'
import { openAgentThread } from '../src/runtime/agent-thread.ts'
import { callingModel } from './agent-step/calling-model.ts'
import { manyTools, owner } from './agent-step/many-tools.ts'
import { median, milliseconds, printRatios, type Ratio } from './ratios.ts'

const toolsCount = 500
const stepsOfTurn = 20
const rounds = 40
const warmUp = 8
/** Steps of the framework in one turn: its hooks count as well. */
const recursionLimit = stepsOfTurn * 10

const { toolbox, bare: bareTools, close } = await manyTools(toolsCount)
try {
  const call = { name: 'tool_250', args: { text: 'hello', count: 1 } }
  const model = callingModel({ steps: stepsOfTurn, call, writes: true })
  const idleModel = callingModel({ steps: stepsOfTurn, call, writes: false })
  const thread = await openAgentThread({ view: toolbox, owner, instructions: '', children: [] })
  const { tools } = await thread.step()
  if (tools.length < toolsCount) throw new Error(`the surface has ${tools.length} tools, not ${toolsCount}`)

  type Model = typeof model
  const said = () => ({ messages: [new HumanMessage('go')] })
  const bare = async (asked: Model): Promise<number> => {
    const agent = createAgent({ model: asked, tools: [...bareTools] })
    return (await agent.invoke(said(), { recursionLimit })).messages.length
  }
  const held = async (asked: Model): Promise<number> => {
    const { signal } = new AbortController()
    const around = { thread, tell: () => {}, hasWords: true, childWaits: () => [], signal }
    const agent = createAgent({ model: asked, tools: [], middleware: [...surfaceMiddleware(around).middleware] })
    return (await agent.invoke(said(), { recursionLimit })).messages.length
  }
  const bareKept = async (): Promise<number> => {
    const agent = createAgent({ model, tools: [...bareTools], checkpointer: new MemorySaver() })
    const more = { streamMode: 'messages', durability: 'sync', configurable: { thread_id: 'bench' } } as const
    let parts = 0
    for await (const part of await agent.stream(said(), { recursionLimit, ...more })) parts += part.length > 0 ? 1 : 0
    return parts
  }
  let turns = 0
  const whole = async (): Promise<number> => {
    turns += 1
    const stepsMax = stepsOfTurn + 5
    const agent = openAgent({ toolbox, owner: { ...owner, thread: `t${turns}` }, model, stepsMax })
    let results = 0
    for await (const event of agent.turn('go')) {
      if (event.type === 'result' && !event.isError) results += 1
      if (event.type === 'end' && event.because !== 'answered') throw new Error(`the turn ended: ${event.message}`)
    }
    return results
  }

  const ways = {
    bare: () => bare(model),
    held: () => held(model),
    bareIdle: () => bare(idleModel),
    heldIdle: () => held(idleModel),
    bareKept,
    whole,
  }
  type Way = keyof typeof ways
  const order = Object.keys(ways) as Way[]
  const took = new Map(order.map((way) => [way, { wall: [] as number[], processor: [] as number[] }]))
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const way of order) {
      const usage = process.cpuUsage()
      const begin = performance.now()
      const made = await ways[way]()
      const wall = performance.now() - begin
      const { user, system } = process.cpuUsage(usage)
      if (made < stepsOfTurn) throw new Error(`the turn of "${way}" had ${made} of ${stepsOfTurn} steps`)
      if (round < warmUp) continue
      took.get(way)?.wall.push(wall / stepsOfTurn)
      took.get(way)?.processor.push((user + system) / 1000 / stepsOfTurn)
    }
  }

  const of = (way: Way, what: 'wall' | 'processor'): number => median(took.get(way)?.[what] ?? [])
  const compared = (what: string, [way, peer]: readonly [Way, Way], most?: number): Ratio[] => [
    {
      what,
      value: of(way, 'wall'),
      peer: 'bare',
      peerValue: of(peer, 'wall'),
      ...(most === undefined ? {} : { most }),
    },
    { what: '  processor time', value: of(way, 'processor'), peer: 'bare', peerValue: of(peer, 'processor') },
  ]
  printRatios({
    title: 'agent-step',
    about: [
      `${tools.length} tools for the model, one call a step; medians of ${rounds} turns of ${stepsOfTurn} steps, after ${warmUp}`,
      'bare: the framework with the same tools and no middleware',
    ],
    ratios: [
      ...compared('a step through the middlewares', ['held', 'bare'], 1.1),
      ...compared('with a model that costs nothing', ['heldIdle', 'bareIdle']),
      ...compared('a step of the whole agent; bare with a saver in memory', ['whole', 'bareKept']),
    ],
    figure: milliseconds,
  })
} finally {
  await close()
}
