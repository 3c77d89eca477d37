// A schema as a graph: every schema in a text, and what its references lead to. The text is a tree; references make a
// graph of it, which may hold circles and grow without bound when it is unrolled. INVARIANT: each place is looked at
// once; nothing is changed, thrown or fetched.

import type { Json, JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { isObject } from '../bounded-json.ts'
import { type Holder, heldIn, holders, isSchema, kindOf, referenceKeywords, typeWords } from './schema-keywords.ts'
import { type Addresses, addressed, addressesOf, type Resource, referred } from './schema-references.ts'

/** What is wrong with a schema, beginning with a stable word. */
export interface SchemaFault {
  readonly word:
    | 'schema-invalid'
    | 'schema-dialect'
    | 'schema-remote-ref'
    | 'schema-cycle'
    | 'schema-cost'
    | 'schema-too-deep'
    | 'schema-too-big'
    | 'x-mcp-header'
  /** One printable line: where, and what. */
  readonly detail: string
}

export interface SchemaNode {
  readonly schema: JsonObject
  /** The schema that holds it. Undefined: it is the root, or stands where no keyword holds it. */
  readonly owner: SchemaNode | undefined
  /** What holds it there; of one without an owner, what it is called. Foreign. */
  readonly keyword: string
  /** Name or index in what the keyword holds. */
  readonly key: string | number | undefined
  /** Place in `SchemaGraph.nodes`. */
  readonly index: number
}

export interface SchemaGraph {
  /** The root first. */
  readonly nodes: readonly SchemaNode[]
  /** What the references of a schema lead to: a schema, or what stands for everything or nothing. Most have none. */
  readonly leads: ReadonlyMap<SchemaNode, readonly (SchemaNode | boolean)[]>
  /** Keywords, names and references that were looked at. */
  readonly steps: number
}

interface Build {
  readonly nodes: SchemaNode[]
  /** Filled when there is a reference: before, no schema can be met twice. */
  readonly known: Map<JsonObject, SchemaNode>
  readonly leads: Map<SchemaNode, (SchemaNode | boolean)[]>
  readonly addresses: Addresses
  /** Seen, and not yet looked at. */
  readonly waiting: { readonly node: SchemaNode; readonly inside: Resource }[]
  readonly references: { readonly node: SchemaNode; readonly reference: string; readonly inside: Resource }[]
  /** The text says that it is written in draft 4. */
  readonly isDraft4: boolean
  steps: number
}

/** Longest place that is told. */
const placeMax = 160

/** Place of a schema in its text, such as `inputSchema.properties.q`, printable. */
export function placeOf(node: SchemaNode): string {
  const steps: string[] = []
  for (let at: SchemaNode | undefined = node; at !== undefined; at = at.owner) {
    const key = at.key === undefined ? '' : typeof at.key === 'number' ? `[${at.key}]` : `.${at.key}`
    steps.push(`${at.owner === undefined ? '' : '.'}${at.keyword}${key}`)
  }
  return printable(steps.reverse().join(''), placeMax)
}

/** The graph of a schema that is bounded in size and depth, or what is wrong with it. `name` begins every place. */
export function schemaGraph(root: JsonObject, name: string): SchemaGraph | SchemaFault {
  const build: Build = {
    nodes: [],
    known: new Map(),
    leads: new Map(),
    addresses: addressesOf(root),
    waiting: [],
    references: [],
    isDraft4: typeof root.$schema === 'string' && root.$schema.includes('draft-04'),
    steps: 0,
  }
  const { nodes, known, waiting, references } = build
  taken({ schema: root, owner: undefined, keyword: name, key: undefined, index: 0 }, build.addresses.document, build)
  for (;;) {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const fault = lookedAt(next.node, next.inside, build)
      if (fault !== undefined) return fault
    }
    // References come after the whole tree: what they lead to may stand anywhere in it.
    const next = references.pop()
    if (next === undefined) return build
    if (known.size === 0) for (const node of nodes) known.set(node.schema, node)
    const fault = led(next, build)
    if (fault !== undefined) return fault
  }
}

function taken(node: SchemaNode, inside: Resource, build: Build): void {
  build.nodes.push(node)
  if (build.known.size > 0) build.known.set(node.schema, node)
  build.waiting.push({ node, inside: addressed(node.schema, inside, build.addresses) })
}

