import { isList, isObject, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * The type that stands beside a union goes into its branches, where they have none: each branch can stand alone.
 * Beside an `enum` the union says nothing more and goes.
 */
export const typedBranches: SchemaRule = {
  id: 'typed-branches',
  node: (node, at) => {
    const { anyOf, type, items } = node
    if (!isList(anyOf)) return node
    if (isList(node.enum)) {
      at.note('anyOf', 'dropped')
      return without(node, ['anyOf'])
    }
    if (type === undefined) return node
    at.note('type', 'rewritten')
    const own = { type, ...(items === undefined ? {} : { items }) }
    const branches = anyOf.map((branch) =>
      isObject(branch) && branch.type === undefined && branch.$ref === undefined && branch.anyOf === undefined
        ? { ...own, ...branch }
        : branch,
    )
    return { ...without(node, ['type', 'items']), anyOf: branches }
  },
}
