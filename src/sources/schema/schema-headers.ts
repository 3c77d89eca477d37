// `x-mcp-header`: the argument of a call that a client repeats in a header of HTTP (MCP 2026-07-28, streamable HTTP,
// "custom headers from tool parameters"). A tool that asks for a header that cannot be sent is to be left out, and the
// other tools of its server are to be kept.

import type { JsonObject } from '../../core/json.ts'
import { printable } from '../../core/printable.ts'
import { isObject } from '../bounded-json.ts'
import { placeOf, type SchemaFault, type SchemaGraph, type SchemaNode } from './schema-graph.ts'

const keyword = 'x-mcp-header'

/** RFC 9110: a token. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/**
 * What is wrong with the headers that a schema asks for. `sent`: whether its server is one to which they are sent;
 * where they are not, only a name that no header can have counts, which nobody writes by mistake.
 */
export function headerFault({ nodes }: SchemaGraph, sent: boolean): SchemaFault | undefined {
  const marked = nodes.filter(({ schema }) => schema[keyword] !== undefined)
  const [root] = nodes
  if (root === undefined || marked.length === 0) return undefined
  const named = marked.find(({ schema }) => !isToken(schema[keyword]))
  if (named !== undefined) return fault(named, 'is no name of a header')
  if (!sent) return undefined
  const plain = plainlyReached(root.schema)
  const names = new Set<string>()
  for (const node of marked) {
    const name = String(node.schema[keyword]).toLowerCase()
    if (names.has(name)) return fault(node, 'stands twice')
    names.add(name)
    if (!types.has(node.schema.type)) return fault(node, 'belongs to what is no text, whole number or boolean')
    if (!plain.has(node.schema)) return fault(node, 'belongs to what is not reached by properties alone')
  }
  return undefined
}

const isToken = (value: unknown): boolean => typeof value === 'string' && token.test(value)

function fault(node: SchemaNode, what: string): SchemaFault {
  const name = node.schema[keyword]
  const shown = typeof name === 'string' ? ` "${printable(name, 60)}"` : ''
  return { word: keyword, detail: `the header${shown} of ${placeOf(node)} ${what}` }
}

/** The schemas of arguments that every call may have: those of properties, and of properties of those. */
function plainlyReached(root: JsonObject): ReadonlySet<JsonObject> {
  const reached = new Set<JsonObject>()
  const waiting = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { properties } = next
    if (!isObject(properties)) continue
    for (const schema of Object.values(properties)) {
      if (!isObject(schema) || reached.has(schema)) continue
      reached.add(schema)
      waiting.push(schema)
    }
  }
  return reached
}
