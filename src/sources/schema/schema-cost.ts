// What it costs to carry a schema out: whoever checks a value, or writes a schema out without references, goes through
// the graph as if it were a tree. Thirty schemas that each name the next one twice are two kilobytes of text, and a
// tree of a thousand million.

import { isObject } from '../bounded-json.ts'
import { placeOf, type SchemaFault, type SchemaGraph, type SchemaNode } from './schema-graph.ts'
import { heldIn, holders } from './schema-keywords.ts'

/** Schemas in the tree that a schema unrolls to, circles cut where they close. The largest of 2,543 real tools has 7,348. */
const unrolledMax = 100_000

/** A circle of references that never takes a step into the value, or a tree too big to be gone through. */
export function costFault(graph: SchemaGraph): SchemaFault | undefined {
  // Without references it is the tree that was measured.
  if (graph.leads.size === 0) return undefined
  const edges = edgesOf(graph)
  const circle = circleIn(graph, edges)
  if (circle !== undefined)
    return { word: 'schema-cycle', detail: `${placeOf(circle)} leads back to itself and says nothing of a value` }
  const size = unrolledSize(graph, edges)
  if (size <= unrolledMax) return undefined
  const many = Number.isFinite(size) ? size.toExponential(1) : 'countless'
  return { word: 'schema-cost', detail: `its references unroll to ${many} schemas, and ${unrolledMax} are allowed` }
}

interface Edges {
  /** By index of a schema, those that are applied to the same value. */
  readonly same: readonly (readonly SchemaNode[])[]
  /** Those, and the ones that are applied to parts of it. */
  readonly all: readonly (readonly SchemaNode[])[]
}

function edgesOf({ nodes, leads }: SchemaGraph): Edges {
  const nodeOf = new Map(nodes.map((node) => [node.schema, node]))
  const same: SchemaNode[][] = []
  const all: SchemaNode[][] = []
  for (const node of nodes) {
    const toSame = (leads.get(node) ?? []).filter((lead) => typeof lead !== 'boolean')
    const toParts: SchemaNode[] = []
    for (const keyword of Object.keys(node.schema)) {
      const holder = holders.get(keyword)
      const value = node.schema[keyword]
      if (holder === undefined || value === undefined || holder.appliesTo === 'nothing') continue
      for (const [, schema] of heldIn(keyword, holder, value) ?? []) {
        const child = isObject(schema) ? nodeOf.get(schema) : undefined
        if (child !== undefined) (holder.appliesTo === 'same' ? toSame : toParts).push(child)
      }
    }
    same.push(toSame)
    all.push(toParts.length === 0 ? toSame : [...toSame, ...toParts])
  }
  return { same, all }
}

function circleIn({ leads }: SchemaGraph, { same }: Edges): SchemaNode | undefined {
  let circle: SchemaNode | undefined
  const left = new Set<SchemaNode>()
  // A circle closes through a reference.
  for (const node of leads.keys()) {
    if (left.has(node)) continue
    walk(node, {
      next: ({ index }) => same[index] ?? [],
      isDone: (other) => left.has(other),
      again: (other) => {
        circle ??= other
      },
      leave: (other) => left.add(other),
    })
    if (circle !== undefined) return circle
  }
  return undefined
}

/** How many schemas the root comes to, each counted as often as it is met; one that is met inside of itself counts once. */
function unrolledSize({ nodes }: SchemaGraph, { all }: Edges): number {
  const [root] = nodes
  if (root === undefined) return 0
  const sizes = new Float64Array(nodes.length)
  walk(root, {
    next: ({ index }) => all[index] ?? [],
    isDone: ({ index }) => sizes[index] !== 0,
    again: () => {},
    leave: ({ index }) => {
      let size = 1
      // What is still open has no size yet: it is one that is met inside of itself.
      for (const other of all[index] ?? []) size += sizes[other.index] || 1
      sizes[index] = size
    },
  })
  return sizes[root.index] ?? 0
}

interface Visit {
  readonly next: (node: SchemaNode) => readonly SchemaNode[]
  readonly isDone: (node: SchemaNode) => boolean
  /** A node is met while it is still open. */
  readonly again: (node: SchemaNode) => void
  /** A node is left, all that follow it before. */
  readonly leave: (node: SchemaNode) => unknown
}

/** Depth first, without recursion; each node is opened once. */
function walk(start: SchemaNode, { next, isDone, again, leave }: Visit): void {
  const open = new Set([start])
  const path = [{ node: start, next: next(start), at: 0 }]
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const node = top.next[top.at]
    top.at += 1
    if (node === undefined) {
      path.pop()
      open.delete(top.node)
      leave(top.node)
    } else if (open.has(node)) again(node)
    else if (!isDone(node)) {
      open.add(node)
      path.push({ node, next: next(node), at: 0 })
    }
  }
}
