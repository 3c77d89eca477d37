import type { Json, JsonObject } from '../../../core/json.ts'
import { isList, isObject } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * A union stands alone in its node (Gemini: opencode#14659) and holds no union itself. Its description goes to
 * every branch that has none, "or null" to the first branch.
 */
export const anyOfAlone: SchemaRule = {
  id: 'any-of-alone',
  leave: (node, at) => {
    const { anyOf, description, nullable } = node
    if (!isList(anyOf)) return node
    const flat = anyOf.flatMap((branch): readonly Json[] =>
      isObject(branch) && isList(branch.anyOf) ? branch.anyOf : [branch],
    )
    if (Object.keys(node).length === 1 && flat.length === anyOf.length) return node
    at.note('anyOf', 'rewritten')
    const branches = flat.map((branch, index) => {
      if (!isObject(branch)) return branch
      const told: JsonObject =
        typeof description === 'string' && branch.description === undefined ? { description } : {}
      return { ...branch, ...told, ...(nullable === true && index === 0 ? { nullable } : {}) }
    })
    return { anyOf: branches }
  },
}
