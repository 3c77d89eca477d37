// A tool as LangChain sends it to a model: name, description and schema of the decision, byte for byte. It carries no
// code: calls are made by the middleware, through the one enforcement.

import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import type { Decision } from '../../core/decision.ts'

const made = new WeakMap<Decision, StructuredToolInterface>()

/** The same object for the same decision: LangChain tells tools apart by identity. */
export function schemaTool(decision: Decision): StructuredToolInterface {
  const known = made.get(decision)
  if (known !== undefined) return known
  const { name, definition } = decision
  const carried = tool(
    () => {
      throw new Error('a tool of the surface is called through the middleware')
    },
    { name, description: definition.description, schema: definition.inputSchema as Record<string, unknown> },
  ) as unknown as StructuredToolInterface
  made.set(decision, carried)
  return carried
}
