import type { Decision } from '../../core/decision.ts'
import type { CatalogEntry } from '../catalog.ts'
import type { SearchDocument } from './search-document.ts'

/** What is indexed of the entries of a catalog, in their order. */
export const catalogDocuments = (entries: readonly CatalogEntry[]): readonly SearchDocument[] =>
  entries.map(({ definition, ...entry }) => ({ ...entry, ...textOf(definition) }))

/** The same of decisions, whatever came of them. `name` must be unique: of twins the first is taken. */
export function decisionDocuments(decisions: readonly Decision[]): readonly SearchDocument[] {
  const documents = new Map<string, SearchDocument>()
  for (const { candidate, name, definition } of decisions) {
    if (documents.has(name)) continue
    documents.set(name, {
      name,
      originalName: candidate.originalName,
      ...(candidate.server === undefined ? {} : { server: candidate.server }),
      ...textOf(definition),
      keywords: candidate.routing?.keywords ?? [],
      priority: candidate.routing?.priority ?? 0,
      definitionHash: candidate.definitionHash,
    })
  }
  return [...documents.values()]
}

const textOf = ({ description, inputSchema }: Decision['definition']) => ({ description, inputSchema })
