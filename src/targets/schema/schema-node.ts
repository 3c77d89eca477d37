// Small readings and writings of schema nodes that many rules share. Schemas are foreign data: nothing here trusts
// a value to have the type that JSON Schema gives it.

import type { Json, JsonObject } from '../../core/json.ts'

/** True for a JSON object, not for a list or null. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** The strings of a list; [] for anything else. */
export const stringsOf = (value: Json | undefined): readonly string[] =>
  isList(value) ? value.filter((item) => typeof item === 'string') : []

/** The `type` keyword as a list: [] when absent or of no use. */
export function typesOf(node: JsonObject): readonly string[] {
  const { type } = node
  return typeof type === 'string' ? [type] : stringsOf(type)
}

/** The own properties of an object schema as entries; [] when there are none. */
export const propertiesOf = (node: JsonObject): readonly (readonly [string, Json])[] =>
  isObject(node.properties)
    ? Object.entries(node.properties).filter((entry): entry is [string, Json] => entry[1] !== undefined)
    : []

/**
 * An object from entries. `Object.fromEntries` defines own keys, so a key like `__proto__` stays a plain key and
 * changes no prototype.
 */
export const objectOf = (entries: Iterable<readonly [string, Json | undefined]>): JsonObject =>
  Object.fromEntries(entries)

/** The node without some keywords. */
export const without = (node: JsonObject, keywords: readonly string[]): JsonObject =>
  objectOf(Object.entries(node).filter(([key]) => !keywords.includes(key)))

const addedMax = 600

/** The node with a sentence added to its description; an over-long sentence is shortened. */
export function described(node: JsonObject, sentence: string): JsonObject {
  const text = sentence.length > addedMax ? `${wellFormedCut(sentence, addedMax - 1)}…` : sentence
  const { description } = node
  const before = typeof description === 'string' && description.trim() !== '' ? `${description.trimEnd()} ` : ''
  return { ...node, description: `${before}${text}` }
}

/** The first characters of a text, never half of a surrogate pair. */
export function wellFormedCut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  const halved = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, halved ? length - 1 : length)
}

/** A value as short JSON for people and models: at most 120 characters. */
export function shortJson(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > 120 ? `${wellFormedCut(text, 119)}…` : text
}

/** True for a schema that only null fits. */
export function isNullOnly(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false
  const types = typesOf(schema)
  if (types.length > 0) return types.every((type) => type === 'null')
  return schema.const === null || (isList(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null)
}
