// One tool as a server sent it, read without trust: what is wrong with it costs that tool, or that part of it, and
// nothing else.

import type { Definition, DefinitionFault } from '../core/candidate.ts'
import type { Finding } from '../core/finding.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { ErrorCode } from '../errors.ts'
import { cleanJson, cleanText } from '../text/clean-text.ts'
import { type TextFlag, textFlags } from '../text/text-flags.ts'
import { isObject, oversize } from './bounded-json.ts'
import { emptySchema } from './candidate-of.ts'
import { judgedSchema } from './schema/schema-faults.ts'
import type { SchemaFault, SchemaGraph } from './schema/schema-graph.ts'
import { kindOf } from './schema/schema-keywords.ts'
import { uncheckedPatterns } from './schema/schema-pattern-faults.ts'

/** Something that was dropped, cut or taken out, or that people should look at. */
export interface Remark {
  readonly code: Extract<
    ErrorCode,
    'listing-malformed' | 'hidden-text' | 'description-too-long' | 'pattern-not-checked' | TextFlag
  >
  readonly severity: Finding['severity']
  readonly message: string
}

export interface McpTool {
  /** The name as it was sent, unchanged; empty when it is no text. */
  readonly originalName: string
  /** False when the name is no text at all. */
  readonly named: boolean
  readonly definition: Definition
  /** What clients show or pass on and no model is told: icons, `_meta`, `execution`. Absent: none, or too much. */
  readonly extras?: JsonObject
  readonly faults: readonly DefinitionFault[]
  readonly remarks: readonly Remark[]
  /** What reading it cost, and what handling it will cost: values that were looked at. */
  readonly steps: number
}

export interface McpToolOptions {
  /** Its server is one to which arguments are sent in headers. Absent: it is not. */
  readonly headersSent?: boolean
}

/** The longest description of 2,543 real tools has 34,527 characters. */
const descriptionMax = 50_000
const titleMax = 500
const annotationNodesMax = 1000
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

/** An entry of a list of tools; `undefined` for what is no object. Of icons and `_meta` nothing is decided by. */
export function readMcpTool(entry: unknown, { headersSent = false }: McpToolOptions = {}): McpTool | undefined {
  if (!isObject(entry)) return undefined
  const reading: Reading = { faults: [], remarks: [], hidden: [], flagged: new Map(), steps: 1 }
  const { faults, remarks } = reading
  const { name } = entry
  if (typeof name !== 'string') faults.push({ code: 'invalid-name', detail: `its name is ${kindOf(name)}, not text` })
  const title = textOf(entry.title, 'title', titleMax, reading)
  const description = textOf(entry.description, 'description', descriptionMax, reading)
  const inputSchema = inputSchemaOf(entry.inputSchema, headersSent, reading)
  const outputSchema = outputSchemaOf(entry.outputSchema, reading)
  const annotations = annotationsOf(entry.annotations, reading)
  if (reading.hidden.length > 0)
    add(reading, 'hidden-text', `invisible characters were taken out of ${placesText(reading.hidden)}`)
  for (const [flag, places] of reading.flagged) add(reading, flag, `${flagWords[flag]} in ${placesText(places)}`)
  return {
    originalName: typeof name === 'string' ? name : '',
    named: typeof name === 'string',
    definition: {
      ...(title === '' ? {} : { title }),
      description,
      inputSchema: inputSchema ?? emptySchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    ...extrasOf(entry),
    faults,
    remarks,
    steps: reading.steps,
  }
}

const extraKeys = ['icons', '_meta', 'execution']
const extraNodesMax = 1000
const extraCharsMax = 256 * 1024

function extrasOf(entry: JsonObject): Pick<McpTool, 'extras'> {
  const kept = Object.fromEntries(extraKeys.flatMap((key) => (Object.hasOwn(entry, key) ? [[key, entry[key]]] : [])))
  if (Object.keys(kept).length === 0 || oversize(kept, extraNodesMax) !== undefined) return {}
  return JSON.stringify(kept).length > extraCharsMax ? {} : { extras: kept as JsonObject }
}

interface Reading {
  readonly faults: DefinitionFault[]
  readonly remarks: Remark[]
  /** Places of texts that were cleaned. */
  readonly hidden: string[]
  /** Places of remarkable texts. */
  readonly flagged: Map<TextFlag, string[]>
  steps: number
}

const flagWords: { readonly [flag in TextFlag]: string } = {
  markup: 'there is markup that looks like the end or the beginning of a part of a prompt',
  'instruction-like': 'there are orders to the model, against its instructions or behind the back of the person,',
}
const severities: { readonly [code in Remark['code']]: Finding['severity'] } = {
  'listing-malformed': 'warning',
  'hidden-text': 'warning',
  'description-too-long': 'warning',
  markup: 'warning',
  'instruction-like': 'info',
  'pattern-not-checked': 'info',
}

function add({ remarks }: Reading, code: Remark['code'], message: string): void {
  remarks.push({ code, severity: severities[code], message })
}

function placesText(places: readonly string[]): string {
  const more = places.length > 5 ? ` and ${places.length - 5} more places` : ''
  return printable(`${places.slice(0, 5).join(', ')}${more}`, 240)
}

/** Takes down what is remarkable about a text. */
function look({ flagged }: Reading, text: string, place: () => string): void {
  for (const flag of textFlags(text)) {
    const places = flagged.get(flag) ?? []
    places.push(place())
    flagged.set(flag, places)
  }
}

/** A text, cleaned and bounded; absent and null are the empty text. */
function textOf(value: Json | undefined, key: string, max: number, reading: Reading): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') {
    add(reading, 'listing-malformed', `its ${key} is ${kindOf(value)}, not text, and was dropped`)
    return ''
  }
  // What is cut off is not looked at: a text may have millions of characters.
  const cut = value.length > max * 2 ? value.slice(0, max * 2) : value
  reading.steps += Math.ceil(cut.length / charsPerStep)
  const { text, removed } = cleanText(cut)
  if (removed > 0) reading.hidden.push(key)
  look(reading, text, () => key)
  const whole = text.length + value.length - cut.length
  if (whole <= max) return text
  add(reading, 'description-too-long', `its ${key} has ${whole} characters and was cut to ${max}`)
  // A cut may fall into the middle of a surrogate pair.
  const kept = text.slice(0, max).replace(/[\ud800-\udbff]$/u, '')
  return `${kept} [cut: ${whole - kept.length} more characters]`
}

