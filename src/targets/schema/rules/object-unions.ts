import { mergeUnion } from '../merge-union.ts'
import { propertiesOf, typesOf } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * An object with a union beside its own properties ("one of these two is required") as one object. For APIs where
 * a union must stand alone or every branch needs a type: pulled apart, the branches would lose the properties.
 */
export const objectUnions: SchemaRule = {
  id: 'object-unions',
  node: (node, at) => {
    const types = typesOf(node)
    const isOneObject = types.length === 0 ? propertiesOf(node).length > 0 : types.every((type) => type === 'object')
    return isOneObject ? mergeUnion(node, ['anyOf', 'oneOf'], at) : node
  },
}
