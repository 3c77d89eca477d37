import { isList, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** "Exactly one of" as "any of": APIs that know one union keyword know `anyOf`. */
export const oneOf: SchemaRule = {
  id: 'one-of',
  node: (node, at) => {
    if (node.oneOf === undefined) return node
    const rest = without(node, ['oneOf'])
    if (!isList(node.oneOf) || rest.anyOf !== undefined) {
      at.note('oneOf', 'dropped')
      return rest
    }
    at.note('oneOf', 'rewritten')
    return { ...rest, anyOf: node.oneOf }
  },
}