/** Looking at a value costs about as much as reading so many characters. */
const charsPerStep = 50

function inputSchemaOf(value: Json | undefined, headersSent: boolean, reading: Reading): JsonObject | undefined {
  const name = 'inputSchema'
  const invalid = (detail: string): undefined => {
    reading.faults.push({ code: 'invalid-schema', detail: `schema-invalid: ${detail}` })
  }
  if (value === undefined) return invalid('its inputSchema is missing')
  if (!isObject(value)) return invalid(`its inputSchema is ${kindOf(value)}, not an object`)
  const { fault, graph, steps } = judgedSchema(value, { name, headersSent })
  reading.steps += steps
  if (fault !== undefined) {
    reading.faults.push({ code: faultCode(fault), detail: `${fault.word}: ${fault.detail}` })
    return undefined
  }
  if (value.type !== 'object') {
    return invalid(
      value.type === undefined
        ? 'its inputSchema says no type'
        : `its inputSchema says type ${printable(JSON.stringify(value.type), 60)}, not "object"`,
    )
  }
  const { value: clean, hiddenKey } = cleaned(value, name, reading)
  if (hiddenKey !== undefined)
    return invalid(`the property name ${printable(hiddenKey, 100)} holds invisible characters`)
  if (graph !== undefined) patternsNotChecked(graph, reading)
  return clean
}

const faultCode = ({ word }: SchemaFault): DefinitionFault['code'] =>
  word === 'schema-too-big' || word === 'schema-too-deep' ? 'definition-too-big' : 'invalid-schema'

function cleaned(value: JsonObject, key: string, reading: Reading): ReturnType<typeof cleanJson<JsonObject>> {
  const clean = cleanJson(value, (text, place) => look(reading, text, () => `${key}.${place()}`))
  for (const path of clean.cleaned) reading.hidden.push(`${key}.${path}`)
  return clean
}

function patternsNotChecked(graph: SchemaGraph, reading: Reading): void {
  const [first, ...rest] = uncheckedPatterns(graph)
  if (first === undefined) return
  const more = rest.length === 0 ? '' : `, and ${rest.length} more`
  add(reading, 'pattern-not-checked', `arguments are not checked with ${first.place}: ${first.why}${more}`)
}

/** A part that a tool can do without, as all that follow. */
function outputSchemaOf(value: Json | undefined, reading: Reading): JsonObject | undefined {
  const name = 'outputSchema'
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) return dropped(name, `${kindOf(value)}, not an object,`, reading)
  const { fault, steps } = judgedSchema(value, { name })
  reading.steps += steps
  if (fault !== undefined) {
    add(reading, 'listing-malformed', `its ${name} was dropped (${fault.word}: ${fault.detail})`)
    return undefined
  }
  return cleaned(value, name, reading).value
}

function dropped(key: string, is: string, reading: Reading): undefined {
  add(reading, 'listing-malformed', `its ${key} is ${is} and was dropped`)
}

/** Claims of the server. Unknown keys are kept: some servers sort their tools by them. */
function annotationsOf(value: Json | undefined, reading: Reading): JsonObject | undefined {
  const name = 'annotations'
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) return dropped(name, `${kindOf(value)}, not an object,`, reading)
  const over = oversize(value, annotationNodesMax)
  if (over !== undefined) return dropped(name, over, reading)
  const { value: annotations } = cleaned(value, name, reading)
  const bad = hints.filter((hint) => annotations[hint] !== undefined && typeof annotations[hint] !== 'boolean')
  if (bad.length === 0) return annotations
  const [are, were] = bad.length === 1 ? ['is', 'was'] : ['are', 'were']
  add(reading, 'listing-malformed', `its ${bad.join(', ')} ${are} not true or false and ${were} dropped`)
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !bad.includes(key)))
}
