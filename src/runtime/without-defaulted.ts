import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/**
 * The schema without the demand for what has a default. Libraries that write schemas from what a program holds after
 * reading its arguments put such properties among the required ones, and the server fills them in by itself.
 */
export function withoutDefaulted(schema: JsonObject): JsonObject {
  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isJsonObject(value)) return value
    const walked = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item as Json)]))
    const { required, properties } = walked
    if (!Array.isArray(required) || !isJsonObject(properties)) return walked
    return { ...walked, required: required.filter((name) => !hasDefault(properties, name)) }
  }
  return walk(schema) as JsonObject
}

function hasDefault(properties: JsonObject, name: Json): boolean {
  if (typeof name !== 'string' || !Object.hasOwn(properties, name)) return false
  const property = properties[name]
  return isJsonObject(property) && Object.hasOwn(property, 'default')
}
