// An agent on a surface: a turn is one message of the person and all that follows until the model answers, asks, or is
// stopped. Apart from everything else, because loading the framework takes most of a second.

import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import type { ThreadOwner } from '../workspace/workspace.ts'
import type { AgentEvent } from './agent-event.ts'
import { type AgentThread, type AgentThreadInput, agentThread } from './agent-thread.ts'
import { eventQueue } from './event-queue.ts'
import { surfaceMiddleware } from './langchain/surface-middleware.ts'

export interface AgentInput extends AgentThreadInput {
  readonly model: BaseChatModel
  /** Requests of the model in one turn. Absent: 50. */
  readonly stepsMax?: number
}

export interface Agent {
  /** Events of one turn; the last is `end`. Never rejects, and stops when the reader stops reading. */
  readonly turn: (message: string, signal?: AbortSignal) => AsyncGenerator<AgentEvent, void, undefined>
}

/** Steps of the framework for each request of the model: the hook before it, the request, the calls. */
const graphStepsEach = 4

export function openAgent({ model, stepsMax = 50, ...input }: AgentInput): Agent {
  const thread = agentThread(input)
  const checkpointer = new MemorySaver()
  return {
    turn: async function* (message, signal) {
      const queue = eventQueue<AgentEvent>()
      const ends = new AbortController()
      const stop = signal === undefined ? ends.signal : AbortSignal.any([signal, ends.signal])
      const tell = queue.push
      const running = run({ message, thread, model, checkpointer, stepsMax, owner: input.owner, stop, tell })
      void running.then(queue.end, queue.end)
      try {
        yield* queue.events()
      } finally {
        ends.abort()
        await running
      }
    },
  }
}

interface Run {
  readonly message: string
  readonly thread: AgentThread
  readonly model: BaseChatModel
  readonly checkpointer: MemorySaver
  readonly stepsMax: number
  readonly owner: ThreadOwner
  readonly stop: AbortSignal
  readonly tell: (event: AgentEvent) => void
}

async function run({ message, thread, model, checkpointer, stepsMax, owner, stop, tell }: Run): Promise<void> {
  let isWaiting = false
  const told = (event: AgentEvent): void => {
    if (event.type === 'clarification') isWaiting = true
    tell(event)
  }
  try {
    for (const { name, by } of await thread.begin([{ role: 'user', text: message }]))
      tell({ type: 'promotion', tool: name, by })
    const { tools } = await thread.step()
    tell({ type: 'turn', thread: owner.thread, agent: thread.name(), tools: tools.map(({ name }) => name) })
    const middleware = surfaceMiddleware({ thread, tell: told, signal: stop })
    const agent = createAgent({ model, tools: [], middleware: [middleware], checkpointer })
    const stream = await agent.stream(
      { messages: [new HumanMessage(message)] },
      {
        streamMode: 'messages',
        recursionLimit: stepsMax * graphStepsEach,
        signal: stop,
        configurable: { thread_id: JSON.stringify([owner.user, owner.thread]) },
      },
    )
    for await (const [chunk] of stream as AsyncIterable<[BaseMessage, unknown]>) {
      const text = chunk instanceof AIMessageChunk || chunk.getType() === 'ai' ? chunk.text : ''
      if (text !== '') tell({ type: 'text', text })
    }
    tell({ type: 'end', because: isWaiting ? 'waiting' : 'answered' })
  } catch (error) {
    tell(endOf(error, stop))
  }
}

function endOf(error: unknown, stop: AbortSignal): AgentEvent {
  if (stop.aborted) return { type: 'end', because: 'cancelled' }
  const message = error instanceof Error ? error.message : String(error)
  const isLimit = error instanceof Error && error.name === 'GraphRecursionError'
  return { type: 'end', because: isLimit ? 'limit' : 'failed', message }
}
