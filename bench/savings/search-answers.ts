// What an answer of `tool_search` costs: the definitions of what is found, the names after them and the words about both.

import { catalogOf } from '../../src/catalog/catalog.ts'
import { findTools } from '../../src/catalog/find-tools.ts'
import { catalogDocuments } from '../../src/catalog/search/catalog-documents.ts'
import { searchIndex } from '../../src/catalog/search/search-index.ts'
import { answerText, toolSearchAnswer } from '../../src/catalog/tool-search.ts'
import type { Surface } from '../../src/core/surface.ts'
import type { CountTokens } from '../../src/report/tokens.ts'
import { sha256 } from '../../src/sources/sha256.ts'

/** As models write them: the service or its kind, and the action. */
const queries = [
  'github create issue',
  'send slack message',
  'list calendar events',
  'read file',
  'take screenshot of page',
  'run sql query',
  'search web',
  'create jira ticket',
  'deploy to kubernetes',
  'upload file to drive',
  'draw bar chart',
  'send email',
  'merge pull request',
  'query logs',
  'create page in notion',
  'delete project',
  'list users',
  'get weather',
  'build ios app',
  'create design from template',
]

export interface SearchAnswer {
  readonly query: string
  /** Definitions in the answer. */
  readonly definitions: number
  readonly tokens: number
}

/** An answer for each of twenty ordinary queries, in their order: the text that a model reads. */
export function searchAnswers(surface: Surface, count: CountTokens): readonly SearchAnswer[] {
  const catalog = catalogOf(surface, sha256)
  const index = searchIndex(catalogDocuments(catalog.entries))
  const isEager = (name: string): boolean => surface.find(name)?.outcome === 'eager'
  return queries.map((query) => {
    const found = findTools(index, query)
    if (found.kind === 'fault') throw new Error(`${query}: ${found.message}`)
    const answer = toolSearchAnswer(found, catalog, { isEager })
    return { query, definitions: answer.found.length, tokens: count(answerText({ answer, dropped: [] })) }
  })
}
