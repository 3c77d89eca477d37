// What changed in a definition, place by place, in texts that a person can read: a changed word in a long description
// stands with the words around it, and what nobody would see is spelled out.

import type { Definition } from '../core/candidate.ts'
import { canonicalJson, type Json, type JsonObject } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Phrases } from './phrase-keys.ts'

export interface DefinitionChange {
  /** `description`, `inputSchema.properties.path.type`, `inputSchema.properties["a.b"]`, `annotations.readOnlyHint`. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Printable: a text in quotes, JSON, or for what has parts its kind, as `(string)` or `{…}`. Absent: it was not there. */
  readonly before?: string
  readonly after?: string
}

export interface DefinitionDifference {
  /** In the order title, description, input schema, output schema, annotations; keys in code unit order. */
  readonly changes: readonly DefinitionChange[]
  /** How many more there are. */
  readonly more: number
}

export interface DifferenceLimits {
  /** Most changes that are told. Absent: 40. */
  readonly changesMax?: number
  /** Most characters of one value. Absent: 400. */
  readonly textMax?: number
}

/** Characters around the place where two texts part. */
const around = 40
/** Deeper than any definition that a source takes. */
const depthMax = 128

const parts = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** The difference of two definitions; no changes: a model is told the same. The inputs may be of any shape. */
export function definitionDifference(
  before: Definition,
  after: Definition,
  { changesMax = 40, textMax = 400 }: DifferenceLimits = {},
): DefinitionDifference {
  const walk: Walk = { found: [], textMax }
  for (const part of parts) compare(walk, { path: part, depth: 0 }, before[part], after[part])
  const { found } = walk
  return { changes: found.slice(0, changesMax), more: Math.max(0, found.length - changesMax) }
}

/** One line a change: `description: "…" -> "…"`, `inputSchema.properties.path: added (string)`. */
export function differenceLines({ changes, more }: DefinitionDifference, say: Phrases): string[] {
  const lines = changes.map(({ path, change, before, after }) => {
    if (change === 'changed') return `${path}: ${before} -> ${after}`
    return change === 'added' ? `${path}: ${say.pins.added} ${after}` : `${path}: ${say.pins.removed} ${before}`
  })
  return more === 0 ? lines : [...lines, say.more(more)]
}

interface Walk {
  readonly found: DefinitionChange[]
  readonly textMax: number
}

interface Place {
  readonly path: string
  readonly depth: number
}

type Value = Json | undefined

function compare(walk: Walk, place: Place, before: Value, after: Value): void {
  const { found } = walk
  const { path } = place
  if (before === undefined && after === undefined) return
  if (place.depth > depthMax) {
    if (before !== after) found.push({ path, change: 'changed', before: '…', after: '…' })
  } else if (before === undefined) {
    found.push({ path, change: 'added', after: shown(after, walk) })
    addedInside(walk, place, after)
  } else if (after === undefined) found.push({ path, change: 'removed', before: shown(before, walk) })
  else if (isObject(before) && isObject(after)) compareKeys(walk, place, before, after)
  else if (Array.isArray(before) && Array.isArray(after)) compareItems(walk, place, before, after)
  else if (typeof before === 'string' && typeof after === 'string') {
    if (before !== after) found.push({ path, change: 'changed', ...parting(before, after, walk) })
  } else if (before !== after) {
    found.push({ path, change: 'changed', before: shown(before, walk), after: shown(after, walk) })
    addedInside(walk, place, after)
  }
}

/** What was added is told with all its parts: each of them may hold a text that a model reads. */
function addedInside(walk: Walk, place: Place, value: Value): void {
  if (isObject(value)) {
    // The heading says its type already.
    const { type, ...rest } = value
    compareKeys(walk, place, {}, typeof type === 'string' ? rest : value)
  } else if (Array.isArray(value) && !value.every(isPlain)) compareItems(walk, place, [], value)
}

function compareKeys(walk: Walk, { path, depth }: Place, before: JsonObject, after: JsonObject): void {
  for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort())
    compare(walk, { path: path + keyText(key), depth: depth + 1 }, own(before, key), own(after, key))
}

/** Lists of plain values are compared as bags, so that one new name among the required ones is one line. */
function compareItems(walk: Walk, { path, depth }: Place, before: readonly Json[], after: readonly Json[]): void {
  if (!before.every(isPlain) || !after.every(isPlain)) {
    for (let at = 0; at < Math.max(before.length, after.length); at += 1)
      compare(walk, { path: `${path}[${at}]`, depth: depth + 1 }, before[at], after[at])
    return
  }
  const { found } = walk
  const gone = without(before, after)
  const come = without(after, before)
  for (const value of gone) found.push({ path, change: 'removed', before: shown(value, walk) })
  for (const value of come) found.push({ path, change: 'added', after: shown(value, walk) })
  if (gone.length === 0 && come.length === 0 && before.some((value, at) => value !== after[at]))
    found.push({ path, change: 'changed', before: shown(before, walk), after: shown(after, walk) })
}

/** The items of a list that another one has less often. */
function without(list: readonly Json[], other: readonly Json[]): readonly Json[] {
  const counts = new Map<Json, number>()
  for (const value of other) counts.set(value, (counts.get(value) ?? 0) + 1)
  return list.filter((value) => {
    const left = counts.get(value) ?? 0
    if (left > 0) counts.set(value, left - 1)
    return left === 0
  })
}

const isPlain = (value: Json): boolean => value === null || typeof value !== 'object'
const isObject = (value: Value): value is JsonObject =>
  value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value)
const own = (object: JsonObject, key: string): Value => (Object.hasOwn(object, key) ? object[key] : undefined)

const keyText = (key: string): string =>
  /^[A-Za-z0-9_$-]{1,128}$/.test(key) ? `.${key}` : `[${printable(JSON.stringify(key), 400)}]`

/** A value in a few words: its type where it says one, a text in quotes, else JSON. */
function shown(value: Value, walk: Walk): string {
  if (isObject(value)) return typeof value.type === 'string' ? `(${printable(value.type, 40)})` : '{…}'
  if (Array.isArray(value) && !value.every(isPlain)) return `(list of ${value.length})`
  return bounded(canonicalJson(value), walk)
}

function bounded(json: string, { textMax }: Walk): string {
  const text = printable(json, Number.MAX_SAFE_INTEGER)
  const over = text.length - textMax
  if (over <= 0) return text
  // A cut may fall into the middle of a surrogate pair.
  return `${text.slice(0, textMax).replace(/[\ud800-\udbff]$/, '')} [${over} more characters]`
}

/** Both texts, without what they share at a distance from the place where they part. */
function parting(before: string, after: string, walk: Walk): { readonly before: string; readonly after: string } {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start += 1
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  const from = start > around * 2 ? start - around : 0
  const to = end > around * 2 ? end - around : 0
  const part = (text: string): string =>
    `${from > 0 ? '…' : ''}${bounded(JSON.stringify(text.slice(from, text.length - to)), walk)}${to > 0 ? '…' : ''}`
  return { before: part(before), after: part(after) }
}
