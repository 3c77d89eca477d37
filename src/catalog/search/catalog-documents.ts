import type { Decision } from '../../core/decision.ts'
import type { CatalogEntry } from '../catalog.ts'
import type { SearchDocument } from './search-document.ts'

/** What is indexed of the entries of a catalog, in their order. */
export const catalogDocuments = (entries: readonly CatalogEntry[]): readonly SearchDocument[] =>
  entries.map(({ definition, ...entry }) => ({ ...entry, ...textOf(definition) }))

/**
 * The same of decisions, whatever came of them, with the decision of each document by its name. Of twins the first has
 * the name; the others go by their identity.
 */
export function decisionDocuments(decisions: readonly Decision[]): {
  readonly documents: readonly SearchDocument[]
  readonly decisionOf: ReadonlyMap<string, Decision>
} {
  const decisionOf = new Map<string, Decision>()
  const documents = decisions.map((decision): SearchDocument => {
    const { candidate, definition } = decision
    const name = decisionOf.has(decision.name) ? candidate.id : decision.name
    decisionOf.set(name, decision)
    return {
      name,
      originalName: candidate.originalName,
      ...(candidate.server === undefined ? {} : { server: candidate.server }),
      ...textOf(definition),
      keywords: candidate.routing?.keywords ?? [],
      priority: candidate.routing?.priority ?? 0,
      definitionHash: candidate.definitionHash,
    }
  })
  return { documents, decisionOf }
}

const textOf = ({ description, inputSchema }: Decision['definition']) => ({ description, inputSchema })
