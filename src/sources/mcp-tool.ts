// One tool as a server sent it, read without trust: what is wrong with it costs that tool, or that part of it, and
// nothing else.

import type { Definition, DefinitionFault } from '../core/candidate.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { ErrorCode } from '../errors.ts'
import { cleanJson, cleanText } from '../text/clean-text.ts'
import { isObject, oversize } from './bounded-json.ts'
import { emptySchema } from './candidate-of.ts'

/** Something that was dropped, cut or taken out. */
interface Remark {
  readonly code: Extract<ErrorCode, 'listing-malformed' | 'hidden-text' | 'description-too-long'>
  readonly message: string
}

export interface McpTool {
  /** The name as it was sent, unchanged; empty when it is no text. */
  readonly originalName: string
  /** False when the name is no text at all. */
  readonly named: boolean
  readonly definition: Definition
  readonly faults: readonly DefinitionFault[]
  readonly remarks: readonly Remark[]
}

/** The longest description of 2,543 real tools has 34,527 characters. */
const descriptionMax = 50_000
const titleMax = 500
/** The largest schema of them has 84 kB and a few thousand values. */
const schemaNodesMax = 20_000
const schemaCharsMax = 500_000
const annotationNodesMax = 1000
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

/** An entry of a list of tools; `undefined` for what is no object. Icons and `_meta` are not read. */
export function readMcpTool(entry: unknown): McpTool | undefined {
  if (!isObject(entry)) return undefined
  const faults: DefinitionFault[] = []
  const remarks: Remark[] = []
  const hidden: string[] = []
  const { name } = entry
  if (typeof name !== 'string') faults.push({ code: 'invalid-name', detail: `its name is ${kindOf(name)}, not text` })
  const title = textOf(entry.title, 'title', titleMax, { remarks, hidden })
  const description = textOf(entry.description, 'description', descriptionMax, { remarks, hidden })
  const inputSchema = inputSchemaOf(entry.inputSchema, faults, hidden)
  const outputSchema = partOf(entry.outputSchema, 'outputSchema', schemaNodesMax, { remarks, hidden })
  const annotations = annotationsOf(entry.annotations, remarks, hidden)
  if (hidden.length > 0) {
    const places = `${hidden.slice(0, 5).join(', ')}${hidden.length > 5 ? ` and ${hidden.length - 5} more places` : ''}`
    remarks.push({ code: 'hidden-text', message: `invisible characters were taken out of ${printable(places, 240)}` })
  }
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
    faults,
    remarks,
  }
}

interface Notes {
  readonly remarks: Remark[]
  readonly hidden: string[]
}

/** A text, cleaned and bounded; absent and null are the empty text. */
function textOf(value: Json | undefined, key: string, max: number, { remarks, hidden }: Notes): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') {
    remarks.push({ code: 'listing-malformed', message: `its ${key} is ${kindOf(value)}, not text, and was dropped` })
    return ''
  }
  const { text, removed } = cleanText(value)
  if (removed > 0) hidden.push(key)
  if (text.length <= max) return text
  const over = text.length - max
  remarks.push({
    code: 'description-too-long',
    message: `its ${key} has ${text.length} characters and was cut to ${max}`,
  })
  // A cut may fall into the middle of a surrogate pair.
  return `${text.slice(0, max).replace(/[\ud800-\udbff]$/u, '')} [cut: ${over} more characters]`
}

function inputSchemaOf(value: Json | undefined, faults: DefinitionFault[], hidden: string[]): JsonObject | undefined {
  const invalid = (detail: string): undefined => {
    faults.push({ code: 'invalid-schema', detail })
  }
  if (value === undefined) return invalid('its inputSchema is missing')
  if (!isObject(value)) return invalid(`its inputSchema is ${kindOf(value)}, not an object`)
  const over =
    oversize(value, schemaNodesMax) ?? (JSON.stringify(value).length > schemaCharsMax ? 'too big' : undefined)
  if (over !== undefined) {
    faults.push({ code: 'definition-too-big', detail: `schema-${over.replace(' ', '-')}: its inputSchema is ${over}` })
    return undefined
  }
  if (value.type !== 'object') {
    return invalid(
      value.type === undefined
        ? 'its inputSchema says no type'
        : `its inputSchema says type ${printable(JSON.stringify(value.type), 60)}, not "object"`,
    )
  }
  const { value: clean, cleaned, hiddenKey } = cleanJson(value)
  for (const path of cleaned) hidden.push(`inputSchema.${path}`)
  if (hiddenKey !== undefined)
    return invalid(`the property name ${printable(hiddenKey, 100)} holds invisible characters`)
  return clean
}

/** A part that a tool can do without. */
function partOf(
  value: Json | undefined,
  key: string,
  nodesMax: number,
  { remarks, hidden }: Notes,
): JsonObject | undefined {
  if (value === undefined || value === null) return undefined
  const fault = isObject(value) ? oversize(value, nodesMax) : `${kindOf(value)}, not an object,`
  if (!isObject(value) || fault !== undefined) {
    remarks.push({ code: 'listing-malformed', message: `its ${key} is ${fault} and was dropped` })
    return undefined
  }
  const { value: clean, cleaned } = cleanJson(value)
  for (const path of cleaned) hidden.push(`${key}.${path}`)
  return clean
}

/** Claims of the server. Unknown keys are kept: some servers sort their tools by them. */
function annotationsOf(value: Json | undefined, remarks: Remark[], hidden: string[]): JsonObject | undefined {
  const annotations = partOf(value, 'annotations', annotationNodesMax, { remarks, hidden })
  if (annotations === undefined) return undefined
  const bad = hints.filter((hint) => annotations[hint] !== undefined && typeof annotations[hint] !== 'boolean')
  if (bad.length === 0) return annotations
  remarks.push({
    code: 'listing-malformed',
    message: `its ${bad.join(', ')} ${bad.length === 1 ? 'is' : 'are'} not true or false and ${bad.length === 1 ? 'was' : 'were'} dropped`,
  })
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !bad.includes(key)))
}

function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
