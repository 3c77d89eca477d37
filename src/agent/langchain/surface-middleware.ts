// Our enforcement as a middleware of LangChain's agent. The agent itself has no tools: each request of the model is
// given what the thread has at that moment, and each call that the model makes, of whatever name, goes through
// `AgentThread.call`, which looks decisions up and decides nothing anew.
//
// `Command({ goto: END })` does not end the loop of this framework, and a hook before each request costs a step of the
// graph. So what waits for a person is written into the state, and the request after it stops the graph instead: also when
// other calls of the same message are answered after it. The next turn makes what waited again, under the same id, and
// replaces the placeholder in the conversation.

import { AIMessage, type BaseMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { Command, interrupt } from '@langchain/langgraph'
import { createMiddleware } from 'langchain'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { AgentCall, AgentThread } from '../../runtime/agent-thread.ts'
import { modelContent } from '../../runtime/model-content.ts'
import type { CallOutcome } from '../../runtime/tool-call.ts'
import type { WaitingFor } from '../../state/thread-state.ts'
import type { AgentEvent } from '../agent-event.ts'
import { callEvents } from '../call-events.ts'
import { answerId, cutOffCalls } from './cut-off-calls.ts'
import { schemaTool } from './schema-tool.ts'
import { mergedWaiting, type SkillInUse, turnState, type WaitingCall } from './turn-state.ts'
import { withUnreadable } from './unreadable-arguments.ts'

export interface SurfaceMiddlewareInput {
  readonly thread: AgentThread
  readonly tell: (event: AgentEvent) => void
  /** True: a person has said something, which answers questions. False: the turn goes on without words. */
  readonly hasWords: boolean
  /** What a child that the call of this id has started waits for. `[]`: nothing, or there is none. */
  readonly childWaits: (callId: string) => readonly WaitingFor[]
  readonly signal: AbortSignal
}

/** A call as the model made it. */
interface MadeCall {
  readonly id: string
  readonly name: string
  readonly args: JsonObject
}

interface Answer {
  readonly message: ToolMessage
  readonly waiting: readonly WaitingCall[]
  readonly skills: readonly SkillInUse[]
}

export function surfaceMiddleware({ thread, tell, hasWords, childWaits, signal }: SurfaceMiddlewareInput) {
  const running = new Set<Promise<unknown>>()
  /** What the model wrote as arguments and nobody can read, by the id of the call. */
  const unreadable = new Map<string, string>()
  const answered = async (call: MadeCall): Promise<Answer> => {
    const { id, name, args } = call
    tell({ type: 'call', id, tool: name, args })
    const made = await thread.call({ name, args: unreadable.get(id) ?? args, callId: id, signal })
    for (const event of callEvents(call, made)) tell(event)
    const waits = made.waits === undefined ? childWaits(id) : [made.waits]
    const by = made.waits?.kind === 'clarification' ? 'words' : 'call'
    return {
      message: answerOf(call, made, thread.seesImages()),
      waiting: waits.length === 0 ? [] : [{ ...call, by, waits }],
      skills: made.skill === undefined ? [] : [{ skill: made.skill.skill, on: made.skill.on }],
    }
  }
  const followed = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    void work.catch(() => {}).finally(() => running.delete(work))
    return work
  }
  /** What comes of a call that waited. Without words, what waits on is waited for again; with words, it is left. */
  const settled = async (call: WaitingCall): Promise<Answer> => {
    const over = { ...call, over: true }
    if (call.by === 'words') return { message: placeholder(call), waiting: hasWords ? [over] : [call], skills: [] }
    const answer = await answered(call)
    const waitsOn = answer.waiting.length > 0 && !hasWords
    return { ...answer, waiting: waitsOn ? answer.waiting : [over] }
  }
  // What the framework does with a state of its own at each request costs as much as everything here: the state has a
  // middleware that is asked once a turn.
  const turn = createMiddleware({
    name: 'toolgate-turn',
    stateSchema: turnState,
    beforeAgent: {
      canJumpTo: ['end'],
      hook: async (state) => {
        const waiting = state.waiting as readonly WaitingCall[]
        const answers = await followed(Promise.all(waiting.map(settled)))
        const again = new Map(waiting.flatMap(({ by, id }, at) => (by === 'words' ? [] : [[id, answers[at]?.message]])))
        const messages = state.messages.map((message) => {
          const replaced = ToolMessage.isInstance(message) ? again.get(message.tool_call_id) : undefined
          return replaced ?? message
        })
        const mended = cutOffCalls(messages)
        const still = mergedWaiting(
          waiting,
          answers.flatMap((answer) => answer.waiting),
        )
        return {
          messages: [...(mended.length > 0 ? mended : [...again.values()].filter((message) => message !== undefined))],
          waiting: answers.flatMap((answer) => answer.waiting),
          skills: answers.flatMap((answer) => answer.skills),
          ...(still.length > 0 || isOver(messages) ? { jumpTo: 'end' as const } : {}),
        }
      },
    },
  })
  let waits = false
  const middleware = createMiddleware({
    name: 'toolgate',
    wrapModelCall: async (request, handler) => {
      if (waits) interrupt('a call waits for a person')
      const { tools, prompt } = await thread.step()
      const given = { ...request, tools: tools.map(schemaTool), systemMessage: new SystemMessage(prompt) }
      const message = await handler(given)
      return AIMessage.isInstance(message) ? withUnreadable(message, (id, text) => unreadable.set(id, text)) : message
    },
    wrapToolCall: async ({ toolCall: { id = '', name, args } }) => {
      const { message, waiting, skills } = await followed(answered({ id, name, args: isJsonObject(args) ? args : {} }))
      if (waiting.length > 0) waits = true
      if (waiting.length === 0 && skills.length === 0) return message
      return new Command({ update: { waiting, skills, messages: [message] } })
    },
  })
  return { middleware: [turn, middleware] as const, settle: async () => void (await Promise.allSettled(running)) }
}

/** The model has said its last word, and nobody has said anything since. */
function isOver(messages: readonly BaseMessage[]): boolean {
  const last = messages.at(-1)
  return last === undefined || (AIMessage.isInstance(last) && (last.tool_calls ?? []).length === 0)
}

const placeholder = ({ id, name }: MadeCall): ToolMessage =>
  new ToolMessage({ id: answerId(id), tool_call_id: id, name, content: '' })

function answerOf({ id, name }: MadeCall, { outcome }: AgentCall, seesImages: boolean): ToolMessage {
  return new ToolMessage({
    id: answerId(id),
    tool_call_id: id,
    name,
    status: outcome.kind === 'result' && !outcome.isError ? 'success' : 'error',
    content: contentOf(outcome, seesImages),
  })
}

/** One text where it is text alone: some models take nothing else as the answer of a tool. */
function contentOf(outcome: CallOutcome, seesImages: boolean) {
  const parts = modelContent(outcome, seesImages)
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n')
  return parts.map((part) =>
    part.type === 'text'
      ? part
      : { type: 'image_url' as const, image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  )
}
