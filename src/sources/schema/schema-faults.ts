// The contents of a schema, judged before anybody checks a value with it, writes it out for a provider or shows it to a
// model. INVARIANT: total, linear in the schema, and it leaves the schema as it is.

import type { JsonObject } from '../../core/json.ts'
import { measured } from '../bounded-json.ts'
import { costFault } from './schema-cost.ts'
import { type SchemaFault, type SchemaGraph, schemaGraph } from './schema-graph.ts'
import { headerFault } from './schema-headers.ts'

/** The largest schema of 2,543 real tools has 3,000 values and 84,000 characters. */
const nodesMax = 20_000
const charsMax = 500_000

export interface JudgedSchema {
  /** Absent: the schema is sound. */
  readonly fault?: SchemaFault
  /** Absent: the schema could not be gone through. */
  readonly graph?: SchemaGraph
  /** Values and names that were looked at: what the judging cost. */
  readonly steps: number
}

export interface SchemaOptions {
  /** What begins the places that are told: `inputSchema`. */
  readonly name: string
  /** The server is one to which arguments are sent in headers. Absent: it is not. */
  readonly headersSent?: boolean
}

export function judgedSchema(schema: JsonObject, { name, headersSent = false }: SchemaOptions): JudgedSchema {
  const { nodes, chars, over } = measured(schema, { nodesMax, charsMax })
  const steps = nodes + Math.ceil(chars / charsPerStep)
  if (over !== undefined) {
    const word = over === 'too deep' ? 'schema-too-deep' : 'schema-too-big'
    return { fault: { word, detail: `${name} is ${over}` }, steps }
  }
  const graph = schemaGraph(schema, name)
  if ('word' in graph) return { fault: graph, steps }
  const fault = costFault(graph) ?? headerFault(graph, headersSent)
  return { ...(fault === undefined ? {} : { fault }), graph, steps: steps + graph.steps }
}

/** Looking at a value costs about as much as reading so many characters. */
const charsPerStep = 50
