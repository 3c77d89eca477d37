// A schema as a validator may carry it out. Models and providers are shown what a server sent; what arguments are
// checked with is written anew from the graph that was judged, so that nothing is carried out that was not judged: no
// pattern that goes back, no address, no keyword that a validator may know in another way.

import { format as formats } from '@cfworker/json-schema'
import type { Json, JsonObject } from '../../core/json.ts'
import { linearPattern } from '../../text/linear-pattern.ts'
import { isObject } from '../bounded-json.ts'
import { judgedSchema } from './schema-faults.ts'
import type { SchemaGraph, SchemaNode } from './schema-graph.ts'
import { type Holder, holders, isSchema, typeWords } from './schema-keywords.ts'
import { type UncheckedPattern, uncheckedPatterns } from './schema-pattern-faults.ts'

const nothingFits: JsonObject = { not: {} }

/**
 * A fresh schema that takes what the given one takes, in a form whose check is bounded: references lead to `$defs` of
 * the root alone, patterns are formats that RE2 looks for, keywords of a wrong form are left out. A pattern that cannot
 * be looked for in linear time is left out as well; the server has the last word. Nothing fits a faulty schema: no
 * source lets a tool in that has one.
 */
export function enforceableSchema(schema: JsonObject): JsonObject {
  const { graph, fault } = judgedSchema(schema, { name: 'schema' })
  const root = graph?.nodes[0]
  if (graph === undefined || root === undefined || fault !== undefined) return nothingFits
  const unchecked = uncheckedPatterns(graph)
  const formatsOf = formatsFor(graph, unchecked)
  const writing: Writing = {
    leads: graph.leads,
    nodeOf: new Map(graph.nodes.map((node) => [node.schema, node])),
    shared: new Set([...graph.leads.values()].flat().filter((lead) => typeof lead !== 'boolean')),
    asked: [],
    known: new Set([root]),
    formatsOf,
    uncheckedNames: new Set(unchecked.filter((one) => one.of === 'names').map((one) => one.source)),
    isLoose:
      unchecked.length > 0 ||
      [...formatsOf.values()].includes(undefined) ||
      graph.nodes.some(({ schema: { format } }) => format === backtracking),
  }
  const written = whole(root, writing)
  const defs: [string, JsonObject][] = []
  for (let next = writing.asked.pop(); next !== undefined; next = writing.asked.pop())
    defs.push([defOf(next), whole(next, writing)])
  return defs.length === 0 ? written : { ...written, $defs: Object.fromEntries(defs) }
}

interface Writing {
  readonly leads: SchemaGraph['leads']
  readonly nodeOf: ReadonlyMap<JsonObject, SchemaNode>
  /** What references lead to: it is written once, among `$defs`. */
  readonly shared: ReadonlySet<SchemaNode>
  /** What was referred to and is not written yet. */
  readonly asked: SchemaNode[]
  readonly known: Set<SchemaNode>
  /** The format that stands for a pattern. Undefined: it is not checked. */
  readonly formatsOf: ReadonlyMap<string, string | undefined>
  readonly uncheckedNames: ReadonlySet<string>
  /**
   * Something is not checked, so that more fits a part than should. What turns a fit into a misfit is left out then:
   * nothing may be refused because less was looked at.
   */
  readonly isLoose: boolean
}

const turning: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else', 'maxContains'])

function formatsFor(
  { nodes }: SchemaGraph,
  unchecked: readonly UncheckedPattern[],
): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const { source, of } of unchecked) if (of === 'texts') found.set(source, undefined)
  for (const { schema } of nodes) {
    const { pattern } = schema
    if (typeof pattern === 'string' && !found.has(pattern)) found.set(pattern, formatOf(pattern))
  }
  return found
}

const defOf = ({ index }: SchemaNode): string => `s${index}`

/** A schema where it stands. */
function inPlace(schema: Json, writing: Writing): Json {
  if (!isObject(schema)) return schema
  const node = writing.nodeOf.get(schema)
  if (node === undefined) return true
  return writing.shared.has(node) ? reference(node, writing) : whole(node, writing)
}

