// The index of a catalog, or of any documents. Made once, asked often, never changed; the index of a changed catalog is
// made from the one before and reads only what is new.
//
//   text ─ words ─ query terms ─▶ scores ─▶ exact names first, then diversity ─▶ ranking
//                                   └─ may be fused with other scores on the way

import { clauses } from './clauses.ts'
import { answerer, diverse, type Picked } from './diversity.ts'
import { type ExactNames, exactNames } from './exact-names.ts'
import { type Explanation, explainWords } from './explain.ts'
import { type NameHolders, nameHolders } from './name-holders.ts'
import { postings as compile } from './postings.ts'
import { type Asked, queryTerms, weightyWords } from './query-terms.ts'
import { type ReadDocuments, readDocuments, readSteps } from './read-documents.ts'
import { scorer } from './score.ts'
import type { SearchDocument } from './search-document.ts'
import { type Strength, strengthOf } from './strength.ts'
import { synonyms as synonymsOf } from './synonyms.ts'
import { topPositions } from './top-positions.ts'
import { weights } from './weights.ts'

export interface Hit {
  readonly document: SearchDocument
  /** Comparable within one ranking only. */
  readonly score: number
  /** The query, or a word of it, is a name of this document. */
  readonly exact: boolean
}

export interface Ranking {
  /** Best first. */
  readonly hits: readonly Hit[]
  /** How many documents match at all. */
  readonly total: number
  readonly strength: Strength
}

export interface SearchIndex {
  readonly documents: readonly SearchDocument[]
  /** The best documents for a query, at most `limit`. A shorter ranking is the beginning of a longer one. */
  readonly rank: (query: string, limit: number) => Ranking
  /** One score for each document, in the order of `documents`; 0 for no match. Never negative; no upper bound. */
  readonly scores: (query: string) => Float64Array
  /** As `rank`, with scores of somebody's own: one for each document; only what is above 0 can be a hit. */
  readonly rankScores: (query: string, scores: Float64Array, limit: number) => Ranking
  /** Why a document ranks where it does; undefined when there is no document of that surface name. */
  readonly explain: (query: string, name: string) => Explanation | undefined
  /** Which document a text is the name of. */
  readonly named: ExactNames['find']
  /** Which documents hold all of some words in their names or in the name of their server. */
  readonly holding: NameHolders
}

export interface SearchIndexOptions {
  /** Groups of words that stand for one another, besides the built-in table. Absent or `[]`: none. */
  readonly synonyms?: readonly (readonly string[])[]
  /** What this index read of its documents is kept for documents of the same name, text and definition hash. */
  readonly previous?: SearchIndex
}

/** Hits that are put into order with an eye to one another; those after them stand by score. */
const pool = 40
/** Pairs of a term and a document that one query goes through at most; on 2,543 real tools it is a few thousand. */
const postingsMax = 400_000
/** What a document scores that is named by words that carry no weight. */
const scoreOfName = 1e-9

/** Makes an index. Pure: equal documents give equal rankings, whatever the index before held. */
export function searchIndex(documents: readonly SearchDocument[], options: SearchIndexOptions = {}): SearchIndex {
  return indexOf(readDocuments(documents, readBy(options.previous)), options)
}

/**
 * The same index, made in short steps with a `pause` between them, so that thousands of tools hold up nobody: what is not
 * halted takes about 10 ms a thousand documents.
 */
export async function searchIndexInSteps(
  documents: readonly SearchDocument[],
  options: SearchIndexOptions,
  pause: () => Promise<unknown>,
): Promise<SearchIndex> {
  const steps = readSteps(documents, readBy(options.previous))
  for (;;) {
    const step = steps.next()
    await pause()
    if (step.done === true) return indexOf(step.value, options)
  }
}

const readBy = (previous: SearchIndex | undefined): ReadDocuments | undefined =>
  previous === undefined ? undefined : kept.get(previous)

