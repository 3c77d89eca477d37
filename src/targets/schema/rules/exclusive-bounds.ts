import { without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

const pairs = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

/** The boolean form of draft 4 becomes a number: Anthropic checks against draft 2020-12 (Dokploy/mcp#74). */
export const exclusiveBounds: SchemaRule = {
  id: 'exclusive-bounds',
  node: (node, at) => {
    let now = node
    for (const [exclusive, bound] of pairs) {
      const flag = now[exclusive]
      if (typeof flag !== 'boolean') continue
      const limit = now[bound]
      at.note(exclusive, 'rewritten')
      now =
        flag && typeof limit === 'number' ? { ...without(now, [bound]), [exclusive]: limit } : without(now, [exclusive])
    }
    return now
  },
}
