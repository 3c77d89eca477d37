// Several needs in one query: what a hit that was picked already answers counts a little less for the next.

import { inName, type Postings } from './postings.ts'
import type { Asked } from './query-terms.ts'
import { together, worthOf } from './score.ts'
import { weights } from './weights.ts'

/** What some documents answer of each asked word. */
export interface Answers {
  /** For each document: its part of the score by asked word, before the bonus for its name. */
  readonly parts: readonly Float64Array[]
  /** For each document: 1 at asked words that its name answers. */
  readonly named: readonly Uint8Array[]
}

/** Looks up, by their own terms, what some documents answer of a query. */
export type Answerer = (positions: readonly number[], asked: readonly Asked[]) => Answers

/** Makes the look-up of an index; the array that it works with is made once. */
export function answerer(postings: Postings): Answerer {
  const { starts, others, gains, places } = postings.byDocument
  // For each term of the index 1 + the place of its uses in the query at hand; 0: none.
  const placeOf = new Int32Array(postings.idf.length)
  return (positions, asked) => {
    const uses = usesOf(asked, postings)
    uses.forEach(({ term }, at) => {
      placeOf[term] = at + 1
    })
    const parts = positions.map(() => new Float64Array(asked.length))
    const named = positions.map(() => new Uint8Array(asked.length))
    positions.forEach((document, row) => {
      const own = parts[row] ?? noParts
      const names = named[row] ?? noNames
      const end = starts[document + 1] ?? 0
      for (let at = starts[document] ?? 0; at < end; at++) {
        const place = placeOf[others[at] ?? 0] ?? 0
        if (place === 0) continue
        const isInName = ((places[at] ?? 0) & inName) !== 0
        for (const { word, worth } of uses[place - 1]?.uses ?? []) {
          own[word] = together(own[word] ?? 0, worth * (gains[at] ?? 0))
          if (isInName) names[word] = 1
        }
      }
    })
    for (const { term } of uses) placeOf[term] = 0
    return { parts, named }
  }
}

const noParts = new Float64Array(0)
const noNames = new Uint8Array(0)

interface UsesOfTerm {
  readonly term: number
  /** The asked words that it answers, by position. */
  readonly uses: { readonly word: number; readonly worth: number }[]
}

function usesOf(asked: readonly Asked[], postings: Postings): readonly UsesOfTerm[] {
  const byTerm = new Map<number, UsesOfTerm>()
  asked.forEach((one, word) => {
    for (const way of one.ways) {
      const known = byTerm.get(way.term) ?? { term: way.term, uses: [] }
      if (known.uses.length === 0) byTerm.set(way.term, known)
      known.uses.push({ word, worth: worthOf(one, way, postings) })
    }
  })
  return [...byTerm.values()]
}

export interface Picked {
  readonly position: number
  /** What was left of the score when it was picked, from 0 to 1. */
  readonly left: number
}

/**
 * Puts candidates (best first) into the order in which they are told, the first `count` of them. Each time one is picked, the words that its name
 * answers count `weights.again` of what they did, for all that come after.
 */
export function diverse(
  candidates: readonly number[],
  scores: Float64Array,
  { parts, named }: Answers,
  count: number,
): Picked[] {
  const full = parts.map((row) => row.reduce((sum, part) => sum + part, 0))
  const remaining = full.slice()
  // What the words do not account for (the bonus of a name, a likeness of meaning) goes along in proportion.
  const leftOf = (row: number): number => ((full[row] ?? 0) > 0 ? (remaining[row] ?? 0) / (full[row] ?? 1) : 1)
  const factors = new Float64Array(parts[0]?.length ?? 0).fill(1)
  const open = candidates.map((position, row) => ({ position, row, score: scores[position] ?? 0 }))
  const picked: Picked[] = []
  while (open.length > 0 && picked.length < count) {
    let best = 0
    let bestScore = Number.NEGATIVE_INFINITY
    for (let at = 0; at < open.length; at++) {
      const candidate = open[at]
      // What is left only shrinks: whoever has less in full has no chance any more, and candidates stand by that.
      if (candidate === undefined || candidate.score <= bestScore) break
      const now = candidate.score * leftOf(candidate.row)
      if (now > bestScore) {
        best = at
        bestScore = now
      }
    }
    const [winner] = open.splice(best, 1)
    if (winner === undefined) break
    picked.push({ position: winner.position, left: leftOf(winner.row) })
    const names = named[winner.row]
    for (let word = 0; word < factors.length; word++) {
      if (names?.[word] !== 1) continue
      const lost = (factors[word] ?? 1) * (1 - weights.again)
      factors[word] = (factors[word] ?? 1) - lost
      for (const { row } of open) remaining[row] = (remaining[row] ?? 0) - lost * (parts[row]?.[word] ?? 0)
    }
  }
  return picked
}
