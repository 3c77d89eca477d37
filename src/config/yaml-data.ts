// From YAML nodes to plain data with places. The depth of nodes is bounded before, so recursion is safe; aliases are
// written out as if the text stood there twice, within a budget.

import { type Alias, isAlias, isMap, isScalar, isSeq, type LineCounter, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import { bounds } from './bounds.ts'
import type { Path, Place } from './place.ts'
import { faultAt, keyFault, OutOfBounds, type Reading } from './reading.ts'

interface Walk {
  readonly file: string
  readonly lines: LineCounter
  readonly faults: Finding[]
  /** The node an anchor names so far; a later anchor of that name takes over (YAML 1.2, 3.2.2.2). */
  readonly anchors: Map<string, unknown>
  /** What each alias stood for when the text reached it; writing a part out again does not change that. */
  readonly bound: Map<Alias, unknown>
  /** Nodes that hold the one in hand. */
  readonly open: Set<unknown>
  /** How many aliases the walk is inside of. */
  through: number
  /** Values that came through aliases. */
  aliased: number
}

interface Valued {
  readonly value: Json
  readonly place: Place
}

/** The root node of a document to data. Findings as in `readYaml`. Throws OutOfBounds only. */
export function dataOf(root: unknown, file: string, lines: LineCounter): Reading {
  const state = { faults: [], anchors: new Map(), bound: new Map(), open: new Set(), through: 0, aliased: 0 }
  const walk: Walk = { file, lines, ...state }
  const { value, place } = read(walk, root, [], { file, line: 1, column: 1 })
  return walk.faults.length > 0 ? { faults: walk.faults } : { value, place, warnings: [] }
}

/** `around` is the place of what holds the node, for a node without text of its own. */
function read(walk: Walk, node: unknown, path: Path, around: Place): Valued {
  const place = placeOf(walk, node) ?? { file: walk.file, line: around.line, column: around.column }
  if (path.length > bounds.depth) {
    const what = `the file is nested deeper than ${bounds.depth} levels`
    throw new OutOfBounds(faultAt('config-too-deep', { ...place, path }, what, 'flatten it'))
  }
  if (walk.through > 0 && ++walk.aliased > bounds.aliasedValues) {
    const what = `aliases stand for more than ${bounds.aliasedValues} values`
    throw new OutOfBounds(faultAt('config-alias-limit', { ...place, path }, what, 'write the values out'))
  }
  if (isAlias(node)) return aliased(walk, node, path, place)
  remember(walk, node)
  if (isScalar(node)) return { value: scalar(node.value), place }
  walk.open.add(node)
  try {
    if (isMap(node)) return mapping(walk, node, path, place)
    if (isSeq(node)) return list(walk, node, path, place)
    return { value: null, place }
  } finally {
    walk.open.delete(node)
  }
}

function list(walk: Walk, node: YAMLSeq, path: Path, place: Place): Valued {
  const value: Json[] = []
  const inside = new Map<number, Place>()
  for (const [index, item] of node.items.entries()) {
    const found = read(walk, item, [...path, index], place)
    value.push(found.value)
    inside.set(index, found.place)
  }
  return { value, place: { ...place, inside } }
}

function mapping(walk: Walk, node: YAMLMap, path: Path, place: Place): Valued {
  const value: Record<string, Json> = Object.create(null)
  const inside = new Map<string, Place>()
  const merges: Valued[] = []
  for (const pair of node.items) {
    const spot = placeOf(walk, pair.key) ?? place
    const key = keyOf(walk, pair.key, path, spot)
    if (key === undefined) continue
    const at = [...path, key]
    const earlier = inside.get(key)
    if (earlier !== undefined) {
      const what = `the key "${printable(key, 60)}" occurs twice in one mapping, first on line ${earlier.line}`
      walk.faults.push(faultAt('config-duplicate-key', { ...spot, path: at }, what, 'remove one of them'))
      if (walk.faults.length >= faultsMax) throw new OutOfBounds(tooMany(walk, spot))
      continue
    }
    const found = read(walk, pair.value, at, spot)
    // The line of the key is where a person goes to change the value, wherever an alias took it from.
    inside.set(key, { ...found.place, file: spot.file, line: spot.line, column: spot.column })
    if (isMergeKey(pair.key)) merges.push(found)
    else value[key] = found.value
  }
  for (const merge of merges) addMerged(walk, merge, value, inside, path)
  return { value, place: { ...place, inside } }
}

const faultsMax = 20

const tooMany = (walk: Walk, spot: Place): Finding =>
  walk.faults[0] ?? faultAt('config-syntax', spot, 'the file has too many faults')

/** `<<` of YAML 1.1, which many files use: the keys of other mappings, where the mapping has none of its own. */
function addMerged(walk: Walk, merge: Valued, value: Record<string, Json>, inside: Map<string, Place>, path: Path) {
  inside.delete(mergeKey)
  const parts = Array.isArray(merge.value)
    ? merge.value.map(
        (item: Json, index): Valued => ({ value: item, place: merge.place.inside?.get(index) ?? merge.place }),
      )
    : [merge]
  for (const part of parts) {
    if (part.value === null || typeof part.value !== 'object' || Array.isArray(part.value)) {
      const spot = { ...merge.place, path: [...path, mergeKey] }
      walk.faults.push(faultAt('config-type', spot, 'the merge key "<<" takes a mapping or a list of mappings'))
      continue
    }
    for (const [key, item] of Object.entries(part.value)) {
      if (key in value || item === undefined) continue
      value[key] = item
      inside.set(key, part.place.inside?.get(key) ?? part.place)
    }
  }
}

const mergeKey = '<<'
const isMergeKey = (key: unknown): boolean => isScalar(key) && key.value === mergeKey && key.type === 'PLAIN'

/** The text of a key, or nothing and a fault. */
function keyOf(walk: Walk, node: unknown, path: Path, spot: Place): string | undefined {
  remember(walk, node)
  const key =
    isScalar(node) && node.value !== null ? (typeof node.value === 'string' ? node.value : node.source) : undefined
  const fault = key === undefined ? notText : keyFault(key)
  if (fault !== undefined)
    walk.faults.push(faultAt(fault.code, { ...spot, path: key === undefined ? path : [...path, key] }, fault.what))
  if (walk.faults.length >= faultsMax) throw new OutOfBounds(tooMany(walk, spot))
  return fault === undefined ? key : undefined
}

const notText = {
  code: 'config-type',
  what: 'a key is a mapping, a list, an alias or nothing; keys are texts',
} as const

function aliased(walk: Walk, alias: Alias, path: Path, place: Place): Valued {
  const name = printable(alias.source, 60)
  const target = walk.bound.get(alias) ?? walk.anchors.get(alias.source)
  if (target === undefined) {
    throw new OutOfBounds(faultAt('config-syntax', { ...place, path }, `the alias *${name} refers to no anchor`))
  }
  if (walk.open.has(target)) {
    const what = `the anchor &${name} holds itself`
    throw new OutOfBounds(faultAt('config-alias-cycle', { ...place, path }, what, 'remove the alias'))
  }
  walk.bound.set(alias, target)
  walk.through += 1
  try {
    return read(walk, target, path, place)
  } finally {
    walk.through -= 1
  }
}

/** Only on the first way through the text: written out again, an anchor would seem to come later than it does. */
function remember(walk: Walk, node: unknown) {
  if (walk.through === 0 && (isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
    walk.anchors.set(node.anchor, node)
  }
}

function placeOf(walk: Walk, node: unknown): Place | undefined {
  if (!(isAlias(node) || isScalar(node) || isMap(node) || isSeq(node)) || !node.range) return undefined
  const { line, col } = walk.lines.linePos(node.range[0])
  return { file: walk.file, line, column: col }
}

function scalar(value: unknown): Json {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
