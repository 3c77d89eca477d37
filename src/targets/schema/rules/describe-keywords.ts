import type { Json } from '../../../core/json.ts'
import { described, shortJson, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

export interface DescribeOptions {
  readonly keywords: readonly string[]
  /** Values of `format` that may stay; absent: `format` is treated like any other keyword. */
  readonly formatsKept?: (format: Json, type: Json | undefined) => boolean
}

/**
 * Keywords that the API does not take but a model can use are moved into the description (C-064, C-065): a
 * pattern, a default or a limit is then still known to whoever writes the arguments.
 */
export const describeKeywords = ({ keywords, formatsKept }: DescribeOptions): SchemaRule => ({
  id: 'describe-keywords',
  node: (node, at) => {
    const moved = keywords.filter((keyword) => {
      const value = node[keyword]
      if (value === undefined || !Object.hasOwn(node, keyword)) return false
      return keyword !== 'format' || formatsKept === undefined || !formatsKept(value, node.type)
    })
    if (moved.length === 0) return node
    for (const keyword of moved) at.note(keyword, 'described')
    const told = moved.map(
      (keyword) => `${keyword}: ${typeof node[keyword] === 'string' ? node[keyword] : shortJson(node[keyword])}`,
    )
    return described(without(node, moved), `(${told.join('; ')})`)
  },
})
