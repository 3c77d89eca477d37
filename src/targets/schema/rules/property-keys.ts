import { described, isObject, objectOf, propertiesOf, stringsOf, typesOf, wellFormedCut } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

const keyPattern = /^[A-Za-z0-9_.-]{1,64}$/
const toldMax = 20

/**
 * Names of arguments are letters, digits, `_`, `.` and `-`, at most 64. Anthropic refuses the whole request for
 * another one at the root (claude-code#79418, decocms/studio#6874: only the root is checked). Such an argument is
 * told in the description instead of being renamed: the model may still give it, under its true name, and nothing
 * has to be renamed back.
 */
export const propertyKeys: SchemaRule = {
  id: 'property-keys',
  root: (node, at) => {
    const entries = propertiesOf(node)
    const odd = entries.filter(([name]) => !keyPattern.test(name))
    if (odd.length === 0) return node
    const required = stringsOf(node.required)
    const told = odd.slice(0, toldMax).map(([name, schema]) => {
      const type = isObject(schema) ? (typesOf(schema)[0] ?? 'any') : 'any'
      return `${JSON.stringify(wellFormedCut(name, 64))} (${type}${required.includes(name) ? ', required' : ''})`
    })
    for (const _ of odd) at.note('properties', 'described')
    const kept = required.filter((name) => keyPattern.test(name))
    const now = {
      ...node,
      properties: objectOf(entries.filter(([name]) => keyPattern.test(name))),
      ...(kept.length < required.length ? { required: kept } : {}),
    }
    return described(now, `Also takes: ${told.join(', ')}${odd.length > toldMax ? ', …' : ''}.`)
  },
}