function indexOf(read: ReadDocuments, options: SearchIndexOptions): SearchIndex {
  const { documents } = read
  const { lexicon } = read
  const postings = compile(read.terms, lexicon.size())
  const { starts } = postings.byTerm
  const frequency = (term: number): number => (starts[term + 1] ?? 0) - (starts[term] ?? 0)
  const setting = { lexicon, synonyms: synonymsOf(options.synonyms), frequency, postingsMax }
  const scoreOf = scorer(postings)
  const answersOf = answerer(postings)
  const names = exactNames(documents, read.keys)
  const askedOf = remembered((query) => queryTerms(query, setting))

  const partsOf = (query: string): readonly ScoredPart[] => {
    const parts = clausesOf(query)
    const ofPart = { ...setting, postingsMax: Math.floor(postingsMax / Math.max(1, parts.length)) }
    return parts.map((text) => ({ text, scores: scoreOf(queryTerms(text, ofPart)) }))
  }
  const scores = (query: string): Float64Array => {
    const found = withParts(scoreOf(askedOf(query)), partsOf(query))
    for (const position of names.inQuery(query)) if (found[position] === 0) found[position] = scoreOfName
    return found
  }
  const ordered = (query: string, given: Float64Array, limit: number): Ordered => {
    const exact = names.inQuery(query).filter((position) => (given[position] ?? 0) > 0)
    const { positions, total } = topPositions(given, documents, Math.max(limit, pool) + exact.length)
    const others = positions.filter((position) => !exact.includes(position))
    const candidates = others.slice(0, pool)
    const picked = diverse(candidates, given, answersOf(candidates, askedOf(query)), limit)
    const rest = others.slice(pool)
    return { exact, picked: [...exact.map(whole), ...picked, ...rest.map(whole)].slice(0, Math.max(0, limit)), total }
  }
  const rankScores = (query: string, given: Float64Array, limit: number): Ranking => {
    const { exact, picked, total } = ordered(query, given, limit)
    const hits = picked.flatMap(({ position }): Hit[] => {
      const document = documents[position]
      return document === undefined ? [] : [{ document, score: given[position] ?? 0, exact: exact.includes(position) }]
    })
    const best = total === 0 ? undefined : (picked[0] ?? ordered(query, given, 1).picked[0])?.position
    return { hits, total, strength: strengthOf(best, exact.length > 0, askedOf(query), postings) }
  }
  const explain = (query: string, name: string): Explanation | undefined => {
    const position = documents.findIndex((document) => document.name === name)
    const document = documents[position]
    if (document === undefined) return undefined
    const given = scores(query)
    const { exact, picked } = ordered(query, given, documents.length)
    const place = picked.findIndex((each) => each.position === position)
    const clause = bestFor(position, partsOf(query))
    return {
      name,
      rank: place < 0 ? undefined : place + 1,
      score: given[position] ?? 0,
      exact: exact.includes(position),
      ...explainWords(document, position, askedOf(query), { postings, lexicon, answersOf }),
      diversity: picked[place]?.left ?? 1,
      ...(clause === undefined ? {} : { clause }),
    }
  }
  const index: SearchIndex = Object.freeze({
    documents,
    rank: (query: string, limit: number) => rankScores(query, scores(query), limit),
    scores,
    rankScores,
    explain,
    named: names.find,
    holding: nameHolders(documents, { lexicon, postings }),
  })
  kept.set(index, read)
  return index
}

/** What an index read of its documents, for the next one; not part of what it offers. */
const kept = new WeakMap<SearchIndex, ReadDocuments>()

interface Ordered {
  /** Documents that the query names. */
  readonly exact: readonly number[]
  readonly picked: readonly Picked[]
  readonly total: number
}

const whole = (position: number): Picked => ({ position, left: 1 })

/** A clause of a long query, and what each document scores for it alone. */
interface ScoredPart {
  readonly text: string
  readonly scores: Float64Array
}

/** Clauses that a long query is searched by besides; `[]` for one that is short or has no more than one. */
function clausesOf(query: string): readonly string[] {
  if (query.length < weights.clauseCharsMin) return []
  const found = clauses(query).filter((clause) => weightyWords(clause).length >= 2)
  return found.length < 2 ? [] : found
}

/** The whole query and its best clause, each measured against its own best document. */
function withParts(ofWhole: Float64Array, parts: readonly ScoredPart[]): Float64Array {
  if (parts.length === 0) return ofWhole
  const best = new Float64Array(ofWhole.length)
  for (const { scores } of parts) {
    const most = largest(scores) || 1
    for (let at = 0; at < best.length; at++) best[at] = Math.max(best[at] ?? 0, (scores[at] ?? 0) / most)
  }
  const most = largest(ofWhole) || 1
  return ofWhole.map((score, at) => score / most + weights.clause * (best[at] ?? 0))
}

function largest(values: Float64Array): number {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most
}

/** The clause that a document answers best, measured as in the ranking; undefined when it answers none. */
function bestFor(position: number, parts: readonly ScoredPart[]): string | undefined {
  let best: string | undefined
  let most = 0
  for (const { text, scores } of parts) {
    const share = (scores[position] ?? 0) / (largest(scores) || 1)
    if (share <= most) continue
    best = text
    most = share
  }
  return best
}

/** Keeps the last answer: a query is read once for its scores and once for their order. */
function remembered(read: (query: string) => readonly Asked[]): (query: string) => readonly Asked[] {
  let last: { readonly query: string; readonly asked: readonly Asked[] } | undefined
  return (query) => {
    if (last?.query !== query) last = { query, asked: read(query) }
    return last.asked
  }
}
