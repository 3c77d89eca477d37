import { isList, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** An `enum` without values fits nothing and is refused; one server of 71 sends it. */
export const enumNotEmpty: SchemaRule = {
  id: 'enum-not-empty',
  node: (node, at) => {
    if (!isList(node.enum) || node.enum.length > 0) return node
    at.note('enum', 'dropped')
    return without(node, ['enum'])
  },
}
