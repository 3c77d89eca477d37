// Which patterns of a schema are not checked when a tool is called, and why. The tool is kept and its pattern is shown
// to models as it is; docs/decisions/0009 says why.

import { isPlainPattern, patternFault, patternSize } from '../../text/pattern-fault.ts'
import { isObject } from '../bounded-json.ts'
import { placeOf, type SchemaGraph } from './schema-graph.ts'

export interface UncheckedPattern {
  readonly source: string
  /** Whether it is a pattern for texts, or for the names of properties. */
  readonly of: 'texts' | 'names'
  /** Printable: where it stands first. */
  readonly place: string
  /** In words. */
  readonly why: string
}

/** Steps that the patterns of one schema may be made of in all. Those of the largest of 2,543 real tools come to 1,700. */
const sizeMax = 20_000

/** Each pattern that is not checked, once. */
export function uncheckedPatterns({ nodes }: SchemaGraph): readonly UncheckedPattern[] {
  const found: UncheckedPattern[] = []
  const seen = new Set<string>()
  let size = 0
  for (const node of nodes) {
    const { pattern, patternProperties } = node.schema
    if (typeof pattern === 'string' && !seen.has(pattern)) {
      seen.add(pattern)
      const fault = patternFault(pattern)
      if (fault === undefined) size += patternSize(pattern)
      const why = fault ?? (size > sizeMax ? 'the patterns of its schema are too many' : undefined)
      if (why !== undefined) found.push({ source: pattern, of: 'texts', place: `${placeOf(node)}.pattern`, why })
    }
    if (!isObject(patternProperties)) continue
    for (const source of Object.keys(patternProperties)) {
      // Names are looked at by the engine of JavaScript: a validator has no other way in for them.
      if (isPlainPattern(source)) continue
      found.push({ source, of: 'names', place: `${placeOf(node)}.patternProperties`, why: 'it is not plain enough' })
    }
  }
  return found
}
