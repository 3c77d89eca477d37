import { without } from '../schema-node.ts'
import type { SchemaRule } from '../schema-rule.ts'

/**
 * A reference has no keywords beside it (OpenAI strict mode); with a description it becomes a union of one. One
 * that leads out of the schema or to nothing refuses the tool.
 */
export const bareReferences: SchemaRule = {
  id: 'bare-references',
  node: (node, at) => {
    const { $ref, description } = node
    if (typeof $ref !== 'string') return node
    const found = at.enter($ref)
    if (found.kind === 'remote' || found.kind === 'dangling') at.refuse('$ref', `${found.kind}-reference`)
    if (Object.keys(node).length === 1) return node
    for (const keyword of Object.keys(without(node, ['$ref', 'description']))) at.note(keyword, 'dropped')
    if (typeof description === 'string') at.note('$ref', 'rewritten')
    return typeof description === 'string' ? { anyOf: [{ $ref }], description } : { $ref }
  },
}
