// BM25F over the postings, with a bonus for names that the query covers.

import { inName, type Postings } from './postings.ts'
import type { Asked, Way } from './query-terms.ts'
import { weights } from './weights.ts'

/** One score for each document: what it answers of a query. 0 for a document that holds none of its terms. */
export type Scorer = (asked: readonly Asked[]) => Float64Array

/** Makes the scorer of an index; the arrays that it works with are made once. */
export function scorer(postings: Postings): Scorer {
  const { size, nameIdf } = postings
  const { starts, others, gains, places } = postings.byTerm
  const covered = new Float64Array(size)
  // What the word at hand gave a document so far, and for which word that was noted.
  const given = new Float64Array(size)
  const givenName = new Float64Array(size)
  const notedFor = new Int32Array(size)
  return (asked) => {
    const scores = new Float64Array(size)
    covered.fill(0)
    notedFor.fill(-1)
    asked.forEach((one, number) => {
      for (const way of one.ways) {
        const worth = worthOf(one, way, postings)
        const worthOfName = Math.min(worth, worth / one.weight)
        const end = starts[way.term + 1] ?? 0
        for (let at = starts[way.term] ?? 0; at < end; at++) {
          const document = others[at] ?? 0
          const isFirst = notedFor[document] !== number
          const before = isFirst ? 0 : (given[document] ?? 0)
          const gain = worth * (gains[at] ?? 0)
          const now = isFirst ? gain : together(before, gain)
          notedFor[document] = number
          given[document] = now
          scores[document] = (scores[document] ?? 0) + now - before
          const beforeName = isFirst ? 0 : (givenName[document] ?? 0)
          const isNew = ((places[at] ?? 0) & inName) !== 0 && worthOfName > beforeName
          if (isNew) covered[document] = (covered[document] ?? 0) + worthOfName - beforeName
          if (isFirst || isNew) givenName[document] = isNew ? worthOfName : 0
        }
      }
    })
    for (let document = 0; document < size; document++) {
      const part = covered[document] ?? 0
      if (part > 0) scores[document] = (scores[document] ?? 0) * nameBonus(part / (nameIdf[document] || 1))
    }
    return scores
  }
}

/** Two ways in which one word is answered: the better one counts whole, the other in part. */
export const together = (one: number, other: number): number =>
  one > other ? one + weights.otherWays * other : other + weights.otherWays * one

/**
 * What a word is worth by one of its ways: how telling the term is, but never more telling than the word that was asked.
 * A rare synonym of a common word would outweigh the word else.
 */
export function worthOf({ weight, ways }: Asked, { term, weight: share, by }: Way, { idf }: Postings): number {
  const telling = idf[term] ?? 0
  const itself = ways[0]?.by === 'itself' ? ways[0].term : undefined
  const isFree = itself === undefined || by === 'itself'
  return weight * share * (isFree ? telling : Math.min(telling, idf[itself] ?? telling))
}

/** What the score is multiplied by when this share of a name is covered. */
export const nameBonus = (share: number): number => 1 + weights.nameCover * Math.min(1, share)

/** The part of a name that a query covers, from 0 to 1. */
export function coveredName(position: number, asked: readonly Asked[], postings: Postings): number {
  const { starts, others, places } = postings.byDocument
  const own = new Set<number>()
  for (let at = starts[position] ?? 0; at < (starts[position + 1] ?? 0); at++)
    if (((places[at] ?? 0) & inName) !== 0) own.add(others[at] ?? -1)
  let covered = 0
  for (const one of asked) {
    const worths = one.ways.filter(({ term }) => own.has(term)).map((way) => worthOf(one, way, postings))
    covered += Math.max(0, ...worths.map((worth) => Math.min(worth, worth / one.weight)))
  }
  return Math.min(1, covered / (postings.nameIdf[position] || 1))
}
