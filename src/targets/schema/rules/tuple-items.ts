import { canonicalJson, type Json } from '../../../core/json.ts'
import { isList, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * Lists with one schema for each place. `prefix`: the older form `items: [...]` becomes `prefixItems`, which is
 * what draft 2020-12 knows (Anthropic, openclaw#98588). `merged`: one schema that fits every place, for APIs that
 * know neither form.
 */
export const tupleItems = (form: 'prefix' | 'merged'): SchemaRule => ({
  id: 'tuple-items',
  node: (node, at) => {
    const older = isList(node.items) ? node.items : undefined
    if (form === 'prefix') {
      if (older === undefined) return node
      at.note('items', 'rewritten')
      const rest = node.additionalItems
      const bare = without(node, ['items', 'additionalItems'])
      return {
        ...bare,
        ...(older.length > 0 ? { prefixItems: older } : {}),
        ...(rest === undefined ? {} : { items: rest }),
      }
    }
    const places = older ?? (isList(node.prefixItems) ? node.prefixItems : undefined)
    if (places === undefined) return node
    at.note(older === undefined ? 'prefixItems' : 'items', 'rewritten')
    const further = older === undefined ? node.items : node.additionalItems
    const bare = without(node, ['items', 'prefixItems', 'additionalItems'])
    const items = oneFor([...places, ...(further === undefined || typeof further === 'boolean' ? [] : [further])])
    return items === undefined ? bare : { ...bare, items }
  },
})

function oneFor(schemas: readonly Json[]): Json | undefined {
  const distinct = [...new Map(schemas.map((schema) => [canonicalJson(schema), schema])).values()]
  return distinct.length > 1 ? { anyOf: distinct } : distinct[0]
}
