// What was stored, checked before anything rests on it: files are edited, cut off and written by other versions.

import { isJsonObject } from '../../core/json.ts'
import type { PromotedBy, Promotion, PromotionState } from './promotion-state.ts'

/** Promotions that one state holds at most: with names of usual length, some 200 KB of JSON. */
export const promotionsMax = 1000
const nameCharsMax = 1024
/** A SHA-256 has 64 digits. */
const hashCharsMax = 128

/**
 * A state as it may be used, frozen and made of nothing of the given value; undefined when that is anything else, too
 * long, or of another version. Never throws.
 */
export function readPromotionState(value: unknown): PromotionState | undefined {
  try {
    if (!isJsonObject(value)) return undefined
    const { version, catalogHash, promoted } = ownOf(value, ['version', 'catalogHash', 'promoted'])
    if (version !== 1 || !isHash(catalogHash) || !Array.isArray(promoted) || promoted.length > promotionsMax)
      return undefined
    const read = Array.from({ length: promoted.length }, (_, index) => promotionOf(promoted[index]))
    if (!read.every((one) => one !== undefined)) return undefined
    // A name that stands there twice would mean one definition to one reader and another to the next.
    if (new Set(read.map(({ name }) => name)).size !== read.length) return undefined
    return Object.freeze({ version, catalogHash, promoted: Object.freeze(read) })
  } catch {
    // Whoever hands in a value with getters of its own.
    return undefined
  }
}

const promotedBy: readonly unknown[] = ['search', 'select', 'routing', 'operator'] satisfies readonly PromotedBy[]

function promotionOf(value: unknown): Promotion | undefined {
  if (!isJsonObject(value)) return undefined
  const { name, definitionHash, by, tokens } = ownOf(value, ['name', 'definitionHash', 'by', 'tokens'])
  if (typeof name !== 'string' || name.length > nameCharsMax || !isHash(definitionHash)) return undefined
  if (!promotedBy.includes(by) || !Number.isSafeInteger(tokens) || (tokens as number) < 0) return undefined
  return Object.freeze({ name, definitionHash, by: by as PromotedBy, tokens: tokens as number })
}

const isHash = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= hashCharsMax

/** Own values only: what somebody hung on a prototype is not in the file. */
function ownOf<Key extends string>(value: object, keys: readonly Key[]): { readonly [key in Key]: unknown } {
  const own = keys.map((key) => [key, Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined])
  return Object.fromEntries(own) as { readonly [key in Key]: unknown }
}
