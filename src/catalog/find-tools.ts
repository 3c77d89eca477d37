// What a query to `tool_search` finds: the answer as data, whoever asks. Every form goes through the one index.

import { nearest } from '../names/nearest.ts'
import { parseQuery, type Query, type QueryFault } from './query.ts'
import { patternSearch, type SearchPattern } from './search/pattern-search.ts'
import type { SearchDocument } from './search/search-document.ts'
import type { Hit, Ranking, SearchIndex } from './search/search-index.ts'
import type { Strength } from './search/strength.ts'

export interface FindOptions {
  /** Most tools that are found by a ranked form. Absent: 5. */
  readonly maxResults?: number
  /** Most hits after those. Absent: 15. */
  readonly moreMax?: number
  /** Longest query. Absent: 200. */
  readonly charsMax?: number
  /**
   * Adds other evidence (likeness of meaning) to the scores of the words: one score for each document in, one out. It is
   * asked once, for the text that ranks. Absent: words alone.
   */
  readonly fuse?: (text: string, scores: Float64Array) => Float64Array
}

export type Found = FoundNothing | FoundBySelect | FoundByRank | QueryFault

/** Nothing was asked. */
export interface FoundNothing {
  readonly kind: 'empty'
  readonly found: readonly []
}

export interface FoundBySelect {
  readonly kind: 'select'
  /** In the order asked, each once, all of them. */
  readonly found: readonly SearchDocument[]
  /** Names that no tool bears, as asked, with the surface names nearest to each. */
  readonly unknown: readonly { readonly asked: string; readonly nearest: readonly string[] }[]
  /** Names that several tools bear, with the surface names of those. */
  readonly ambiguous: readonly { readonly asked: string; readonly names: readonly string[] }[]
}

export interface FoundByRank {
  readonly kind: 'ranked'
  readonly by: 'words' | 'require' | 'pattern'
  /** The best, at most `maxResults`. */
  readonly found: readonly SearchDocument[]
  /** What comes after them, at most `moreMax`. */
  readonly more: readonly SearchDocument[]
  /** How many match at all. */
  readonly total: number
  readonly strength: Strength
  /** `found` and `more` with their scores. */
  readonly hits: readonly Hit[]
  /** No tool has all required words; the ranking is that of the same words without the requirement. */
  readonly relaxed: boolean
  /** A pattern was not looked for in all texts: it is too costly. */
  readonly incomplete: boolean
}

/** Answers a query from an index. Total: any text gives an answer. Pure: the same text gives the same one. */
export function findTools(index: SearchIndex, text: unknown, options: FindOptions = {}): Found {
  const query = parseQuery(text, { charsMax: options.charsMax })
  switch (query.kind) {
    case 'fault':
      return query
    case 'empty':
      return { kind: 'empty', found: [] }
    case 'select':
      return select(index, query.names)
    case 'words':
      return { ...told(ranked(index, query.text, options), options), by: 'words' }
    case 'require':
      return requiring(index, query, options)
    case 'pattern':
      return { ...matching(index, query.pattern, options), by: 'pattern' }
  }
}

type Required = Extract<Query, { readonly kind: 'require' }>

const foundMax = ({ maxResults = 5 }: FindOptions): number => Math.max(0, Math.floor(maxResults))
const allMax = (options: FindOptions): number => foundMax(options) + Math.max(0, Math.floor(options.moreMax ?? 15))

function told({ hits, total, strength }: Ranking, options: FindOptions): FoundByRank {
  const documents = hits.map(({ document }) => document)
  return {
    kind: 'ranked',
    by: 'words',
    found: documents.slice(0, foundMax(options)),
    more: documents.slice(foundMax(options)),
    total,
    strength,
    hits,
    relaxed: false,
    incomplete: false,
  }
}

const ranked = (index: SearchIndex, text: string, options: FindOptions): Ranking =>
  index.rankScores(text, fused(index, text, options), allMax(options))

function fused(index: SearchIndex, text: string, { fuse }: FindOptions): Float64Array {
  const scores = index.scores(text)
  return fuse === undefined ? scores : fuse(text, scores)
}

/** Unknown names for which the nearest are looked up. */
const nearestFor = 10
/** A catalog of this size is compared name by name; of a larger one, what the search finds for the words of the name. */
const smallCatalog = 300

function select(index: SearchIndex, names: readonly string[]): FoundBySelect {
  const found = new Set<number>()
  const unknown: { asked: string; nearest: readonly string[] }[] = []
  const ambiguous: { asked: string; names: readonly string[] }[] = []
  const nameAt = (position: number): string => index.documents[position]?.name ?? ''
  for (const asked of names) {
    const named = index.named(asked, true)
    if (named.kind === 'one') found.add(named.position)
    else if (named.kind === 'several') ambiguous.push({ asked, names: named.positions.map(nameAt) })
    else unknown.push({ asked, nearest: unknown.length < nearestFor ? nearestNames(index, asked) : [] })
  }
  const documents = [...found].flatMap((position) => index.documents[position] ?? [])
  return { kind: 'select', found: documents, unknown, ambiguous }
}

function nearestNames(index: SearchIndex, asked: string): readonly string[] {
  const inOtherCase = index.named(asked, false)
  const first =
    inOtherCase.kind === 'one' ? [inOtherCase.position] : inOtherCase.kind === 'several' ? inOtherCase.positions : []
  const candidates =
    index.documents.length <= smallCatalog
      ? index.documents
      : index.rank(asked, 50).hits.map(({ document }) => document)
  const wanted = nearest(
    asked,
    candidates.map(({ name }) => name),
  )
  const names = [...first.map((position) => index.documents[position]?.name ?? ''), ...wanted]
  return [...new Set(names)].slice(0, 3)
}

/** What the required words count where the rest ranks: they put into order what the rest leaves open. */
const byRequiredShare = 0.1
const survivorScore = 1e-6

function requiring(index: SearchIndex, { required, rest }: Required, options: FindOptions): FoundByRank {
  const text = [...required, rest].join(' ').trim()
  const survives = index.holding(required)
  if (!survives.includes(true)) return { ...told(ranked(index, text, options), options), by: 'require', relaxed: true }
  const ranking = rest === '' ? text : rest
  const byRest = normalised(fused(index, ranking, options))
  const byRequired = normalised(index.scores(required.join(' ')))
  const scores = byRest.map((score, at) =>
    survives[at] === true ? score + byRequiredShare * (byRequired[at] ?? 0) + survivorScore : 0,
  )
  return { ...told(index.rankScores(text, scores, allMax(options)), options), by: 'require' }
}

function normalised(scores: Float64Array): Float64Array {
  let most = 0
  for (const score of scores) if (score > most) most = score
  return most === 0 ? scores : scores.map((score) => score / most)
}

function matching(index: SearchIndex, pattern: SearchPattern, options: FindOptions): FoundByRank {
  const { positions, incomplete } = patternSearch(index.documents, pattern)
  const hits = positions.slice(0, allMax(options)).flatMap((position): Hit[] => {
    const document = index.documents[position]
    return document === undefined ? [] : [{ document, score: 1, exact: false }]
  })
  const strength: Strength = hits.length === 0 ? 'none' : 'good'
  return { ...told({ hits, total: positions.length, strength }, options), incomplete }
}
