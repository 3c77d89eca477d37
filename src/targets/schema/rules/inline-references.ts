import type { JsonObject } from '../../../core/json.ts'
import { described, typesOf, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * A reference is replaced by what it points at, the node's own words kept. Where a shape holds itself it is shown
 * once and below that only named, so that the tool stays usable; a reference that leads out of the schema or to
 * nothing refuses the tool (nothing is fetched, and nothing is treated as "anything goes").
 */
export const inlineReferences: SchemaRule = {
  id: 'inline-references',
  root: (node, at) => {
    const defs = ['$defs', 'definitions'].filter((keyword) => node[keyword] !== undefined)
    for (const keyword of defs) at.note(keyword, 'inlined')
    return defs.length === 0 ? node : without(node, defs)
  },
  node: (node, at) => {
    const { $ref } = node
    if (typeof $ref !== 'string') return node
    const rest = without(node, ['$ref'])
    const found = at.enter($ref)
    if (found.kind === 'remote' || found.kind === 'dangling') {
      at.refuse('$ref', `${found.kind}-reference`)
      return node
    }
    at.note('$ref', found.kind === 'found' ? 'inlined' : 'cut')
    return found.kind === 'found' ? { ...found.node, ...rest } : cutOff(found.node, rest)
  },
}

function cutOff(target: JsonObject, rest: JsonObject): JsonObject {
  return described({ ...rest, type: typesOf(target)[0] ?? 'object' }, 'Nested further in the same form.')
}
