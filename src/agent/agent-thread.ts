// One thread of an agent, neutral of any framework: what the model has at this step, and its calls.

import type { Promotion } from '../catalog/promotion.ts'
import type { RoutingMessage } from '../catalog/routing/latest-user-message.ts'
import type { Decision } from '../core/decision.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { PromptChild, PromptSkill } from '../prompt/prompt-part.ts'
import { systemPrompt } from '../prompt/system-prompt.ts'
import type { CallOutcome } from '../runtime/tool-call.ts'
import type { Calls, Toolbox } from '../runtime/toolbox.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'

export interface AgentThreadInput {
  readonly toolbox: Toolbox
  readonly owner: ThreadOwner
  readonly calls: Calls
  readonly instructions: string
  readonly skills: readonly PromptSkill[]
  readonly children: readonly PromptChild[]
  readonly today?: string
}

export interface AgentStep {
  /** What the model is given with this request, in the order of the surface. */
  readonly tools: readonly Decision[]
  readonly prompt: string
}

export interface AgentCall {
  readonly outcome: CallOutcome
  /** What the thread has now and had not before. */
  readonly promoted: readonly Promotion[]
  /** The call ends the turn with a question to the person. Absent: it does not. */
  readonly question?: JsonObject
}

export interface AgentThread {
  /** A turn begins with these messages: the words of the person may load tools. Gives what was loaded. */
  readonly begin: (messages: readonly RoutingMessage[]) => Promise<readonly Promotion[]>
  readonly step: () => Promise<AgentStep>
  /** Never rejects. */
  readonly call: (name: string, args: unknown, signal?: AbortSignal) => Promise<AgentCall>
  readonly seesImages: () => boolean
  /** Name of the agent. */
  readonly name: () => string
}

export function agentThread(input: AgentThreadInput): AgentThread {
  const { toolbox, calls, instructions, skills, children, today } = input
  const surface = () => toolbox.current().run.surface
  return {
    begin: (messages) => calls.route(messages),
    step: async () => {
      const { tools, absent } = await calls.visible()
      const prompt = systemPrompt({
        surface: surface(),
        instructions,
        skills,
        children,
        absent: absent.map(({ name }) => name),
        ...(today === undefined ? {} : { today }),
      })
      return { tools, prompt: prompt.text }
    },
    call: async (name, args, signal) => {
      const decision = surface().find(name)
      const isSearch = decision?.candidate.role === 'tool-search'
      const before = isSearch ? await loadedNames(calls) : new Set<string>()
      const outcome = await calls.call({ name, args, ...(signal === undefined ? {} : { signal }) })
      const promoted = isSearch ? (await loaded(calls)).filter((one) => !before.has(one.name)) : []
      const asks = decision?.candidate.form === 'interrupts' && outcome.kind === 'result' && !outcome.isError
      return { outcome, promoted, ...(asks ? { question: isJsonObject(args) ? args : {} } : {}) }
    },
    seesImages: () => surface().facts.model.can.includes('vision'),
    name: () => surface().facts.agent.name,
  }
}

/** What the thread has loaded; nothing where that cannot be told. */
async function loaded(calls: Calls): Promise<readonly Promotion[]> {
  try {
    return await calls.promoted()
  } catch {
    return []
  }
}

const loadedNames = async (calls: Calls): Promise<ReadonlySet<string>> =>
  new Set((await loaded(calls)).map(({ name }) => name))
