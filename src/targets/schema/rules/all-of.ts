import type { JsonObject } from '../../../core/json.ts'
import { isList, isObject, objectOf, propertiesOf, stringsOf, without } from '../schema-node.ts'
import type { Place, SchemaRule } from '../schema-rule.ts'

/**
 * "All of these" as one schema: properties and required names are united, of any other keyword the first wins.
 * OpenAI refuses `allOf` at any depth in strict mode (notion-mcp-server#102), Gemini does not know it.
 */
export const allOf: SchemaRule = {
  id: 'all-of',
  node: (node, at) => {
    if (node.allOf === undefined) return node
    let now: JsonObject = without(node, ['allOf'])
    at.note('allOf', 'rewritten')
    for (const branch of isList(node.allOf) ? node.allOf : []) {
      if (isObject(branch)) now = united(now, followed(branch, at))
    }
    return now
  },
}

function united(first: JsonObject, second: JsonObject): JsonObject {
  const properties = [...propertiesOf(second), ...propertiesOf(first)]
  const required = [...new Set([...stringsOf(first.required), ...stringsOf(second.required)])]
  return {
    ...second,
    ...first,
    ...(properties.length > 0 ? { properties: objectOf(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
  }
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
