import type { Json, JsonObject } from '../../../core/json.ts'
import { isList, objectOf, stringsOf, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

export interface SingleTypeOptions {
  /** How "or null" is said: with `nullable: true`, or not at all. */
  readonly nullAs: 'nullable' | 'nothing'
  /** Whether several types become branches of `anyOf`. */
  readonly split: boolean
}

/**
 * One type per node. `null` leaves the list; what remains keeps all its keywords, and several types become one
 * branch each with the keywords of that type (C-056: never a split that loses `items`).
 */
export const singleType = ({ nullAs, split }: SingleTypeOptions): SchemaRule => ({
  id: 'single-type',
  node: (node, at) => {
    const { type } = node
    if (!isList(type) && type !== 'null') return node
    const all = typeof type === 'string' ? [type] : [...new Set(stringsOf(type))]
    const types = all.filter((name) => name !== 'null')
    if (types.length > 1 && !split && types.length === all.length) return node
    at.note('type', 'rewritten')
    const nullable = nullAs === 'nullable' && all.includes('null') ? { nullable: true } : {}
    const bare = without(node, ['type'])
    if (types.length === 0) return { ...bare, type: 'string', ...nullable }
    if (types.length === 1) return { ...bare, type: types[0] ?? 'string', ...nullable }
    if (node.anyOf !== undefined && split) return { ...bare, ...nullable }
    if (!split) return { ...bare, type: types, ...nullable }
    const kept = Object.entries(bare).filter(([keyword]) => !typeOf.has(keyword) && keyword !== 'enum')
    return { ...objectOf(kept), anyOf: types.map((name) => branch(bare, name)), ...nullable }
  },
})

/** Which type a keyword speaks of. */
const typeOf: ReadonlyMap<string, 'object' | 'array' | 'string' | 'number'> = new Map([
  ...[
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
  ].map((keyword) => [keyword, 'object'] as const),
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'].map(
    (keyword) => [keyword, 'array'] as const,
  ),
  ...['pattern', 'format', 'minLength', 'maxLength'].map((keyword) => [keyword, 'string'] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(
    (keyword) => [keyword, 'number'] as const,
  ),
])

function branch(node: JsonObject, type: string): JsonObject {
  const family = type === 'integer' ? 'number' : type
  const own = Object.entries(node).filter(([keyword]) => typeOf.get(keyword) === family)
  const values = isList(node.enum) ? node.enum.filter((value) => familyOf(value) === family) : []
  return { type, ...objectOf(own), ...(values.length > 0 ? { enum: values } : {}) }
}

const familyOf = (value: Json): string => (isList(value) ? 'array' : typeof value)
