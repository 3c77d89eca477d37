import type { SearchDocument } from '../../src/catalog/search/search-document.ts'

/** Names of tools for a query, best first, at most so many. */
export type Search = (query: string, limit: number) => readonly string[]

/** One way of finding tools. All of them are given the same documents and the same queries. */
export interface SearchSystem {
  /** As it stands in tables, in the JSON and in `--systems`. */
  readonly id: string
  /** What it does, in a line. */
  readonly about: string
  /** Reads the documents. What this and a first query take together is `buildMs`. */
  readonly build: (documents: readonly SearchDocument[]) => Search
}
