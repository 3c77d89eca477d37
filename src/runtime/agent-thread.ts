// One thread of an agent, neutral of any framework: what the model has at this step, and its calls. An adapter of a
// framework asks `begin` once a turn, `step` before each request of the model, and `call` for each call that it makes.

import { skilledRun } from '../assembly/derived-run.ts'
import type { Promotion } from '../catalog/promotion.ts'
import type { Decision } from '../core/decision.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { PromptChild } from '../prompt/prompt-part.ts'
import { systemPrompt } from '../prompt/system-prompt.ts'
import type { WaitingFor } from '../state/thread-state.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import type { CallerOptions } from './caller.ts'
import type { Generation } from './generation.ts'
import { promptSkills, skillBySlash, skillRead } from './thread-skills.ts'
import type { CallOutcome, ToolRequest } from './tool-call.ts'
import type { Calls, View } from './view.ts'

export interface AgentThreadInput {
  /** A toolbox, or a view of one. */
  readonly view: View
  readonly owner: ThreadOwner
  /** What the operator says the agent is for. `''`: nothing. */
  readonly instructions: string
  /** Agents that `task` may start. `[]`: none by name. */
  readonly children: readonly PromptChild[]
  /** ISO date. Absent: the prompt says nothing of time. */
  readonly today?: string
  /** Skills in use in this thread from earlier turns. Absent: none. */
  readonly skillsInUse?: readonly string[]
  /** How its calls are made. Absent: nobody approves, and nothing runs children. */
  readonly calls?: CallerOptions
}

export interface AgentStep {
  /** What the model is given with this request, in the order of the surface. */
  readonly tools: readonly Decision[]
  readonly prompt: string
}

export interface SkillChange {
  readonly skill: string
  readonly by: 'slash' | 'read'
  /** False: the message took it out of use. */
  readonly on: boolean
}

/** What comes of a message of the person before the model sees it. */
export interface Beginning {
  /** What the model is given in the place of the message. */
  readonly text: string
  readonly promoted: readonly Promotion[]
  /** Absent: the message changes no skill. */
  readonly skill?: SkillChange
}

/** A file for the person. */
export interface Artifact {
  /** Virtual path. */
  readonly path: string
  readonly bytes?: number
  readonly mime?: string
}

export interface AgentCall {
  readonly outcome: CallOutcome
  /** Files that a tool of this process, made for that, hands to the person. `[]`: none. */
  readonly artifacts: readonly Artifact[]
  /** What the thread has now and had not before. */
  readonly promoted: readonly Promotion[]
  /** Absent: the call changes no skill. */
  readonly skill?: SkillChange
  /** The turn ends after this call, and waits for the person. Absent: it does not. */
  readonly waits?: WaitingFor
}

export interface AgentThread {
  /** A turn begins with these words of the person. Rejects with a ToolgateError when the state cannot be had. */
  readonly begin: (message: string) => Promise<Beginning>
  readonly step: () => Promise<AgentStep>
  /** Never rejects. */
  readonly call: (request: ToolRequest) => Promise<AgentCall>
  readonly seesImages: () => boolean
  /** Name of the agent. */
  readonly name: () => string
  /** Skills that the thread has put into use. */
  readonly skills: () => readonly string[]
  /** The view with the skills of this moment: what a child lies inside of. */
  readonly view: () => View
  /** What the thread has loaded; `[]` where that cannot be told. */
  readonly loaded: () => Promise<readonly Promotion[]>
  /** Loads deferred tools by name, as a parent does for a child; what is not deferred here is left out. */
  readonly load: (names: readonly string[]) => Promise<void>
}

interface Held {
  readonly skills: readonly string[]
  readonly view: View
  readonly calls: Calls
}

