import type { JsonObject } from '../../../core/json.ts'
import { typesOf, without } from '../schema-node.ts'
import type { Place, SchemaRule } from '../schema-rule.ts'

const hopsMax = 16

/**
 * The root is one object with `type: object`. A reference at the root is followed, a missing type or one with
 * `null` beside it is set; any other type cannot be called. Every provider wants this (user-needs §5, root schema).
 */
export const rootObject: SchemaRule = {
  id: 'root-object',
  root: (node, at) => {
    const now = followed(node, at)
    const { type } = now
    if (type === 'object') return now
    if (type === undefined || type === null) {
      at.note('type', 'added')
      return { ...now, type: 'object' }
    }
    if (typesOf(now).includes('object')) {
      at.note('type', 'rewritten')
      return { ...now, type: 'object' }
    }
    at.refuse('type', 'not-an-object')
    return now
  },
}

function followed(node: JsonObject, at: Place): JsonObject {
  let now = node
  for (let hop = 0; hop < hopsMax && typeof now.$ref === 'string'; hop += 1) {
    const found = at.enter(now.$ref)
    if (found.kind !== 'found') {
      at.refuse(
        '$ref',
        found.kind === 'recursive'
          ? 'endless-reference'
          : `${found.kind === 'remote' ? 'remote' : 'dangling'}-reference`,
      )
      return now
    }
    at.note('$ref', 'inlined')
    now = { ...found.node, ...without(now, ['$ref']) }
  }
  return now
}
