import { objectOf } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** Only the keywords that the API knows; an unknown one can refuse the whole request (promptfoo#6902; C-055). */
export const keepKeywords = (known: readonly string[]): SchemaRule => {
  const kept = new Set(known)
  return {
    id: 'keep-keywords',
    node: (node, at) => {
      const gone = Object.keys(node).filter((keyword) => !kept.has(keyword))
      if (gone.length === 0) return node
      for (const keyword of gone) at.note(keyword, 'dropped')
      return objectOf(Object.entries(node).filter(([keyword]) => kept.has(keyword)))
    },
  }
}
