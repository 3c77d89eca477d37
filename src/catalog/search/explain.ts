// Why a document ranks where it does.

import type { Answerer } from './diversity.ts'
import { readDocument } from './document-terms.ts'
import type { Lexicon } from './lexicon.ts'
import type { Postings } from './postings.ts'
import type { Asked, MatchedBy } from './query-terms.ts'
import { coveredName, nameBonus } from './score.ts'
import type { SearchDocument } from './search-document.ts'
import { type SearchField, searchFields } from './weights.ts'

export interface ExplainedMatch {
  /** As the document writes it, in lower case. */
  readonly text: string
  /** stem: another form of the word. The rest as in `MatchedBy`. */
  readonly by: MatchedBy | 'stem'
  readonly fields: readonly SearchField[]
}

export interface ExplainedWord {
  /** As it stands in the query; two words for a compound. */
  readonly word: string
  /** Its part of what the words score, from 0 to 1. */
  readonly share: number
  /** `[]`: the document does not answer it. */
  readonly matches: readonly ExplainedMatch[]
}

export interface Explanation {
  /** Surface name of the document. */
  readonly name: string
  /** Place among all hits, from 1; undefined for a document that does not match. */
  readonly rank: number | undefined
  readonly score: number
  /** The query, or a word of it, is a name of the document: it stands before all that are not named. */
  readonly exact: boolean
  /** Words of the query that carry weight, in order. */
  readonly words: readonly ExplainedWord[]
  /** The part of the name that the query covers, and what the score was multiplied by for it. */
  readonly nameCover: { readonly share: number; readonly factor: number }
  /** What was left of the score after better hits with the same words in their names, from 0 to 1. */
  readonly diversity: number
  /** For a long query: the clause that the document answers best. */
  readonly clause?: string
}

export type ExplainedWords = Pick<Explanation, 'words' | 'nameCover'>

interface ExplainSetting {
  readonly postings: Postings
  readonly lexicon: Lexicon
  readonly answersOf: Answerer
}

/** How a document answers the words of a query. */
export function explainWords(
  document: SearchDocument,
  position: number,
  asked: readonly Asked[],
  { postings, lexicon, answersOf }: ExplainSetting,
): ExplainedWords {
  const places = placesOf(document, lexicon)
  const parts = answersOf([position], asked).parts[0] ?? new Float64Array(0)
  const all = parts.reduce((sum, part) => sum + part, 0)
  const words = asked.map(({ word, ways }, number) => ({
    word,
    share: all === 0 ? 0 : (parts[number] ?? 0) / all,
    matches: ways.flatMap(({ term, by }) =>
      [...(places.get(term) ?? [])].map(([text, fields]) => ({
        text,
        by: by === 'itself' && text !== word ? ('stem' as const) : by,
        fields: searchFields.filter((field) => fields.has(field)),
      })),
    ),
  }))
  const share = coveredName(position, asked, postings)
  return { words, nameCover: { share, factor: nameBonus(share) } }
}

/** For each term of a document the words that it stands for, and the fields that they stand in. */
function placesOf(
  document: SearchDocument,
  lexicon: Lexicon,
): ReadonlyMap<number, ReadonlyMap<string, ReadonlySet<SearchField>>> {
  const places = new Map<number, Map<string, Set<SearchField>>>()
  readDocument(document, (word, number) => {
    const field = searchFields[number]
    if (field === undefined) return
    const term = lexicon.find(word)
    const ofTerm = places.get(term) ?? new Map<string, Set<SearchField>>()
    places.set(term, ofTerm)
    ofTerm.set(word, (ofTerm.get(word) ?? new Set<SearchField>()).add(field))
  })
  return places
}
