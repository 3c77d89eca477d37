// An agent on the surface of a toolbox, for one thread of a person. Apart from everything else, because loading the
// framework takes most of a second.

import { randomUUID } from 'node:crypto'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { agentOf } from '../assembly/facts-of.ts'
import type { PreparedRun } from '../assembly/run-input.ts'
import type { AgentConfig, Config } from '../config/config.ts'
import { printable } from '../core/printable.ts'
import { errorCodes } from '../errors.ts'
import type { PromptChild } from '../prompt/prompt-part.ts'
import { type AgentThread, openAgentThread } from '../runtime/agent-thread.ts'
import type { CallerOptions } from '../runtime/caller.ts'
import { redactorOf } from '../runtime/config-redactor.ts'
import type { Toolbox } from '../runtime/toolbox.ts'
import type { View } from '../runtime/view.ts'
import type { ThreadKey } from '../state/state-store.ts'
import type { ThreadRecord, WaitingFor } from '../state/thread-state.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import type { AgentEvent } from './agent-event.ts'
import { childrenOf } from './children.ts'
import { type Conversation, conversation, type TurnOutcome } from './conversation.ts'

export interface AgentInput {
  readonly toolbox: Pick<Toolbox, 'current' | 'callsOf' | 'derived' | 'state'>
  readonly owner: ThreadOwner
  /** One model for the agent and its children, or the model of that name in the configuration. */
  readonly model: BaseChatModel | ((name: string) => Promise<BaseChatModel>)
  /** What the agent is for. Absent: its description in the configuration. */
  readonly instructions?: string
  /** Absent: today's date, on the clock of the system. */
  readonly today?: () => string
  /** Asks a person while a call waits. Absent: the turn ends, the question is stored, and a later turn goes on. */
  readonly approve?: CallerOptions['approve']
  /** Requests of a model in one turn, of the agent and of each child. Absent: 50. */
  readonly stepsMax?: number
}

export interface Agent {
  /** Events of one turn; the last is `end`. Never rejects, and stops when the reader stops reading. */
  readonly turn: (message: string, signal?: AbortSignal) => AsyncGenerator<AgentEvent, void, undefined>
  /** Goes on with a turn that waited for approvals which were answered since, or that was cut off. */
  readonly resume: (signal?: AbortSignal) => AsyncGenerator<AgentEvent, void, undefined>
  /** What the thread waits for. Rejects with a ToolgateError when the state cannot be had. */
  readonly waiting: () => Promise<readonly WaitingFor[]>
}

const stepsMaxDefault = 50
/** A turn holds its thread for so long at a time; of a program that was killed nobody holds it longer. */
const claimMs = 20_000

export function openAgent(input: AgentInput): Agent {
  const { toolbox, owner } = input
  const agent = toolbox.current().run.surface.facts.agent.name
  const key: ThreadKey = { ...owner, agent }
  const own = conversationOn({ input, view: toolbox, run: '', loaded: [] })
  const turn = async function* (
    message: string | undefined,
    signal?: AbortSignal,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const holder = randomUUID()
    const release = await claimed(toolbox, key, holder).catch((error: unknown) => told(error))
    if (typeof release === 'string') {
      yield { type: 'end', because: 'failed', message: release }
      return
    }
    try {
      await noted(toolbox, key, (before) => begun(before, key, message))
      const onEnd = (outcome: TurnOutcome) => noted(toolbox, key, (before) => ended(before, outcome))
      yield* own.turn(message, { onEnd, ...(signal === undefined ? {} : { signal }) })
    } finally {
      await release()
    }
  }
  return {
    turn: (message, signal) => turn(message, signal),
    resume: (signal) => turn(undefined, signal),
    waiting: async () => (await own.kept()).waiting,
  }
}

interface OnView {
  readonly input: AgentInput
  readonly view: View
  readonly run: string
  /** Names of deferred tools that it begins with. */
  readonly loaded: readonly string[]
}