function reference(node: SchemaNode, { known, asked }: Writing): JsonObject {
  if (node.index === 0) return { $ref: '#' }
  if (!known.has(node)) {
    known.add(node)
    asked.push(node)
  }
  return { $ref: `#/$defs/${defOf(node)}` }
}

function whole(node: SchemaNode, writing: Writing): JsonObject {
  const { schema } = node
  const out: { [keyword: string]: Json } = {}
  const also: Json[] = []
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    // Several languages write null for what is absent.
    if (value === undefined || (value === null && keyword !== 'const')) continue
    if (writing.isLoose && turning.has(keyword)) continue
    const holder = holders.get(keyword)
    const written =
      holder !== undefined ? held(keyword, holder, value, writing) : isSound(keyword, value) ? value : undefined
    if (written !== undefined) out[keyword] = written
  }
  const { patternProperties, pattern } = schema
  if (isObject(patternProperties) && Object.keys(patternProperties).some((name) => writing.uncheckedNames.has(name)))
    delete out.additionalProperties
  // Which names were looked at is no longer known everywhere.
  if (writing.uncheckedNames.size > 0) delete out.unevaluatedProperties
  const format = typeof pattern === 'string' ? writing.formatsOf.get(pattern) : undefined
  if (format !== undefined) also.push({ format })
  if (writing.isLoose && out.oneOf !== undefined) {
    also.push({ anyOf: out.oneOf })
    delete out.oneOf
  }
  for (const lead of writing.leads.get(node) ?? []) {
    if (typeof lead === 'boolean') also.push(lead)
    else if (out.$ref === undefined) Object.assign(out, reference(lead, writing))
    else also.push(reference(lead, writing))
  }
  return also.length === 0 ? out : { ...out, allOf: [...(Array.isArray(out.allOf) ? out.allOf : []), ...also] }
}

function held(keyword: string, { holds, appliesTo }: Holder, value: Json, writing: Writing): Json | undefined {
  if (appliesTo === 'nothing') return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item: Json) => inPlace(item, writing))
  if (holds !== 'map' || !isObject(value)) return inPlace(value, writing)
  const entries: [string, Json][] = []
  for (const [name, item] of Object.entries(value)) {
    if (keyword === 'patternProperties' && writing.uncheckedNames.has(name)) continue
    if (keyword === 'dependencies' && areTexts(item)) entries.push([name, item])
    else if (item !== undefined && isSchema(item)) entries.push([name, inPlace(item, writing)])
  }
  // An own key `__proto__` stays one.
  return Object.fromEntries(entries)
}

const areTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** The validator's own pattern for this format goes back: thirty letters take it a minute. */
const backtracking = 'url'
/** Formats that a validator looks at. */
const formatsKnown: ReadonlySet<Json> = new Set(Object.keys(formats).filter((name) => name !== backtracking))

const numbers: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'multipleOf',
])

/** Whether a keyword is one that is checked, and its value of the form that it must have. */
function isSound(keyword: string, value: Json): boolean {
  if (numbers.has(keyword)) return typeof value === 'number' && (keyword !== 'multipleOf' || value > 0)
  switch (keyword) {
    case 'type':
      return Array.isArray(value) ? value.every((word) => typeWords.has(word)) : typeWords.has(value)
    case 'const':
      return true
    case 'enum':
      return Array.isArray(value)
    case 'required':
      return areTexts(value)
    case 'dependentRequired':
      return isObject(value) && Object.values(value).every(areTexts)
    case 'format':
      return formatsKnown.has(value)
    case 'uniqueItems':
      return value === true
  }
  return false
}

const patternsAsFormats = new Set<string>()
/** How many different patterns one process checks; the tools of 71 real servers have 60. */
const patternsMax = 5000

/**
 * The format by which a validator looks for a pattern: its table of formats is the one place where a check of another
 * kind can be put. Undefined when RE2 cannot look for the pattern.
 */
function formatOf(pattern: string): string | undefined {
  const name = `pattern ${pattern}`
  if (patternsAsFormats.has(name)) return name
  if (patternsAsFormats.size >= patternsMax || linearPattern(pattern) === undefined) return undefined
  formats[name] = (text: string) => linearPattern(pattern)?.found(text) ?? true
  patternsAsFormats.add(name)
  return name
}
