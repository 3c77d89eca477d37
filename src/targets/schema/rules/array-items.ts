import type { JsonObject } from '../../../core/json.ts'
import { typesOf } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** A list says what is in it: refused without `items` by OpenAI (aichat#1049) and Gemini (opencode#11889). */
export const arrayItems = (any: JsonObject): SchemaRule => ({
  id: 'array-items',
  node: (node, at) => {
    if (!typesOf(node).includes('array') || (node.items !== undefined && typeof node.items !== 'boolean')) return node
    at.note('items', node.items === undefined ? 'added' : 'rewritten')
    return { ...node, items: any }
  },
})
