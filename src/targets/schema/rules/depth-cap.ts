import type { JsonObject } from '../../../core/json.ts'
import { described, isList, isObject, propertiesOf, typesOf, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

const shape = ['properties', 'required', 'additionalProperties', 'items', 'anyOf', 'oneOf', 'allOf']
const fieldsMax = 24

/**
 * Schemas nested deeper than `levels` below the root are told instead of shown: an object becomes an open object
 * whose fields the description names, a list a list of such, a union its simplest form (C-062). Arguments keep
 * their form, so what the model sends is still what the server takes.
 */
export const depthCap = (levels: number): SchemaRule => ({
  id: 'depth-cap',
  node: (node, at) => {
    if (at.depth < levels) return node
    const union = [node.anyOf, node.oneOf, node.allOf].find(isList)
    const fields = propertiesOf(node).map(([name]) => name)
    const items = isObject(node.items) && !isFlat(node.items) ? node.items : undefined
    if (union === undefined && fields.length === 0 && items === undefined) return node
    at.note(union !== undefined ? 'anyOf' : fields.length > 0 ? 'properties' : 'items', 'cut')
    if (items !== undefined && union === undefined && fields.length === 0) {
      const type = typesOf(items)[0] ?? 'object'
      const inner: JsonObject = type === 'array' ? { type, items: { type: 'string' } } : { type }
      return {
        ...node,
        items: told(
          inner,
          propertiesOf(items).map(([name]) => name),
        ),
      }
    }
    const bare = without(node, shape)
    const types = union?.filter(isObject).map((branch) => typesOf(branch)[0] ?? 'object') ?? []
    const type = typesOf(node)[0] ?? (types.every((name) => name === types[0]) ? types[0] : undefined) ?? 'object'
    return told(type === 'array' ? { ...bare, type, items: { type: 'string' } } : { ...bare, type }, fields)
  },
})

const isPlain = (node: JsonObject): boolean =>
  propertiesOf(node).length === 0 && ![node.anyOf, node.oneOf, node.allOf].some(isList)

/** Nothing to show below it but a list of plain values. */
const isFlat = (node: JsonObject): boolean =>
  isPlain(node) && (!isObject(node.items) || (isPlain(node.items) && node.items.items === undefined))

function told(node: JsonObject, fields: readonly string[]): JsonObject {
  if (fields.length === 0) return node
  return described(node, `Fields: ${fields.slice(0, fieldsMax).join(', ')}${fields.length > fieldsMax ? ', …' : ''}.`)
}
