// What is wrong with the arguments of a call, in one line for whoever made it: which argument, and what it should be.

import type { OutputUnit } from '@cfworker/json-schema'
import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { nearest } from '../names/nearest.ts'

/** Names and values that are offered. */
const offeredMax = 12

/** `errors`: all of them, as the validator gives them for the schema that it carried out. Not empty. */
export function argumentFault(errors: readonly OutputUnit[], schema: JsonObject): string {
  // The deepest part that does not fit: what holds it only says that something below is wrong.
  const leaves = errors.filter(({ keyword }) => !wrappers.has(keyword))
  const depth = Math.max(0, ...leaves.map(({ instanceLocation }) => depthOf(instanceLocation)))
  const deepest = leaves.filter(({ instanceLocation }) => depthOf(instanceLocation) === depth)
  const [first] = deepest
  if (first === undefined) return 'the arguments do not fit'
  const same = deepest.filter(({ instanceLocation }) => instanceLocation === first.instanceLocation)
  return faultAt(same, schema) ?? `${subjectOf(first)}: ${printable(first.error, 240)}`
}

/** Keywords whose errors repeat what stands in others. */
const wrappers: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'additionalProperties',
  'unevaluatedProperties',
])

function faultAt(errors: readonly OutputUnit[], schema: JsonObject): string | undefined {
  const with_ = (keyword: string) => errors.filter((error) => error.keyword === keyword)
  const [stranger] = with_('false')
  if (stranger !== undefined) return strangerFault(stranger, schema)
  const missing = with_('required')
  if (missing.length > 0) return missingFault(missing)
  const choices = [...with_('enum'), ...with_('const')].flatMap((error) => choicesOf(error, schema))
  const [first] = errors
  if (first === undefined) return undefined
  if (choices.length > 0)
    return `${subjectOf(first)} must be one of ${listed(choices.map((value) => JSON.stringify(value)))}`
  const types = with_('type').flatMap((error) => typesOf(error, schema))
  if (types.length > 0 && types.length >= errors.length)
    return `${subjectOf(first)} must be ${[...new Set(types)].map(typeWord).join(' or ')}`
  const [format] = with_('format')
  const pattern = format === undefined ? undefined : patternOf(format)
  if (format !== undefined && pattern !== undefined)
    return `${subjectOf(format)} must match the pattern ${printable(pattern, 160)}`
  return undefined
}

/** A name that the tool does not take. */
function strangerFault({ instanceLocation }: OutputUnit, schema: JsonObject): string {
  const parts = partsOf(instanceLocation)
  const name = parts.at(-1) ?? ''
  const holder = parts.length === 1 ? schema : undefined
  const known = isJsonObject(holder?.properties) ? Object.keys(holder.properties) : []
  const [near] = nearest(name, known)
  const offer = near !== undefined ? `; did you mean "${near}"` : known.length > 0 ? `; it takes ${listed(known)}` : ''
  return `there is no argument "${shownPath(parts)}"${offer}`
}

function missingFault(errors: readonly OutputUnit[]): string {
  const names = errors.map(({ error }) => /property "([\s\S]*)"\.?$/.exec(error)?.[1] ?? '?')
  const [first] = errors
  const inside = first === undefined ? [] : partsOf(first.instanceLocation)
  const shown = [...new Set(names)].map((name) => `"${shownPath([...inside, name])}"`)
  return `${shown.length === 1 ? 'argument' : 'arguments'} ${listed(shown)} ${shown.length === 1 ? 'is' : 'are'} missing`
}

function choicesOf({ keywordLocation }: OutputUnit, schema: JsonObject): readonly Json[] {
  const at = schemaAt(keywordLocation, schema)
  if (at === undefined) return []
  if (keywordLocation.endsWith('/const')) return at.const === undefined ? [] : [at.const]
  return Array.isArray(at.enum) ? at.enum : []
}

function typesOf({ keywordLocation }: OutputUnit, schema: JsonObject): readonly string[] {
  const type = schemaAt(keywordLocation, schema)?.type
  return (Array.isArray(type) ? type : [type]).filter((word) => typeof word === 'string')
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
])

const typeWord = (word: string): string => typeWords.get(word) ?? word

/** Patterns are carried out as formats; their names hold them. */
const patternOf = ({ error }: OutputUnit): string | undefined => /format "pattern ([\s\S]*)"\.?$/.exec(error)?.[1]

/** The schema that a keyword stands in; references are followed. */
function schemaAt(keywordLocation: string, root: JsonObject): JsonObject | undefined {
  let at: Json | undefined = root
  for (const part of partsOf(keywordLocation).slice(0, -1)) {
    if (at === null || typeof at !== 'object') return undefined
    const holder = at as JsonObject
    at = part === '$ref' ? referredTo(holder.$ref, root) : Object.hasOwn(holder, part) ? holder[part] : undefined
  }
  return isJsonObject(at) ? at : undefined
}

function referredTo(reference: Json | undefined, { $defs, ...root }: JsonObject): Json | undefined {
  if (typeof reference !== 'string') return undefined
  if (reference === '#') return { ...root, ...($defs === undefined ? {} : { $defs }) }
  const name = reference.replace(/^#\/\$defs\//, '')
  return isJsonObject($defs) && Object.hasOwn($defs, name) ? $defs[name] : undefined
}

const subjectOf = ({ instanceLocation }: OutputUnit): string => {
  const parts = partsOf(instanceLocation)
  return parts.length === 0 ? 'what is given' : `argument "${shownPath(parts)}"`
}

const depthOf = (location: string): number => location.split('/').length

/** The parts of a pointer such as `#/edits/0/old~1text`. */
function partsOf(location: string): readonly string[] {
  const [, ...parts] = location.split('/')
  return parts.map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decoded(part: string): string {
  try {
    return decodeURI(part)
  } catch {
    return part
  }
}

const shownPath = (parts: readonly string[]): string => printable(parts.join('.'), 120)

function listed(words: readonly string[]): string {
  const unique = [...new Set(words)]
  const more = unique.length > offeredMax ? ` and ${unique.length - offeredMax} more` : ''
  return `${unique
    .slice(0, offeredMax)
    .map((word) => printable(word, 60))
    .join(', ')}${more}`
}
