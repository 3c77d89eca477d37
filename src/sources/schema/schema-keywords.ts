// The keywords of JSON Schema that hold schemas, over all dialects that are read.

import type { Json } from '../../core/json.ts'
import { isObject } from '../bounded-json.ts'

export interface Holder {
  /** One schema, a list of them, or a map by free names. `items` may be one or a list. */
  readonly holds: 'one' | 'list' | 'map'
  /**
   * What the held schemas are applied to: the very value that their owner is applied to, or parts of it. `nothing`:
   * they stand ready to be referred to.
   */
  readonly appliesTo: 'same' | 'parts' | 'nothing'
}

const holder = (holds: Holder['holds'], appliesTo: Holder['appliesTo']): Holder => ({ holds, appliesTo })

export const holders: ReadonlyMap<string, Holder> = new Map([
  ['properties', holder('map', 'parts')],
  ['patternProperties', holder('map', 'parts')],
  ['additionalProperties', holder('one', 'parts')],
  ['unevaluatedProperties', holder('one', 'parts')],
  ['propertyNames', holder('one', 'parts')],
  ['items', holder('one', 'parts')],
  ['prefixItems', holder('list', 'parts')],
  ['additionalItems', holder('one', 'parts')],
  ['unevaluatedItems', holder('one', 'parts')],
  ['contains', holder('one', 'parts')],
  ['allOf', holder('list', 'same')],
  ['anyOf', holder('list', 'same')],
  ['oneOf', holder('list', 'same')],
  ['not', holder('one', 'same')],
  ['if', holder('one', 'same')],
  ['then', holder('one', 'same')],
  ['else', holder('one', 'same')],
  ['dependentSchemas', holder('map', 'same')],
  ['dependencies', holder('map', 'same')],
  ['$defs', holder('map', 'nothing')],
  ['definitions', holder('map', 'nothing')],
])

/** Keywords whose value is a reference to a schema. */
export const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const

export const typeWords: ReadonlySet<Json | undefined> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])

/** What may stand where a schema is wanted. */
export const isSchema = (value: Json | undefined): boolean => typeof value === 'boolean' || isObject(value)

/**
 * What a keyword holds where schemas belong, each with its name or index; undefined when the value has another form.
 * An empty list in the place of a map is what some languages write for an empty map.
 */
export function heldIn(
  keyword: string,
  { holds }: Holder,
  value: Json,
): readonly (readonly [key: string | number | undefined, schema: Json | undefined])[] | undefined {
  if (isObject(value))
    return holds === 'map' ? Object.entries(value) : holds === 'one' ? [[undefined, value]] : undefined
  if (!Array.isArray(value)) return holds === 'one' ? [[undefined, value]] : undefined
  if (holds === 'map') return value.length === 0 ? [] : undefined
  return holds === 'list' || keyword === 'items' ? [...value.entries()] : [[undefined, value]]
}

export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
