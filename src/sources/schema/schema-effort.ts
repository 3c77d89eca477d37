// What it would cost to check a value with a schema, before it is checked. A check goes through every branch of a
// schema for every part of a value; where a schema holds itself in several branches, each level of the value
// multiplies. INVARIANT: going through ends at its bound, whatever the schema and the value.

import type { Json, JsonObject } from '../../core/json.ts'
import { linearPattern } from '../../text/linear-pattern.ts'
import { isObject } from '../bounded-json.ts'
import { holders } from './schema-keywords.ts'

/** Steps of a check, a few microseconds each at worst. Twenty honest arguments take some hundred. */
const stepsMax = 25_000
/** A check follows schemas and values by recursion. */
const depthMax = 300
/** Characters and steps of patterns that count as one step. */
const charsPerStep = 200

interface Going {
  readonly root: JsonObject
  left: number
}

/** Whether a check would take too long. `schema` is one that `enforceableSchema` gave. */
export function isTooCostly(schema: JsonObject, value: Json): boolean {
  const going: Going = { root: schema, left: stepsMax }
  through(schema, value, 0, going)
  return going.left < 0
}

function through(schema: Json | undefined, value: Json | undefined, depth: number, going: Going): void {
  if (!isObject(schema) || value === undefined) return
  going.left -= 1
  if (depth > depthMax) going.left = -1
  if (going.left < 0) return
  const into = (sub: Json | undefined, part: Json | undefined) => {
    if (going.left >= 0) through(sub, part, depth + 1, going)
  }
  if (typeof schema.$ref === 'string') into(pointedAt(schema.$ref, going.root), value)
  sameValue(schema, (sub) => into(sub, value))
  // Comparing is quick, and writing them all into the message of a misfit is not.
  if (Array.isArray(schema.enum)) going.left -= schema.enum.length / 20
  if (typeof value === 'string') going.left -= textCost(schema, value)
  else if (Array.isArray(value)) inList(schema, value, into, going)
  else if (isObject(value)) inObject(schema, value, into, going)
}

type Into = (schema: Json | undefined, part: Json | undefined) => void

function pointedAt(reference: string, root: JsonObject): Json | undefined {
  const { $defs } = root
  return reference === '#' ? root : isObject($defs) ? $defs[reference.slice('#/$defs/'.length)] : undefined
}

function sameValue(schema: JsonObject, into: (sub: Json | undefined) => void): void {
  for (const keyword of Object.keys(schema)) {
    const holder = holders.get(keyword)
    if (holder?.appliesTo !== 'same') continue
    const value = schema[keyword]
    if (Array.isArray(value)) for (const sub of value) into(sub)
    else if (holder.holds === 'map' && isObject(value)) for (const sub of Object.values(value)) into(sub)
    else into(value)
  }
}

function textCost({ format }: JsonObject, text: string): number {
  const pattern = typeof format === 'string' && format.startsWith('pattern ') ? format.slice(8) : undefined
  return (text.length / charsPerStep) * (pattern === undefined ? 1 : (linearPattern(pattern)?.size ?? 1))
}

function inList(schema: JsonObject, list: readonly Json[], into: Into, going: Going): void {
  // Each is compared with each.
  if (schema.uniqueItems === true) going.left -= (list.length * list.length) / 10
  const { items, prefixItems, additionalItems, unevaluatedItems, contains } = schema
  const ahead = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  for (const [index, part] of list.entries()) {
    if (going.left < 0) return
    into(ahead[index] ?? (Array.isArray(items) ? additionalItems : items), part)
    into(unevaluatedItems, part)
    into(contains, part)
  }
}

function inObject(schema: JsonObject, value: JsonObject, into: Into, going: Going): void {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties, propertyNames } = schema
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : []
  const named = isObject(properties) ? properties : {}
  for (const keyword of ['properties', 'required', 'dependentRequired'] as const) {
    const held = schema[keyword]
    if (isObject(held)) going.left -= Object.keys(held).length
    else if (Array.isArray(held)) going.left -= held.length
  }
  for (const name of Object.keys(value)) {
    going.left -= 1
    if (going.left < 0) return
    const part = value[name]
    into(propertyNames, name)
    for (const [, sub] of patterns) {
      going.left -= 1 + (name.length * name.length) / 1000
      into(sub, part)
    }
    into(Object.hasOwn(named, name) ? named[name] : additionalProperties, part)
    into(unevaluatedProperties, part)
  }
}
