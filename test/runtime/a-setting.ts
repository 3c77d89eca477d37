// A call on a surface of made-up tools: the tool itself is a recorder.

import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import type { PermissionFacts, Rule } from '../../src/core/run-facts.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { composed } from '../../src/runtime/compose.ts'
import { knownTool } from '../../src/runtime/known-tool.ts'
import type { CallContext, Next } from '../../src/runtime/middleware.ts'
import type { CallOutcome, ToolCall, ToolRequest, ToolResult } from '../../src/runtime/tool-call.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { aCandidate, type FactsOverrides, someFacts } from '../../src/testing/world.ts'
import type { PathView } from '../../src/workspace/mapping/path-view.ts'

export const rule = (effect: Rule['effect'], text: string): Rule => ({
  effect,
  text,
  scope: 'config',
  origin: { in: 'toolgate.yaml', key: 'permissions', line: 3 },
})

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, depth: { type: 'integer', maximum: 3 } },
  required: ['path'],
  additionalProperties: false,
}

export const toolOf = (name: string, inputSchema: JsonObject = schema): Candidate =>
  aCandidate({ source: 'mcp', server: 'files', name, definition: { description: name, inputSchema } })

export interface Setting {
  readonly rules?: readonly Rule[]
  readonly approve?: CallContext['approve']
  readonly tools?: readonly Candidate[]
  readonly answer?: CallOutcome
  readonly view?: PathView
  /** In place of the recorder's answer. */
  readonly tool?: Next
  readonly otherwise?: PermissionFacts['otherwise']
  readonly facts?: FactsOverrides
  /** What the caller hands in beside the usual. */
  readonly more?: Partial<CallContext>
}

export const text = (words: string): ToolResult => ({
  kind: 'result',
  content: [{ type: 'text', text: words }],
  isError: false,
})

export function setting({
  rules = [],
  approve,
  tools = [toolOf('list'), toolOf('remove')],
  answer = text('done'),
  view,
  tool,
  otherwise = 'allow',
  facts: overrides = {},
  more = {},
}: Setting) {
  const facts = someFacts({ permissions: { rules, otherwise }, ...overrides })
  const surface = assemble(facts, tools, gateOrder.default, { sha256 })
  const reached: Json[] = []
  const context: CallContext = {
    surface,
    gates: gateOrder.default,
    viewOf: () => view,
    isPromoted: async () => true,
    redacted: (words) => words.replaceAll('hunter2', '***'),
    ...(approve === undefined ? {} : { approve }),
    ...more,
  }
  const call = async (request: ToolRequest): Promise<CallOutcome> => {
    const known = knownTool(request, context)
    if ('kind' in known) return known
    const recorder: Next = async (made: ToolCall) => {
      reached.push(made.args)
      return tool === undefined ? answer : tool(made)
    }
    return composed(recorder, context)(known)
  }
  return { call, reached, surface, context }
}
