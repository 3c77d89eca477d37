import type { JsonObject } from '../../../core/json.ts'
import { isList, isObject } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** Every node has a type, guessed from its keywords; without any it becomes what stands for "anything" here. */
export const nodeType = (any: JsonObject): SchemaRule => ({
  id: 'node-type',
  node: (node, at) => {
    if (node.type !== undefined || isList(node.anyOf) || node.$ref !== undefined) return node
    at.note('type', 'added')
    return { ...any, ...node, ...guessed(node) }
  },
})

function guessed(node: JsonObject): JsonObject {
  if (isObject(node.properties)) return { type: 'object' }
  if (node.items !== undefined) return { type: 'array' }
  if (isList(node.enum) && node.enum.every((value) => typeof value === 'string')) return { type: 'string' }
  return {}
}
