import type { Json, JsonObject } from '../../../core/json.ts'
import { isList, isObject, objectOf, propertiesOf, stringsOf, without } from '../schema-node.ts'
import type { Place, SchemaRule } from '../schema-rule.ts'

/**
 * "All of these" as one schema: properties and required names are united, of any other keyword the first wins.
 * OpenAI refuses `allOf` at any depth in strict mode (notion-mcp-server#102), Gemini does not know it.
 */
export const allOf: SchemaRule = {
  id: 'all-of',
  node: (node, at) => {
    if (!isList(node.allOf)) return node
    at.note('allOf', 'rewritten')
    const parts = [without(node, ['allOf']), ...node.allOf.filter(isObject).map((branch) => followed(branch, at))]
    const keywords = new Map<string, Json | undefined>()
    const properties = new Map<string, Json>()
    const required = new Set<string>()
    for (const part of parts) {
      for (const [keyword, value] of Object.entries(part)) if (!keywords.has(keyword)) keywords.set(keyword, value)
      for (const [name, schema] of propertiesOf(part)) if (!properties.has(name)) properties.set(name, schema)
      for (const name of stringsOf(part.required)) required.add(name)
    }
    return {
      ...objectOf(keywords),
      ...(properties.size > 0 ? { properties: objectOf(properties) } : {}),
      ...(required.size > 0 ? { required: [...required] } : {}),
    }
  },
}

/** A branch with its reference followed; one that leads nowhere refuses, one that leads back adds nothing. */
function followed(branch: JsonObject, at: Place): JsonObject {
  if (typeof branch.$ref !== 'string') return branch
  const found = at.enter(branch.$ref)
  const rest = without(branch, ['$ref'])
  if (found.kind === 'found') return { ...found.node, ...rest }
  if (found.kind !== 'recursive') at.refuse('$ref', `${found.kind}-reference`)
  return rest
}
