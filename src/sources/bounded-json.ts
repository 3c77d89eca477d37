// Foreign values are measured before anything recursive touches them: hashing, freezing and writing all
// follow the nesting of a value, and five thousand levels of it would end the process.

import type { Json, JsonObject } from '../core/json.ts'

/** Levels of nesting that are read. The deepest of 2,543 real tools has 24. */
const depthMax = 128

/** What is wrong with the size of a value, or `undefined` when it can be handled. Walks level by level, without recursion. */
export function oversize(value: unknown, nodesMax: number): 'too deep' | 'too big' | undefined {
  let level: readonly unknown[] = [value]
  let nodes = 1
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return 'too deep'
    const next: unknown[] = []
    for (const item of level) {
      if (item === null || typeof item !== 'object') continue
      const children = Object.values(item)
      nodes += children.length
      if (nodes > nodesMax) return 'too big'
      for (const child of children) next.push(child)
    }
    level = next
  }
  return undefined
}

/** True for what JSON calls an object. */
export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * A plain copy of a value that another module owns: what JSON can say of it, at most `nodesMax` values. Returns
 * `undefined` for what is no JSON, is circular, too deep or too big; getters that throw count as no JSON.
 */
export function plainCopy(value: unknown, nodesMax: number): Json | undefined {
  try {
    if (oversize(value, nodesMax) !== undefined) return undefined
    const text = JSON.stringify(value)
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}
