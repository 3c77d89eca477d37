import type { Json, JsonObject } from '../../../core/json.ts'
import { isList, isNullOnly, isObject, objectOf, propertiesOf, stringsOf, typesOf } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * Every property is required, and what was optional may be null (OpenAI strict mode, C-065). Whoever calls the
 * tool takes such a null out again before the arguments are checked against the original.
 */
export const allRequired: SchemaRule = {
  id: 'all-required',
  leave: (node, at) => {
    if (!typesOf(node).includes('object')) return node
    const entries = propertiesOf(node)
    const required = new Set(stringsOf(node.required))
    const optional = new Set(entries.map(([name]) => name).filter((name) => !required.has(name)))
    const names = entries.map(([name]) => name)
    if (optional.size === 0 && isList(node.required) && node.required.length === names.length) return node
    at.note('required', node.required === undefined ? 'added' : 'rewritten')
    const properties = entries.map(([name, schema]) => [name, optional.has(name) ? orNull(schema) : schema] as const)
    return { ...node, ...(isObject(node.properties) ? { properties: objectOf(properties) } : {}), required: names }
  },
}

/** The schema, or null. */
function orNull(schema: Json): Json {
  if (!isObject(schema) || isNullOnly(schema)) return schema
  const branches = isList(schema.anyOf) ? schema.anyOf : undefined
  if (branches !== undefined)
    return branches.some(isNullOnly) ? schema : { ...schema, anyOf: [...branches, { type: 'null' }] }
  const types = typesOf(schema)
  if (types.length === 0 || schema.const !== undefined) return { anyOf: [schema, { type: 'null' }] }
  const now: JsonObject = types.includes('null') ? schema : { ...schema, type: [...types, 'null'] }
  return isList(now.enum) && !now.enum.includes(null) ? { ...now, enum: [...now.enum, null] } : now
}