/** The conversation of the agent that a view shows, and below it those of its children. */
function conversationOn({ input, view, run, loaded }: OnView): Conversation {
  const { toolbox, owner, model, approve, stepsMax = stepsMaxDefault } = input
  const today = input.today ?? (() => new Date().toISOString().slice(0, 10))
  return conversation({
    state: toolbox.state,
    owner,
    agent: view.current().run.surface.facts.agent.name,
    run,
    stepsMax,
    redacted: redactorOf(toolbox.current().config),
    model: async (thread) =>
      typeof model === 'function' ? model(thread.view().current().run.surface.facts.model.name) : model,
    open: async (kept, turn) => {
      const { config, run: prepared } = view.current()
      let thread: AgentThread | undefined
      const children = childrenOf({
        parent: () => {
          if (thread === undefined) throw new TypeError('a call is made by an open thread')
          return thread
        },
        turn,
        open: (child) => conversationOn({ input: withoutWords(input), ...child }),
        max: config.delegation.childrenMax,
        timeoutMs: config.delegation.timeoutMs,
      })
      const config_ = agentIn(config, prepared)
      thread = await openAgentThread({
        view,
        owner,
        instructions: input.instructions ?? config_.description,
        children: helpersOf(config, config_),
        today: today(),
        skillsInUse: kept.skills,
        calls: { asksLater: true, children, ...(approve === undefined ? {} : { approve }) },
      })
      if (kept.isNew && loaded.length > 0) await thread.load(loaded)
      return thread
    },
  })
}

/** The words of the caller are for the agent itself. */
const withoutWords = ({ instructions: _, ...input }: AgentInput): AgentInput => input

const agentIn = (config: Config, { lineage }: PreparedRun): AgentConfig => {
  const name = lineage.at(-1)
  return agentOf(config, config.agents.some((agent) => agent.name === name) ? name : undefined)
}

const helpersOf = (config: Config, own: AgentConfig): readonly PromptChild[] =>
  config.agents
    .filter(({ name }) => name !== own.name && own.children?.includes(name) !== false)
    .map(({ name, description }) => ({ name, description }))

type State = Pick<Toolbox, 'state'>

/** Holds a thread, and gives what gives it back. Rejects with why it cannot be held. */
async function claimed({ state }: State, key: ThreadKey, holder: string): Promise<() => Promise<void>> {
  const { threads } = await state()
  const take = (): Promise<boolean> => {
    const now = Date.now()
    return threads.claim(key, { holder, now, until: now + claimMs })
  }
  if (!(await take())) throw new Error(`thread-busy: ${errorCodes['thread-busy'].remedy}`)
  const again = setInterval(() => void take().catch(() => {}), claimMs / 3).unref()
  return async () => {
    clearInterval(again)
    await threads.release(key, holder).catch(() => {})
  }
}

/** A conversation goes on, also where how it stands cannot be noted. */
async function noted(
  { state }: State,
  key: ThreadKey,
  change: (before: ThreadRecord | undefined) => ThreadRecord | undefined,
): Promise<void> {
  try {
    await (await state()).threads.update(key, change)
  } catch {
    // The conversation itself is in its checkpoints.
  }
}

function begun(before: ThreadRecord | undefined, key: ThreadKey, message: string | undefined): ThreadRecord {
  const at = new Date().toISOString()
  const fresh: ThreadRecord = {
    ...key,
    title: printable(message ?? '', 120),
    startedAt: at,
    updatedAt: at,
    turns: 0,
    state: 'running',
    skills: [],
    waitingFor: [],
  }
  const known = before ?? fresh
  return { ...known, updatedAt: at, state: 'running', turns: known.turns + (message === undefined ? 0 : 1) }
}

const ended = (before: ThreadRecord | undefined, { because, skills, waiting }: TurnOutcome): ThreadRecord | undefined =>
  before && { ...before, updatedAt: new Date().toISOString(), state: because, skills, waitingFor: waiting }

const told = (error: unknown): string => (error instanceof Error ? error.message : String(error))
