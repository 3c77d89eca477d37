import type { Json } from '../../../core/json.ts'
import { isList, isObject, propertiesOf } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** Size limits of OpenAI's strict mode (user-needs §5): nesting, properties, enum values, characters of names. */
const limits = { depth: 10, properties: 5_000, enumValues: 1_000, nameChars: 120_000 } as const

/** Refuses what is larger than strict mode takes, after all else is done. */
export const strictLimits: SchemaRule = {
  id: 'strict-limits',
  leave: (node, at) => {
    if (!at.isRoot) return node
    const sum = { depth: 0, properties: 0, enumValues: 0, nameChars: 0 }
    measure(node, 0, sum)
    if (sum.depth > limits.depth) at.refuse('properties', 'too-deep')
    if (sum.properties > limits.properties || sum.nameChars > limits.nameChars) at.refuse('properties', 'too-big')
    if (sum.enumValues > limits.enumValues) at.refuse('enum', 'too-big')
    return node
  },
}

interface Sum {
  depth: number
  properties: number
  enumValues: number
  nameChars: number
}

/** Objects and lists count as levels, unions do not. The walk is as deep as the engine let the schema be. */
function measure(value: Json | undefined, depth: number, sum: Sum): void {
  if (!isObject(value)) return
  sum.depth = Math.max(sum.depth, depth)
  for (const item of isList(value.enum) ? value.enum : []) {
    sum.enumValues += 1
    sum.nameChars += typeof item === 'string' ? item.length : 0
  }
  for (const [name, schema] of propertiesOf(value)) {
    sum.properties += 1
    sum.nameChars += name.length
    measure(schema, depth + 1, sum)
  }
  measure(value.items, depth + 1, sum)
  for (const branch of isList(value.anyOf) ? value.anyOf : []) measure(branch, depth, sum)
  for (const schema of isObject(value.$defs) ? Object.values(value.$defs) : []) measure(schema, 1, sum)
}