/** Throws a ToolgateError `invalid-id`, or where the view shows nothing. */
export async function openAgentThread(input: AgentThreadInput): Promise<AgentThread> {
  const { instructions, children, today } = input
  let held = await heldWith(input, input.skillsInUse ?? [])
  const current = (): Generation => held.view.current()
  const put = async ({ skill, on }: SkillChange): Promise<void> => {
    const others = held.skills.filter((name) => name !== skill)
    held = await heldWith(input, on ? [...others, skill] : others)
  }
  /** Two searches at once see each other's promotions; each is told once. */
  const told = new Set<string>()
  const loaded = async (): Promise<readonly Promotion[]> => held.calls.promoted().catch(() => [])

  return {
    begin: async (message) => {
      const slash = await skillBySlash(message, current().run)
      const skill: SkillChange | undefined = slash && { skill: slash.skill, on: slash.on, by: 'slash' }
      if (skill !== undefined) await put(skill)
      const text = slash?.message ?? message
      const promoted = await held.calls.route([{ role: 'user', text, originalText: message }])
      return { text, promoted, ...(skill === undefined ? {} : { skill }) }
    },
    step: async () => {
      const { tools, absent } = await held.calls.visible()
      const { run } = current()
      const prompt = systemPrompt({
        surface: run.surface,
        instructions,
        skills: promptSkills(run),
        children,
        absent: absent.map(({ name }) => name),
        ...(today === undefined ? {} : { today }),
      })
      return { tools, prompt: prompt.text }
    },
    call: async (request) => {
      const own = held
      const decision = decisionOf(own.view, request.name)
      const isSearch = decision?.candidate.role === 'tool-search'
      const before = isSearch ? new Set((await loaded()).map(({ name }) => name)) : new Set<string>()
      const outcome = await own.calls.call(request)
      const promoted = isSearch ? (await loaded()).filter(({ name }) => !before.has(name) && !told.has(name)) : []
      for (const { name } of promoted) told.add(name)
      if (decision === undefined) return { outcome, promoted, artifacts: [] }
      const waits = waitsFor(decision, request, outcome, agentOf(own.view))
      const read = skillRead({ decision, args: request.args }, outcome, current().run)
      const isNew = read !== undefined && !held.skills.includes(read)
      const skill: SkillChange | undefined = isNew ? { skill: read, by: 'read', on: true } : undefined
      if (skill !== undefined) await put(skill).catch(() => {})
      return {
        outcome,
        promoted,
        artifacts: artifactsIn(decision, outcome),
        ...(skill === undefined ? {} : { skill }),
        ...(waits === undefined ? {} : { waits }),
      }
    },
    seesImages: () => current().run.surface.facts.model.can.includes('vision'),
    name: () => agentOf(held.view),
    skills: () => held.skills,
    view: () => held.view,
    loaded,
    load: async (names) => void (await held.calls.load(names)),
  }
}

async function heldWith({ view, owner, calls = {} }: AgentThreadInput, skills: readonly string[]): Promise<Held> {
  const own = skills.length === 0 ? view : view.derived((run) => skilledRun(run, skills))
  return { skills, view: own, calls: await own.callsOf(owner, calls) }
}

const agentOf = (view: View): string => view.current().run.surface.facts.agent.name

/** Undefined also where the view shows nothing any more: the call itself says why. */
function decisionOf(view: View, name: string): Decision | undefined {
  try {
    return view.current().run.surface.find(name)
  } catch {
    return undefined
  }
}

/** What a server calls artifacts is its own affair. */
function artifactsIn({ candidate }: Decision, outcome: CallOutcome): readonly Artifact[] {
  const isOurs = candidate.form === 'updates-state' && candidate.protocol !== 'mcp'
  const { artifacts } = (isOurs && outcome.kind === 'result' ? outcome.structuredContent : undefined) ?? {}
  if (!Array.isArray(artifacts)) return []
  return artifacts.filter(isJsonObject).map(({ path, bytes, mime }) => ({
    path: String(path),
    ...(typeof bytes === 'number' ? { bytes } : {}),
    ...(typeof mime === 'string' ? { mime } : {}),
  }))
}

/** What the turn must wait for: a question that was put, or an approval that nobody gives now. */
function waitsFor(
  { candidate, name }: Decision,
  { args, callId = '' }: ToolRequest,
  outcome: CallOutcome,
  agent: string,
): WaitingFor | undefined {
  const given: JsonObject = isJsonObject(args) ? args : {}
  if (outcome.kind === 'refused' && outcome.approvalId !== undefined)
    return { kind: 'approval', callId, agent, approvalId: outcome.approvalId, tool: name, args: given }
  if (candidate.form === 'interrupts' && outcome.kind === 'result' && !outcome.isError)
    return { kind: 'clarification', callId, agent, question: given }
  return undefined
}
