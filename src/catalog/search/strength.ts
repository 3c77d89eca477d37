// How much of what was asked the best document covers. For the words of an answer only ("weak match"): hits are never
// withheld by it, since half of the good hits would go as well.

import type { Postings } from './postings.ts'
import type { Asked, MatchedBy } from './query-terms.ts'

/** exact: named. good: the best document covers most of the query's weight. weak: less. none: nothing matches. */
export type Strength = 'exact' | 'good' | 'weak' | 'none'

/** Share of the weight from which a match is good. */
const goodFrom = 0.5

const credit: { readonly [by in MatchedBy]: number } = {
  itself: 1,
  root: 0.8,
  compound: 0.8,
  spelling: 0.8,
  synonym: 0.6,
}

/** The part of the query's weight that a document covers, from 0 to 1. A word that no document holds weighs most. */
export function coveredShare(position: number, asked: readonly Asked[], postings: Postings): number {
  const { idf, idfMax, byDocument } = postings
  const own = new Set(byDocument.others.subarray(byDocument.starts[position], byDocument.starts[position + 1]))
  let all = 0
  let covered = 0
  for (const { ways, isWord } of asked) {
    if (!isWord) continue
    const weight = ways[0]?.by === 'itself' ? (idf[ways[0].term] ?? idfMax) : idfMax
    all += weight
    covered += weight * Math.max(0, ...ways.map(({ term, by }) => (own.has(term) ? credit[by] : 0)))
  }
  return all === 0 ? 0 : covered / all
}

/** `best`: position of the first hit; undefined when there is none. `isNamed`: the query is or holds its name. */
export function strengthOf(
  best: number | undefined,
  isNamed: boolean,
  asked: readonly Asked[],
  postings: Postings,
): Strength {
  if (best === undefined) return 'none'
  if (isNamed) return 'exact'
  return coveredShare(best, asked, postings) >= goodFrom ? 'good' : 'weak'
}
