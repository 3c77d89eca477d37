import type { Json } from '../../../core/json.ts'
import { holders } from '../holders.ts'
import { isList, isObject, objectOf, stringsOf, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

const typeNames = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/**
 * Keywords have values of the kind that JSON Schema gives them, so that the rules after it need not ask: no list
 * where a map belongs (some servers write `properties: []`), no unknown type, nothing but schemas where schemas
 * stand. A validating API refuses the whole request for one of these.
 */
export const wellFormed: SchemaRule = {
  id: 'well-formed',
  node: (node, at) => {
    let now = node
    for (const keyword of Object.keys(node)) {
      const value = now[keyword]
      const mended = value === undefined ? undefined : mendedValue(keyword, value)
      if (mended === value) continue
      at.note(keyword, mended === undefined ? 'dropped' : 'rewritten')
      now = mended === undefined ? without(now, [keyword]) : { ...now, [keyword]: mended }
    }
    return now
  },
}

/** The value itself when it is sound; undefined when nothing of it can stay. */
function mendedValue(keyword: string, value: Json): Json | undefined {
  const holds = holders.get(keyword)
  if (holds !== undefined) return mendedHolder(keyword, holds, value)
  switch (keyword) {
    case 'type':
      return mendedType(value)
    case 'required': {
      const names = stringsOf(value)
      return isList(value) && names.length === value.length ? value : names.length > 0 ? names : undefined
    }
    case 'enum':
      return isList(value) ? value : undefined
    case '$ref':
    case 'title':
    case 'description':
    case 'pattern':
    case 'format':
      return typeof value === 'string' ? value : undefined
    default:
      return value
  }
}

function mendedType(value: Json): Json | undefined {
  if (typeof value === 'string') return typeNames.has(value) ? value : undefined
  const known = stringsOf(value).filter((name) => typeNames.has(name))
  const distinct = [...new Set(known)]
  if (distinct.length === 0) return undefined
  return isList(value) && value.length === distinct.length ? value : distinct
}

function mendedHolder(keyword: string, holds: 'one' | 'list' | 'map', value: Json): Json | undefined {
  if (isList(value)) {
    if (holds === 'map' || (holds === 'one' && keyword !== 'items')) return undefined
    if (value.length === 0) return undefined
    return value.every(isSchema) ? value : value.map((item) => (isSchema(item) ? item : true))
  }
  if (holds === 'list') return undefined
  if (holds === 'one') return isSchema(value) ? value : undefined
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  const sound = entries.every(([, item]) => item !== undefined && isSchema(item))
  return sound
    ? value
    : objectOf(entries.map(([name, item]) => [name, item !== undefined && isSchema(item) ? item : true]))
}

const isSchema = (value: Json): boolean => typeof value === 'boolean' || isObject(value)
