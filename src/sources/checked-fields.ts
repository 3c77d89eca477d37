// Reading records that come back from a file, field by field. What does not have the form that is wanted throws a
// FieldFault with one sentence; whoever reads a whole record catches it.

import type { Json, JsonObject } from '../core/json.ts'
import type { Origin } from '../core/origin.ts'
import { isObject } from './bounded-json.ts'

/** What is wrong with a field, in one sentence. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault'
}

export function objectIn(value: Json | undefined, key: string): JsonObject {
  if (!isObject(value)) throw new FieldFault(`its ${key} is no object`)
  return value
}

export function textIn(from: JsonObject, key: string): string {
  const value = from[key]
  if (typeof value !== 'string') throw new FieldFault(`its ${key} is no text`)
  return value
}

export function numberIn(from: JsonObject, key: string): number {
  const value = from[key]
  if (typeof value !== 'number') throw new FieldFault(`its ${key} is no number`)
  return value
}

export function listIn(value: Json | undefined, key: string): readonly Json[] {
  if (!Array.isArray(value)) throw new FieldFault(`its ${key} is no list`)
  return value
}

export const textsIn = (value: Json | undefined, key: string): readonly string[] =>
  listIn(value, key).map((item) => {
    if (typeof item !== 'string') throw new FieldFault(`its ${key} holds something that is no text`)
    return item
  })

export function wordIn<T extends string>(known: readonly T[], value: Json | undefined, key: string): T {
  const found = known.find((item) => item === value)
  if (found === undefined) throw new FieldFault(`its ${key} is not one of ${known.join(', ')}`)
  return found
}

export function originIn(value: Json | undefined, key: string): Origin {
  const from = objectIn(value, key)
  return {
    in: textIn(from, 'in'),
    ...maybe('key', from, textIn),
    ...maybe('line', from, numberIn),
    ...maybe('column', from, numberIn),
  }
}

/** A key that may be absent: read when it is there, left out when it is not. */
export function maybe<K extends string, V>(
  key: K,
  from: JsonObject,
  read: (from: JsonObject, key: K) => V,
): { readonly [P in K]?: V } {
  return from[key] === undefined ? {} : ({ [key]: read(from, key) } as { readonly [P in K]?: V })
}
