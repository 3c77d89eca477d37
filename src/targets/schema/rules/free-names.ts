import { described, isObject, typesOf, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** An object that takes any names says so in words, where the API has no keyword for the values (user-needs §5). */
export const freeNames: SchemaRule = {
  id: 'free-names',
  node: (node, at) => {
    const values = node.additionalProperties
    if (!isObject(values) || Object.keys(values).length === 0) return node
    at.note('additionalProperties', 'described')
    const types = typesOf(values)
    const of = types.length > 0 ? ` with values of type ${types.join(' or ')}` : ''
    return described(without(node, ['additionalProperties']), `Takes any names${of}.`)
  },
}
