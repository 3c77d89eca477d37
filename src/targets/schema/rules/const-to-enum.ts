import { described, isList, shortJson, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** One fixed value as an `enum` of one, with its type (google_workspace_mcp#1099; C-060). */
export const constToEnum: SchemaRule = {
  id: 'const-to-enum',
  node: (node, at) => {
    if (node.const === undefined) return node
    const value = node.const
    const rest = without(node, ['const'])
    if (value === null || typeof value === 'object') {
      at.note('const', 'described')
      const shape = value === null ? {} : { type: rest.type ?? (isList(value) ? 'array' : 'object') }
      return described({ ...rest, ...shape }, `Always ${shortJson(value)}.`)
    }
    at.note('const', 'rewritten')
    return { ...rest, type: rest.type ?? typeof value, enum: [value] }
  },
}
