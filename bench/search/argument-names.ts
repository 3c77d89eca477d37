import { isJsonObject, type Json } from '../../src/core/json.ts'

const depthMax = 3

/** Names of the arguments in an input schema, those of inner objects and list items with them. */
export function argumentNames(schema: Json | undefined, depth = 0): string[] {
  if (!isJsonObject(schema) || depth > depthMax) return []
  const { properties, items } = schema
  const own = isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, inner]) => [name, ...argumentNames(inner, depth + 1)])
    : []
  return [...own, ...argumentNames(items, depth + 1)]
}
