// A copy of any value as plain JSON data, or what of it is none. Whatever a script was made of, later code sees
// mappings without prototype, lists, texts, finite numbers, true, false and null.

import type { Json } from '../../core/json.ts'
import type { ScriptPath, Tell } from './script-shape.ts'

/** Bounds of a script: nobody writes more, and a value that holds itself ends there. */
export const scriptBounds = { depth: 60, values: 500_000, bytes: 4 * 1024 * 1024 } as const

const nameOf = (part: unknown): string =>
  part === undefined || typeof part === 'number' ? String(part) : `a ${typeof part}`

/** Told of the first values that are no JSON. Keys with the value `undefined` are absent. Never throws. */
export function plainCopy(value: unknown, tell: Tell): Json {
  let left: number = scriptBounds.values
  const copy = (part: unknown, path: ScriptPath): Json => {
    if (left === 0) return null
    left -= 1
    if (left === 0) tell([], `holds more than ${scriptBounds.values} values`)
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return part
    if (typeof part === 'number' && Number.isFinite(part)) return part
    if (typeof part !== 'object') {
      tell(path, `is ${nameOf(part)}, which JSON does not have`)
      return null
    }
    if (path.length >= scriptBounds.depth) {
      tell(path.slice(0, 12), `is nested deeper than ${scriptBounds.depth} levels`)
      left = 0
      return null
    }
    if (Array.isArray(part)) return Array.from(part, (item, index) => copy(item, [...path, index]))
    const proto = Object.getPrototypeOf(part)
    if (proto !== null && proto !== Object.prototype) {
      tell(path, 'is no plain mapping')
      return null
    }
    const plain: Record<string, Json> = Object.create(null)
    for (const [key, item] of Object.entries(part)) {
      if (item !== undefined) plain[key] = copy(item, [...path, key])
    }
    return plain
  }
  return copy(value, [])
}
