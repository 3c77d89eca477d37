// A tool of the surface as an MCP client lists it: what its owner says of it, under the name that it has here.

import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'

export interface Listing {
  /** True: fitted to what the client is known to accept. False: as its owner lists it. */
  readonly isFitted: boolean
  /** What its owner says of it beside. Absent: nothing. */
  readonly extras?: JsonObject | undefined
}

export function listedTool(decision: Decision, { isFitted, extras = {} }: Listing): JsonObject {
  const { name, candidate } = decision
  const definition = isFitted ? decision.definition : candidate.definition
  const { title, description, inputSchema, outputSchema, annotations } = definition
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...extras,
  }
}

export const callToolName = 'call_tool'

/** Calls a tool that is not in the list: for clients whose list must not change while they are connected. */
export const callTool: JsonObject = {
  name: callToolName,
  title: 'Call a tool that was found',
  description:
    'Calls a tool that tool_search has found and that is not in your list of tools. Give its name and its arguments as ' +
    'its definition says. Tools of your list are called by themselves.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name of the tool, as tool_search gave it.' },
      arguments: { type: 'object', description: 'Its arguments.' },
    },
    required: ['name'],
    additionalProperties: false,
  },
}
