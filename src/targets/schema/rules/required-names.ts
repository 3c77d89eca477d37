import { isList, propertiesOf, typesOf, without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * `required` lists only names that `properties` has, and neither stands on what is no object (Gemini:
 * home-generative-agent#525).
 */
export const requiredNames: SchemaRule = {
  id: 'required-names',
  node: (node, at) => {
    const types = typesOf(node)
    const noObject = types.length > 0 && !types.includes('object')
    const misplaced = ['required', 'properties'].filter((keyword) => noObject && node[keyword] !== undefined)
    for (const keyword of misplaced) at.note(keyword, 'dropped')
    if (misplaced.length > 0) return without(node, misplaced)
    if (node.required === undefined) return node
    const names = new Set(propertiesOf(node).map(([name]) => name))
    const list = isList(node.required) ? node.required : []
    const kept = list.filter((name) => typeof name === 'string' && names.has(name))
    if (kept.length === list.length && list.length > 0) return node
    at.note('required', kept.length > 0 ? 'rewritten' : 'dropped')
    return kept.length > 0 ? { ...node, required: kept } : without(node, ['required'])
  },
}
