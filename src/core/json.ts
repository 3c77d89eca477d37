// JSON as data, and its one canonical form. Everything that is compared, hashed or replayed goes through here.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** Returns the SHA-256 of a UTF-8 text as 64 hex digits. Handed in, so that `core` runs anywhere. */
export type Sha256 = (text: string) => string

/**
 * The same value always gives the same text: keys in code unit order, no blanks, absent keys left out.
 * Key order of the input and the locale of the machine make no difference.
 */
export function canonicalJson(value: Json | undefined): string {
  if (value === undefined) return 'null'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`
  const object = value as JsonObject
  const parts: string[] = []
  for (const key of Object.keys(object).sort()) {
    const item = object[key]
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`)
  }
  return `{${parts.join(',')}}`
}

/** Freezes a plain value and all it holds; stops at what is frozen already, so shared parts cost nothing. */
export function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) deepFreeze(item)
  return value
}

/**
 * How two names are compared when a difference in spelling must not matter (deny rules, twins):
 * compatibility forms are unified (NFKC), invisible characters dropped, letter case ignored.
 */
export function foldName(name: string): string {
  if (plainName.test(name)) return name.toLowerCase()
  // Lowering may bring forth marks, and dropping marks may bring letters together, so it is done until nothing changes.
  let folded = name
  for (let round = 0; round < 4; round++) {
    const next = folded.normalize('NFKC').toLowerCase().normalize('NFKD').replace(invisible, '').normalize('NFC').trim()
    if (next === folded) break
    folded = next
  }
  return folded
}

/** ASCII without blanks and control characters: only letter case can differ. */
const plainName = /^[!-~]*$/
const invisible = /[\p{Cf}\p{Cc}\p{Mn}\p{Zs}]/gu

/** True for a plain mapping, as JSON has them. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
