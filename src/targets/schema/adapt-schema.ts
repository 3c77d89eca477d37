// Runs the rules of a profile over one schema. Total and bounded: any JSON goes in, and out comes a schema with
// notes on what was changed, or a refusal; it does not throw, hang or touch a prototype, and the input stays as it is.
//
//   root rules ─▶ every node: node rules until nothing changes ─▶ sub-schemas ─▶ leave rules

import type { Json, JsonObject } from '../../core/json.ts'
import { holders } from './holders.ts'
import { referenced } from './reference.ts'
import { isList, isObject, objectOf } from './schema-node.ts'
import type {
  NoteWhat,
  Place,
  RefusalWhy,
  Resolved,
  SchemaNote,
  SchemaProfile,
  SchemaRefusal,
  SchemaRule,
} from './schema-rule.ts'

export type Adapted =
  | {
      /** The very object that went in when nothing had to change. */
      readonly schema: JsonObject
      /** The first changes, at most 200. */
      readonly notes: readonly SchemaNote[]
      /** How many changes there were. */
      readonly changes: number
    }
  | { readonly refused: SchemaRefusal }

/** Nodes of the adapted schema; four times what the largest of 2,543 real tools needs with all references inlined. */
const nodesMax = 20_000
const depthMax = 100
const notesMax = 200
/** Rules that may fire at one node; a chain of references costs one each. */
const firingsMax = 100

/**
 * The schema as a target's API takes it, with a note for each change; or where and why it cannot be made to fit.
 * Results are kept per schema object, so the same object is looked at once.
 */
export function adaptSchema(schema: Json | undefined, profile: SchemaProfile): Adapted {
  if (!isObject(schema)) return { refused: { path: '', keyword: 'type', why: 'not-an-object' } }
  const ready = readyOf(profile)
  // A look at the root is cheaper than a look into the memory of what was seen.
  if (!ready.walks) return adaptedNow(schema, ready)
  let adapted = ready.seen.get(schema)
  if (adapted === undefined) {
    adapted = adaptedNow(schema, ready)
    ready.seen.set(schema, adapted)
  }
  return adapted
}

type Hooks = { readonly [hook in 'root' | 'node' | 'leave']: readonly SchemaRule[] }

/** A profile made ready: its rules by hook, and what is known of schemas already seen. */
interface Ready {
  readonly rules: Hooks
  readonly walks: boolean
  readonly seen: WeakMap<JsonObject, Adapted>
}

const readied = new WeakMap<SchemaProfile, Ready>()

function readyOf(profile: SchemaProfile): Ready {
  let ready = readied.get(profile)
  if (ready === undefined) {
    const having = (hook: keyof Hooks) => profile.rules.filter((rule) => rule[hook] !== undefined)
    const rules = { root: having('root'), node: having('node'), leave: having('leave') }
    ready = { rules, walks: rules.node.length + rules.leave.length > 0, seen: new WeakMap() }
    readied.set(profile, ready)
  }
  return ready
}

interface Run {
  readonly root: JsonObject
  readonly rules: Hooks
  readonly notes: SchemaNote[]
  changes: number
  nodes: number
  refused: SchemaRefusal | undefined
}

function adaptedNow(schema: JsonObject, { rules, walks }: Ready): Adapted {
  const run: Run = { root: schema, rules, notes: [], changes: 0, nodes: 0, refused: undefined }
  const place = new Spot(run, undefined, '')
  let now = schema
  for (const rule of rules.root) if (run.refused === undefined) now = rule.root?.(now, place) ?? now
  if (walks && run.refused === undefined) now = visited(now, place)
  if (run.refused !== undefined) return { refused: run.refused }
  return { schema: now, notes: run.changes === 0 ? noNotes : Object.freeze(run.notes), changes: run.changes }
}

const noNotes: readonly SchemaNote[] = Object.freeze([])

class Spot implements Place {
  readonly run: Run
  readonly parent: Spot | undefined
  readonly key: string
  readonly depth: number
  /** References that were entered at this very node. */
  entered: string[] | undefined

  constructor(run: Run, parent: Spot | undefined, key: string) {
    this.run = run
    this.parent = parent
    this.key = key
    this.depth = parent === undefined ? 0 : parent.depth + 1
  }

  get isRoot(): boolean {
    return this.parent === undefined
  }

  note(keyword: string, what: NoteWhat): void {
    this.run.changes += 1
    if (this.run.notes.length < notesMax) this.run.notes.push({ path: this.path(), keyword, what })
  }

  refuse(keyword: string, why: RefusalWhy): void {
    this.run.refused ??= { path: this.path(), keyword, why }
  }

  enter(reference: string): Resolved {
    const node = referenced(this.run.root, reference)
    if (node === 'remote') return { kind: 'remote' }
    if (node === undefined) return { kind: 'dangling' }
    for (let spot: Spot | undefined = this; spot !== undefined; spot = spot.parent) {
      if (spot.entered?.includes(reference)) return { kind: 'recursive', node }
    }
    this.entered ??= []
    this.entered.push(reference)
    return { kind: 'found', node }
  }

  path(): string {
    const steps: string[] = []
    for (let spot: Spot = this; spot.parent !== undefined; spot = spot.parent) steps.unshift(spot.key)
    return steps.join('')
  }
}

function visited(node: JsonObject, at: Spot): JsonObject {
  const { run } = at
  run.nodes += 1
  if (run.nodes > nodesMax) at.refuse('', 'too-big')
  if (at.depth > depthMax) at.refuse('', 'too-deep')
  if (run.refused !== undefined) return node
  let now = rewritten(node, at)
  now = withSubSchemas(now, at)
  for (const rule of run.rules.leave) if (run.refused === undefined) now = rule.leave?.(now, at) ?? now
  return now
}

/** Whenever a rule changes the node, the first rule comes again: the order is one of priority, and the end is stable. */
function rewritten(node: JsonObject, at: Spot): JsonObject {
  const { run } = at
  let now = node
  let firings = 0
  for (let index = 0; index < run.rules.node.length && run.refused === undefined; index += 1) {
    const next = run.rules.node[index]?.node?.(now, at) ?? now
    if (next === now) continue
    now = next
    index = -1
    firings += 1
    if (firings > firingsMax) at.refuse('', 'too-deep')
  }
  return now
}

function withSubSchemas(node: JsonObject, at: Spot): JsonObject {
  let now = node
  for (const keyword of Object.keys(node)) {
    const holds = holders.get(keyword)
    const value = node[keyword]
    if (holds === undefined || value === undefined || at.run.refused !== undefined) continue
    const next = withHeld(value, keyword, at)
    if (next !== value) now = { ...now, [keyword]: next }
  }
  return now
}

/** The value of a keyword with every schema in it adapted; the same value when nothing changed. */
function withHeld(value: Json, keyword: string, at: Spot): Json {
  const adapted = (schema: Json, step: string): Json =>
    isObject(schema) ? visited(schema, new Spot(at.run, at, `/${keyword}${step}`)) : schema
  if (isList(value)) {
    const items = value.map((item, index) => adapted(item, `/${index}`))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (holders.get(keyword) !== 'map' || !isObject(value)) return adapted(value, '')
  const before = Object.entries(value)
  const after = before.map(
    ([name, item]) => [name, item === undefined ? item : adapted(item, `/${pointerStep(name)}`)] as const,
  )
  return after.every(([, item], index) => item === before[index]?.[1]) ? value : objectOf(after)
}

const pointerStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