function lookedAt(node: SchemaNode, inside: Resource, build: Build): SchemaFault | undefined {
  const { schema } = node
  for (const keyword of Object.keys(schema)) {
    build.steps += 1
    const value = schema[keyword]
    // Several languages write null for what is absent.
    if (value === undefined || value === null) continue
    const holder = holders.get(keyword)
    const fault =
      holder === undefined ? keywordFault(node, keyword, value, build) : held(node, keyword, holder, { inside, build })
    if (fault !== undefined) return fault
  }
  for (const keyword of referenceKeywords) {
    const reference = schema[keyword]
    if (reference === undefined || reference === null) continue
    if (typeof reference !== 'string') return invalid(node, `${keyword} is ${kindOf(reference)}, not text`)
    build.references.push({ node, reference, inside })
  }
  return undefined
}

interface Around {
  readonly inside: Resource
  readonly build: Build
}

function held(owner: SchemaNode, keyword: string, holder: Holder, { inside, build }: Around): SchemaFault | undefined {
  const value = owner.schema[keyword] ?? null
  const list = heldIn(keyword, holder, value)
  if (list === undefined)
    return invalid(owner, `${keyword} is ${kindOf(value)}, not ${holder.holds === 'map' ? 'an object' : 'a list'}`)
  for (const [key, schema] of list) {
    build.steps += 1
    if (isObject(schema)) {
      if (build.known.has(schema)) continue
      taken({ schema, owner, keyword, key, index: build.nodes.length }, inside, build)
      continue
    }
    // The older keyword holds lists of names as well.
    const isNames = keyword === 'dependencies' && Array.isArray(schema)
    if (typeof schema === 'boolean' || isNames || (schema === null && holder.holds === 'map')) continue
    const place = key === undefined ? keyword : `${keyword} ${printable(String(key), 60)}`
    return invalid(owner, `${place} is ${kindOf(schema)}, not a schema`)
  }
  return undefined
}

function led({ node, reference, inside }: Build['references'][number], build: Build): SchemaFault | undefined {
  build.steps += 1
  const to = referred(reference, inside, build.addresses)
  const said = () => `${placeOf(node)} refers to "${printable(reference, 100)}"`
  if (to === 'outside') return { word: 'schema-remote-ref', detail: `${said()}, and no schema is fetched or read` }
  if (!isSchema(to)) return { word: 'schema-invalid', detail: `${said()}, where no schema is` }
  const leads = build.leads.get(node) ?? []
  build.leads.set(node, leads)
  if (isObject(to)) {
    if (!build.known.has(to))
      taken(
        { schema: to, owner: undefined, keyword: reference, key: undefined, index: build.nodes.length },
        inside,
        build,
      )
    leads.push(build.known.get(to) ?? true)
  } else leads.push(to === true)
  return undefined
}

const invalid = (node: SchemaNode, what: string): SchemaFault => ({
  word: 'schema-invalid',
  detail: `${placeOf(node)}: ${what}`,
})

function keywordFault(node: SchemaNode, keyword: string, value: Json, build: Build): SchemaFault | undefined {
  if (keyword === 'type') return typeFault(node, value)
  if (keyword === '$schema') return dialectFault(node, value)
  // Draft 4 is read as far as it means what later drafts mean; to them a bound that is true or false means nothing.
  if (!build.isDraft4 || typeof value !== 'boolean' || !/^exclusiveM/.test(keyword)) return undefined
  return { word: 'schema-dialect', detail: `${placeOf(node)}: ${keyword} is ${value}, a form of draft 4 alone` }
}

function typeFault(node: SchemaNode, value: Json): SchemaFault | undefined {
  if (typeWords.has(value)) return undefined
  const words: readonly Json[] = Array.isArray(value) ? value : []
  const odd = words.find((word) => !typeWords.has(word))
  if (words.length > 0 && odd === undefined) return undefined
  return invalid(node, `type ${shortJson(odd ?? value)} is none of JSON Schema's`)
}

/** Only the beginning: a value may be big. */
const shortJson = (value: Json): string =>
  typeof value === 'object' && value !== null ? kindOf(value) : printable(JSON.stringify(value), 60)

/** Addresses of the dialects that are read. The one without a draft means the newest. */
const dialect =
  /^https?:\/\/(?:json-schema\.org\/(?:draft-0[467]\/|draft\/2019-09\/|draft\/2020-12\/)?schema|spec\.openapis\.org\/oas\/3\.1\/dialect\/base)#?$/

function dialectFault(node: SchemaNode, value: Json): SchemaFault | undefined {
  if (typeof value === 'string' && dialect.test(value)) return undefined
  return { word: 'schema-dialect', detail: `${placeOf(node)} is written in ${shortJson(value)}, which is not read` }
}
