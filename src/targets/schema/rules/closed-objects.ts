import { isObject, propertiesOf, typesOf } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * `additionalProperties: false` on every object (OpenAI strict mode). An object that is meant to hold free names
 * cannot be said then, and the tool is refused rather than shown with an argument that nobody can fill.
 */
export const closedObjects: SchemaRule = {
  id: 'closed-objects',
  node: (node, at) => {
    if (!typesOf(node).includes('object') || node.additionalProperties === false) return node
    const free = isObject(node.additionalProperties) && Object.keys(node.additionalProperties).length > 0
    const empty = propertiesOf(node).length === 0
    if (free || (empty && !at.isRoot)) {
      at.refuse('additionalProperties', 'open-object')
      return node
    }
    at.note('additionalProperties', node.additionalProperties === undefined ? 'added' : 'rewritten')
    return { ...node, additionalProperties: false }
  },
}
