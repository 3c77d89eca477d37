import { isList, isObject, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * `properties` is there and an object, `required` is a list of names. An object without `properties` is refused by
 * some endpoints (inboxapi/cli#106; C-066), and some servers send an empty list in its place (ollama#10328).
 */
export const rootProperties: SchemaRule = {
  id: 'root-properties',
  root: (node, at) => {
    let now = node
    if (!isObject(now.properties)) {
      at.note('properties', now.properties === undefined ? 'added' : 'rewritten')
      now = { ...now, properties: {} }
    }
    const { required } = now
    if (required !== undefined && !(isList(required) && required.every((name) => typeof name === 'string'))) {
      at.note('required', 'dropped')
      now = without(now, ['required'])
    }
    return now
  },
}
