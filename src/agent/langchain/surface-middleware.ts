// Our enforcement as a middleware of LangChain's agent. The agent itself has no tools: each request of the model is
// given what the thread has at that moment, and each call that the model makes, of whatever name, goes through
// `Calls.call`, which looks decisions up and decides nothing anew.
//
// `Command({ goto: END })` does not end the loop of this framework, so a question sets a flag in the state, and the hook
// before the next request jumps to the end: also when other calls of the same message are answered after it.

import { SystemMessage, ToolMessage } from '@langchain/core/messages'
import { Command } from '@langchain/langgraph'
import { createMiddleware } from 'langchain'
import * as z from 'zod'
import type { JsonObject } from '../../core/json.ts'
import { isJsonObject } from '../../core/json.ts'
import type { CallOutcome } from '../../runtime/tool-call.ts'
import type { AgentEvent } from '../agent-event.ts'
import type { AgentThread } from '../agent-thread.ts'
import { modelContent, modelText } from '../model-content.ts'
import { schemaTool } from './schema-tool.ts'

const stateSchema = z.object({
  /** Id of the call whose question the turn ends with. */
  waitingFor: z.string().optional(),
})

export interface SurfaceMiddlewareInput {
  readonly thread: AgentThread
  readonly tell: (event: AgentEvent) => void
  readonly signal?: AbortSignal
}

export function surfaceMiddleware({ thread, tell, signal }: SurfaceMiddlewareInput) {
  return createMiddleware({
    name: 'toolgate',
    stateSchema,
    beforeAgent: () => ({ waitingFor: undefined }),
    beforeModel: {
      canJumpTo: ['end'],
      hook: (state) => (state.waitingFor === undefined ? undefined : { jumpTo: 'end' as const }),
    },
    wrapModelCall: async (request, handler) => {
      const { tools, prompt } = await thread.step()
      return handler({
        ...request,
        tools: tools.map(schemaTool),
        systemMessage: new SystemMessage(prompt),
      })
    },
    wrapToolCall: async ({ toolCall }) => {
      const { name, args } = toolCall
      const id = toolCall.id ?? ''
      tell({ type: 'call', id, tool: name, args: args as JsonObject })
      const { outcome, promoted, question } = await thread.call(name, args, signal)
      for (const event of eventsOf(outcome, { id, name })) tell(event)
      for (const { name: tool, by } of promoted) tell({ type: 'promotion', tool, by })
      const message = new ToolMessage({
        tool_call_id: id,
        name,
        status: outcome.kind === 'result' && !outcome.isError ? 'success' : 'error',
        content: contentOf(outcome, thread.seesImages()),
      })
      if (question === undefined) return message
      tell({ type: 'clarification', id, question })
      return new Command({ update: { waitingFor: id, messages: [message] } })
    },
  })
}

function eventsOf(outcome: CallOutcome, { id, name }: { readonly id: string; readonly name: string }): AgentEvent[] {
  if (outcome.kind === 'result') {
    const { artifacts } = outcome.structuredContent ?? {}
    return [
      { type: 'result', id, tool: name, isError: outcome.isError, text: modelText(outcome) },
      ...(Array.isArray(artifacts) ? artifacts.filter(isJsonObject).map(artifactOf) : []),
    ]
  }
  const { code, message, action } = outcome
  return [{ type: outcome.kind === 'refused' ? 'refusal' : 'failure', id, tool: name, code, message, action }]
}

const artifactOf = ({ path, bytes, mime }: JsonObject): AgentEvent => ({
  type: 'artifact',
  path: String(path),
  ...(typeof bytes === 'number' ? { bytes } : {}),
  ...(typeof mime === 'string' ? { mime } : {}),
})

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
