import { assemble } from '../../src/core/assemble.ts'
import { gateOrder } from '../../src/gates/order.ts'
import type { ToolCall } from '../../src/runtime/tool-call.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { aCandidate, someFacts } from '../../src/testing/world.ts'

/** A call of a tool that a server offers and the run has. */
export function aCallOf(name: string): ToolCall {
  const candidate = aCandidate({ source: 'mcp', server: 'files', name })
  const surface = assemble(someFacts(), [candidate], gateOrder.default, { sha256 })
  const [decision] = surface.decisions
  if (decision === undefined) throw new Error('a candidate has a decision')
  return { name: decision.name, args: {}, decision }
}
