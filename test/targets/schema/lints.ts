// What two of the APIs refuse, written down a second time and apart from the rules: a schema that has been adapted
// must give no complaint. Figures and keywords as in docs/targets.md.

import type { Json, JsonObject } from '../../../src/core/json.ts'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entries = (value: Json | undefined): [string, Json | undefined][] =>
  isObject(value) ? Object.entries(value) : []

const geminiKeywords = new Set(
  `type title description nullable format enum properties required items anyOf minItems maxItems minProperties
   maxProperties minLength maxLength pattern minimum maximum`.split(/\s+/),
)

/** Complaints of Gemini's `parameters` field; [] is a schema that it takes. */
export function geminiLint(schema: Json | undefined, path = '', depth = 0): string[] {
  if (!isObject(schema)) return [`${path}: not an object`]
  const found: string[] = []
  const say = (problem: string): unknown => found.push(`${path}: ${problem}`)
  for (const keyword of Object.keys(schema)) if (!geminiKeywords.has(keyword)) say(`keyword ${keyword}`)
  if (schema.anyOf === undefined) {
    if (typeof schema.type !== 'string' || schema.type === 'null') say(`type ${JSON.stringify(schema.type)}`)
  } else if (Object.keys(schema).length > 1) say('union not alone')
  if (schema.enum !== undefined) {
    const values = schema.enum as Json[]
    if (schema.type !== 'string') say('enum of no string')
    if (!Array.isArray(values) || values.length === 0) say('empty enum')
    else if (values.some((value) => typeof value !== 'string' || value === '')) say('odd enum value')
  }
  if (schema.type === 'array' && !isObject(schema.items)) say('list without items')
  if (schema.type !== 'object' && (schema.properties !== undefined || schema.required !== undefined)) say('misplaced')
  const names = new Set(entries(schema.properties).map(([name]) => name))
  if (schema.required !== undefined) {
    const required = schema.required as Json[]
    if (!Array.isArray(required) || required.some((name) => !names.has(String(name)))) say('unknown required')
  }
  if (schema.type === 'object' && depth === 0 && !isObject(schema.properties)) say('no properties')
  if (depth > 7) say('too deep')
  for (const [name, child] of entries(schema.properties)) found.push(...geminiLint(child, `${path}/${name}`, depth + 1))
  if (schema.items !== undefined) found.push(...geminiLint(schema.items, `${path}/items`, depth + 1))
  if (schema.anyOf !== undefined) {
    if (!Array.isArray(schema.anyOf) || schema.anyOf.length === 0) say('odd union')
    else for (const branch of schema.anyOf) found.push(...geminiLint(branch as Json, `${path}/anyOf`, depth + 1))
  }
  return found
}

const sorted = (names: Json | undefined): string => JSON.stringify(Array.isArray(names) ? names.toSorted() : names)

const strictKeywords = new Set(
  `type title description properties required additionalProperties items anyOf enum const $ref $defs definitions format
   pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems`.split(/\s+/),
)

/** Complaints of OpenAI's strict mode; [] is a schema that it takes. */
export function strictLint(schema: Json | undefined, path = ''): string[] {
  if (!isObject(schema)) return [`${path}: not an object`]
  const found: string[] = []
  const say = (problem: string): unknown => found.push(`${path}: ${problem}`)
  for (const keyword of Object.keys(schema)) if (!strictKeywords.has(keyword)) say(`keyword ${keyword}`)
  if (schema.$ref !== undefined) return Object.keys(schema).length === 1 ? found : [...found, `${path}: $ref not alone`]
  if (schema.type === undefined && schema.anyOf === undefined) say('no type')
  if (path === '' && (schema.type !== 'object' || schema.anyOf !== undefined)) say('odd root')
  const types = [schema.type].flat()
  if (types.includes('object')) {
    const names = entries(schema.properties).map(([name]) => name)
    if (schema.additionalProperties !== false) say('open object')
    if (sorted(schema.required) !== sorted(names)) say('not all required')
  }
  if (types.includes('array') && !isObject(schema.items)) say('list without items')
  for (const [name, child] of entries(schema.properties)) found.push(...strictLint(child, `${path}/${name}`))
  for (const [name, child] of entries(schema.$defs)) found.push(...strictLint(child, `${path}/$defs/${name}`))
  if (schema.items !== undefined) found.push(...strictLint(schema.items, `${path}/items`))
  for (const branch of Array.isArray(schema.anyOf) ? schema.anyOf : [])
    found.push(...strictLint(branch as Json, `${path}/anyOf`))
  return found
}
