// Foreign values are measured before anything recursive touches them: hashing, freezing and writing all
// follow the nesting of a value, and five thousand levels of it would end the process.

import type { Json, JsonObject } from '../core/json.ts'

/** Levels of nesting that are read. The deepest of 2,543 real tools has 24. */
const depthMax = 128

export interface Measure {
  /** Values in all, as far as they were counted. */
  readonly nodes: number
  /** Characters of all texts and names, as far as they were counted. */
  readonly chars: number
  /** What is wrong with the size. Absent: nothing, and both counts are whole. */
  readonly over?: 'too deep' | 'too big'
}

export interface Bounds {
  readonly nodesMax: number
  /** Absent: no limit. */
  readonly charsMax?: number
}

/** The size of a value. Walks level by level, without recursion, and no further than the bounds. */
export function measured(value: unknown, { nodesMax, charsMax = Number.POSITIVE_INFINITY }: Bounds): Measure {
  let level: readonly unknown[] = [value]
  let nodes = 1
  let chars = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return { nodes, chars, over: 'too deep' }
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item === 'string') chars += item.length
      else if (Array.isArray(item)) {
        nodes += item.length
        if (nodes > nodesMax) return { nodes, chars, over: 'too big' }
        for (const child of item) next.push(child)
      } else if (item !== null && typeof item === 'object') {
        // Key by key, so that one object of a million keys ends at the bound as well.
        for (const key in item) {
          nodes += 1
          chars += key.length
          if (nodes > nodesMax) return { nodes, chars, over: 'too big' }
          next.push((item as { readonly [key: string]: unknown })[key])
        }
      }
      if (chars > charsMax) return { nodes, chars, over: 'too big' }
    }
    level = next
  }
  return { nodes, chars }
}

/** What is wrong with the size of a value, or `undefined` when it can be handled. */
export const oversize = (value: unknown, nodesMax: number): Measure['over'] => measured(value, { nodesMax }).over

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
