import type { JsonObject } from '../../core/json.ts'

/** What is indexed of a tool. A catalog entry is one; so is an excluded tool, for the operator. */
export interface SearchDocument {
  /** Surface name: unique in an index, and what a hit is told by. */
  readonly name: string
  /** What its owner calls it. */
  readonly originalName: string
  readonly server?: string
  readonly description: string
  readonly inputSchema: JsonObject
  /** Configured words, weighted like the name. `[]`: none. */
  readonly keywords: readonly string[]
  /** Breaks ties; higher is first. */
  readonly priority: number
  /** Equal hash, equal text: what was read of a document is kept by it. */
  readonly definitionHash: string
}
