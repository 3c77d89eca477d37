// The tools of a step, in the one object that the SDK looks into. What it enumerates is sent to the model, in this order;
// what it finds by name is called. So a name that the step has not is there as well once it was called or had, but
// is not enumerated: the call goes through the thread like any other, and is refused there.

import { dynamicTool, jsonSchema, type Tool, type ToolResultPart, type ToolSet } from 'ai'
import type { Decision } from '../../core/decision.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import type { AgentThread } from '../../runtime/agent-thread.ts'
import { type ModelContent, modelContent, modelText } from '../../runtime/model-content.ts'
import type { CallOutcome, ToolResult } from '../../runtime/tool-call.ts'

interface AskedCall {
  readonly name: string
  readonly args: unknown
  readonly callId: string
  readonly signal: AbortSignal | undefined
}

interface SurfaceTools {
  readonly tools: ToolSet
  /** The tools of the step that begins, in order. */
  readonly show: (decisions: readonly Decision[]) => void
  /** Makes a name callable that the model does not have, in what the SDK looks into. */
  readonly hide: (name: string, tools: ToolSet) => void
}

export function surfaceTools(
  thread: Pick<AgentThread, 'seesImages'>,
  call: (asked: AskedCall) => Promise<CallOutcome>,
): SurfaceTools {
  // Without a prototype: a model that calls `constructor` finds nothing there.
  const tools: ToolSet = Object.create(null)
  const toolOf = (name: string, description: string, inputSchema: JsonObject): Tool =>
    dynamicTool({
      description,
      inputSchema: jsonSchema(inputSchema, { validate: objectOnly }),
      execute: async (args, { toolCallId, abortSignal }) =>
        resultOf(await call({ name, args, callId: toolCallId, signal: abortSignal }), thread.seesImages()),
      toModelOutput: ({ output }) => modelOutput(output as ToolResult, thread.seesImages()),
    })
  return {
    tools,
    show: (decisions) => {
      for (const name of Object.keys(tools)) Object.defineProperty(tools, name, { enumerable: false })
      for (const { name, definition } of decisions) {
        delete tools[name]
        tools[name] = toolOf(name, definition.description, definition.inputSchema)
      }
    },
    hide: (name, into) => {
      if (Object.hasOwn(into, name)) return
      const value = toolOf(name, '', { type: 'object' })
      Object.defineProperty(into, name, { value, enumerable: false, configurable: true, writable: true })
    },
  }
}

/** The thread checks arguments, and says which one is wrong; here, only what a conversation can hold. */
const objectOnly = (value: unknown) =>
  isJsonObject(value)
    ? { success: true as const, value: value as unknown }
    : { success: false as const, error: new Error('the arguments are no JSON object') }

/** Whether the SDK reads this as arguments, had it the tool: an object without keys that touch its language. */
export function isObjectText(text: string): boolean {
  let isPlain = true
  const look = (key: string, value: unknown): unknown => {
    if (key === '__proto__' || key === 'constructor') isPlain = false
    return value
  }
  try {
    return text.trim() === '' || (isJsonObject(JSON.parse(text, look)) && isPlain)
  } catch {
    return false
  }
}

/**
 * The result, for the program as for the model. What is none is thrown, as the SDK has it, the outcome as the cause. Its
 * errors are texts: one with a picture that the model can see is given as a result.
 */
function resultOf(outcome: CallOutcome, sees: boolean): ToolResult {
  const hasPicture = modelContent(outcome, sees).some(({ type }) => type === 'image')
  if (outcome.kind === 'result' && (!outcome.isError || hasPicture)) return outcome
  throw new Error(modelText(outcome), { cause: outcome })
}

/** One text where it is text alone: some models take nothing else as the answer of a tool. */
function modelOutput(result: ToolResult, sees: boolean): ToolResultPart['output'] {
  const parts = modelContent(result, sees)
  if (parts.every(({ type }) => type === 'text')) return { type: 'text', value: modelText(result) }
  return { type: 'content', value: parts.map(partOf) }
}

const partOf = (part: ModelContent) =>
  part.type === 'text' ? part : { type: 'image-data' as const, data: part.data, mediaType: part.mimeType }
