// One conversation of one agent, kept step by step: that of the person with the agent, or of an agent with its child.
// A turn is one message and all that follows until the model answers, asks, or is stopped. Nothing of it waits in
// memory: a turn that waits has ended, and the next one, in this program or another, goes on from what is stored.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { createAgent } from 'langchain'
import type { AgentThread } from '../runtime/agent-thread.ts'
import type { StateStore } from '../state/state-store.ts'
import type { WaitingFor } from '../state/thread-state.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import type { AgentEvent, TurnEnd } from './agent-event.ts'
import { eventQueue } from './event-queue.ts'
import { checkpointSaver, conversationId } from './langchain/checkpoint-saver.ts'
import { surfaceMiddleware } from './langchain/surface-middleware.ts'
import { skillsIn, waitingIn } from './langchain/turn-state.ts'

export interface ConversationInput {
  /** Rejects with a ToolgateError when it cannot be opened. */
  readonly state: () => Promise<Pick<StateStore, 'checkpoints'>>
  readonly owner: ThreadOwner
  /** Whose conversation it is. */
  readonly agent: string
  /** Id of the call that started this child. `''`: it is nobody's child. */
  readonly run: string
  /** Opens the thread with the skills that earlier turns have put into use. Rejects with a ToolgateError. */
  readonly open: (kept: Kept, turn: Turn) => Promise<AgentThread>
  readonly model: (thread: AgentThread) => Promise<BaseChatModel>
  /** Requests of the model in one turn. */
  readonly stepsMax: number
  /** Takes secrets out of what went wrong: providers tell the key that they refuse. */
  readonly redacted: (text: string) => string
}

/** What is stored of a conversation. */
export interface Kept {
  /** True: nothing was ever said. */
  readonly isNew: boolean
  readonly skills: readonly string[]
  readonly waiting: readonly WaitingFor[]
}

/** One turn, for whoever is called in it. */
export interface Turn {
  /** Absent: it goes on without words. */
  readonly message?: string
  readonly tell: (event: AgentEvent) => void
  readonly signal: AbortSignal
  /** What the children of this turn wait for, by the id of the call that started them. */
  readonly childWaits: Map<string, readonly WaitingFor[]>
}

export interface TurnOutcome {
  readonly because: TurnEnd
  readonly skills: readonly string[]
  readonly waiting: readonly WaitingFor[]
}

export interface Conversation {
  readonly kept: () => Promise<Kept>
  /**
   * Events of one turn; the last is `end`. Never rejects, and stops when the reader stops reading. `onEnd` is told
   * before the last event.
   */
  readonly turn: (
    message: string | undefined,
    options: { readonly signal?: AbortSignal; readonly onEnd?: (outcome: TurnOutcome) => Promise<void> },
  ) => AsyncGenerator<AgentEvent, void, undefined>
}

/** Steps of the framework for each request of the model: the hook before it, the request, the calls. */
const graphStepsEach = 4
/** The framework's name of the step that asks the model. */
const modelStep = 'model_request'

/**
 * Runs what begins inside of a step of another agent apart from it: the framework takes a graph that is started there
 * for a part of that agent, with its stream and its checkpoints.
 */
const apart = AsyncLocalStorage.snapshot()

export function conversation(input: ConversationInput): Conversation {
  const { state, owner, agent, run } = input
  const saver = checkpointSaver(state, { owner })
  const configurable = { thread_id: conversationId(agent, run) }
  const kept = async (): Promise<Kept> => {
    const values = (await saver.getTuple({ configurable }))?.checkpoint.channel_values
    if (values === undefined) return { isNew: true, skills: [], waiting: [] }
    return { isNew: false, skills: skillsIn(values), waiting: waitingIn(values).flatMap(({ waits }) => waits) }
  }

  const spoken = async (turn: Turn): Promise<TurnEnd> => {
    const { message, tell, signal, childWaits } = turn
    const thread = await input.open(await kept(), turn)
    const beginning = message === undefined ? undefined : await thread.begin(message)
    for (const { name, by } of beginning?.promoted ?? []) tell({ type: 'promotion', tool: name, by })
    if (beginning?.skill !== undefined) tell({ type: 'skill', ...beginning.skill })
    const { tools } = await thread.step()
    tell({ type: 'turn', thread: owner.thread, agent: thread.name(), tools: tools.map(({ name }) => name) })
    const waitsOf = (callId: string): readonly WaitingFor[] => childWaits.get(callId) ?? []
    const hasWords = message !== undefined
    const { middleware, settle } = surfaceMiddleware({ thread, tell, hasWords, childWaits: waitsOf, signal })
    const graph = createAgent({
      model: await input.model(thread),
      tools: [],
      middleware: [...middleware],
      checkpointer: saver,
    })
    const said = beginning === undefined ? [] : [new HumanMessage(beginning.text)]
    const skill = beginning?.skill
    try {
      const stream = await graph.stream(
        { messages: said, ...(skill === undefined ? {} : { skills: [{ skill: skill.skill, on: skill.on }] }) },
        {
          streamMode: 'messages',
          // A step begins when the one before it is stored: what was called is known to have been called.
          durability: 'sync',
          recursionLimit: input.stepsMax * graphStepsEach,
          signal,
          configurable,
        },
      )
      for await (const [chunk, { langgraph_node: step }] of stream as AsyncIterable<[BaseMessage, Metadata]>)
        if (step === modelStep && chunk.getType() === 'ai' && chunk.text !== '')
          tell({ type: 'text', text: chunk.text })
      return (await kept()).waiting.length > 0 ? 'waiting' : 'answered'
    } finally {
      // Whatever the framework waits for no more is waited for here: nothing of a turn goes on after its end.
      await settle()
    }
  }

  return {
    kept,
    turn: async function* (message, { signal, onEnd }) {
      const queue = eventQueue<AgentEvent>()
      const ends = new AbortController()
      const stop = signal === undefined ? ends.signal : AbortSignal.any([signal, ends.signal])
      const turn: Turn = {
        ...(message === undefined ? {} : { message }),
        tell: queue.push,
        signal: stop,
        childWaits: new Map(),
      }
      const running = apart(async () => {
        const end = await spoken(turn).then(
          (because): AgentEvent & { type: 'end' } => ({ type: 'end', because }),
          (error: unknown) => endOf(error, stop, input.redacted),
        )
        const { skills, waiting } = await kept().catch(() => ({ skills: [], waiting: [] }))
        await onEnd?.({ because: end.because, skills, waiting })
        queue.push(end)
      })
      void running.then(queue.end, queue.end)
      try {
        yield* queue.events()
      } finally {
        ends.abort()
        await running.catch(() => {})
      }
    },
  }
}

interface Metadata {
  readonly langgraph_node?: string
}

function endOf(error: unknown, stop: AbortSignal, redacted: (text: string) => string): AgentEvent & { type: 'end' } {
  if (stop.aborted) return { type: 'end', because: 'cancelled' }
  const message = redacted(error instanceof Error ? error.message : String(error))
  const isLimit = error instanceof Error && error.name === 'GraphRecursionError'
  return { type: 'end', because: isLimit ? 'limit' : 'failed', message }
}
