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
  const steps = readSteps(documents, before)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Documents that are read between two halts: a millisecond or two for usual ones. */
const atOnce = 20

/** The same in short steps, for one who must let others work in between. */
export function* readSteps(
  documents: readonly SearchDocument[],
  before?: ReadDocuments,
): Generator<undefined, ReadDocuments, unknown> {
  const kept = before !== undefined && before.lexicon.size() <= growthMax * before.size ? before : undefined
  const words = kept?.lexicon ?? lexicon()
  const positions = new Map(kept?.documents.map((document, position) => [document.name, position]))
  const terms: DocumentTerms[] = []
  const keys: (readonly string[])[] = []
  for (const [at, document] of documents.entries()) {
    const position = positions.get(document.name) ?? -1
    const old = kept?.documents[position]
    const isKnown = old !== undefined && isSameText(old, document)
    terms.push((isKnown ? kept?.terms[position] : undefined) ?? documentTerms(document, words))
    keys.push((isKnown ? kept?.keys[position] : undefined) ?? nameKeys(document))
    if (at % atOnce === atOnce - 1) yield undefined
  }
  return { documents, lexicon: words, terms, keys, size: kept?.size ?? words.size() }
}

/** The schema is told by the hash alone; what else is read is compared, since configuration may change it. */
const isSameText = (one: SearchDocument, other: SearchDocument): boolean =>
  one.definitionHash === other.definitionHash &&
  one.originalName === other.originalName &&
  one.server === other.server &&
  one.description === other.description &&
  one.keywords.length === other.keywords.length &&
  one.keywords.every((keyword, at) => keyword === other.keywords[at])
