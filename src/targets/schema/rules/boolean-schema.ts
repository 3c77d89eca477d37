import type { Json, JsonObject } from '../../../core/json.ts'
import { holders } from '../holders.ts'
import { isList, isObject, objectOf, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/** For these, true and false are settings of the keyword rather than schemas that stand for themselves. */
const switches: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/**
 * Sub-schemas are objects: `true` becomes what stands for "anything" here, `false` is taken out of what holds it.
 * Gemini, Ollama and others refuse the boolean form (copilot-cli#4623, oh-my-pi#4488; C-058).
 */
export const booleanSchema = (any: JsonObject): SchemaRule => ({
  id: 'boolean-schema',
  node: (node, at) => {
    let now = node
    for (const [keyword, value] of Object.entries(node)) {
      const holds = holders.get(keyword)
      if (value === undefined || holds === undefined || switches.has(keyword)) continue
      const next = withoutBooleans(value, holds === 'map', any)
      if (next === value) continue
      at.note(keyword, next === undefined ? 'dropped' : 'rewritten')
      now = next === undefined ? without(now, [keyword]) : { ...now, [keyword]: next }
    }
    return now
  },
})

function withoutBooleans(value: Json, isMap: boolean, any: JsonObject): Json | undefined {
  if (typeof value === 'boolean') return value ? any : undefined
  if (isList(value)) {
    if (!value.some((item) => typeof item === 'boolean')) return value
    return value.filter((item) => item !== false).map((item) => (item === true ? any : item))
  }
  if (!isMap || !isObject(value) || !Object.values(value).some((item) => typeof item === 'boolean')) return value
  const kept = Object.entries(value).filter(([, item]) => item !== false)
  return objectOf(kept.map(([name, item]) => [name, item === true ? any : item]))
}
