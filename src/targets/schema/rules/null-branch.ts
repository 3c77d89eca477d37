import { isList, isNullOnly, isObject, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * "This or null" as `nullable: true`: a branch that only null fits leaves the union, and a union of one becomes
 * that one with the node's own words kept (ruby_llm#439).
 */
export const nullBranch: SchemaRule = {
  id: 'null-branch',
  node: (node, at) => {
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const list = node[keyword]
      if (!isList(list)) continue
      const others = list.filter((branch) => !isNullOnly(branch))
      const nullable = others.length < list.length ? { nullable: true } : {}
      const bare = without(node, [keyword])
      const [only] = others
      if (others.length === 1 && isObject(only)) {
        at.note(keyword, 'rewritten')
        return { ...only, ...bare, ...nullable }
      }
      if (others.length === list.length) continue
      at.note(keyword, 'rewritten')
      return others.length === 0 ? { ...bare, ...nullable } : { ...bare, [keyword]: others, ...nullable }
    }
    return node
  },
}
