// Reading documents, all of them or only those that are new since another index.

import { type DocumentTerms, documentTerms } from './document-terms.ts'
import { nameKeys } from './exact-names.ts'
import { type Lexicon, lexicon } from './lexicon.ts'
import type { SearchDocument } from './search-document.ts'

/** What was read of some documents: for each its terms, as ids in the lexicon. */
export interface ReadDocuments {
  readonly documents: readonly SearchDocument[]
  readonly lexicon: Lexicon
  readonly terms: readonly DocumentTerms[]
  /** For each document its `nameKeys`. */
  readonly keys: readonly (readonly string[])[]
  /** Terms that entered the lexicon when all of these documents were read anew. */
  readonly size: number
}

/** A lexicon that holds more than so many times what it was begun with is left behind, so that it cannot grow for ever. */
const growthMax = 2

/** Reads documents; of those that `before` holds with the same text, what was read then is kept. */
export function readDocuments(documents: readonly SearchDocument[], before?: ReadDocuments): ReadDocuments {
  if (before === undefined || before.lexicon.size() > growthMax * before.size) {
    const words = lexicon()
    const terms = documents.map((document) => documentTerms(document, words))
    return { documents, lexicon: words, terms, keys: documents.map(nameKeys), size: words.size() }
  }
  const positions = new Map(before.documents.map((document, position) => [document.name, position]))
  const known = documents.map((document) => {
    const position = positions.get(document.name) ?? -1
    const old = before.documents[position]
    return old !== undefined && isSameText(old, document) ? position : -1
  })
  return {
    documents,
    lexicon: before.lexicon,
    terms: documents.map((document, at) => before.terms[known[at] ?? -1] ?? documentTerms(document, before.lexicon)),
    keys: documents.map((document, at) => before.keys[known[at] ?? -1] ?? nameKeys(document)),
    size: before.size,
  }
}

/** The schema is told by the hash alone; what else is read is compared, since configuration may change it. */
const isSameText = (one: SearchDocument, other: SearchDocument): boolean =>
  one.definitionHash === other.definitionHash &&
  one.originalName === other.originalName &&
  one.server === other.server &&
  one.description === other.description &&
  one.keywords.length === other.keywords.length &&
  one.keywords.every((keyword, at) => keyword === other.keywords[at])
