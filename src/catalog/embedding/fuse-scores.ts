// Words and meaning as one score. The scores are added, not the ranks: ranks throw away by how much the best is
// better, and that margin is the best thing a word search knows. Reciprocal rank fusion lost on every set measured.

/** How many documents can be found by meaning alone: as many as an answer tells. */
const byMeaningMax = 20

export interface FusedScores {
  /** One a document, in the scale of the lexical scores; 0: not found. */
  readonly scores: Float64Array
  /** words: all documents are equally near. both: words and meaning. meaning: no word was found. */
  readonly by: 'words' | 'both' | 'meaning'
}

/**
 * lexical + weight · highest lexical · cosine, with the cosines of this query stretched to 0…1. Where no word was found
 * the highest lexical score counts as 1. A document without a word of the query is found if it is among the nearest
 * 20, which leaves the best 20 as if all were. Both arrays have one number a document; they are not changed.
 */
export function fuseScores(lexical: Float64Array, cosines: Float64Array, weight: number): FusedScores {
  let highest = 0
  for (const score of lexical) if (score > highest) highest = score
  let near = -Infinity
  let far = Infinity
  for (const cosine of cosines) {
    if (cosine > near) near = cosine
    if (cosine < far) far = cosine
  }
  const spread = near - far
  // Where all are equally near, nearness says nothing.
  if (!(spread > 0)) return { scores: lexical.slice(), by: 'words' }
  const factor = (weight * (highest || 1)) / spread
  const floor = kthLargest(cosines, byMeaningMax)
  const scores = lexical.map((score, at) => {
    const cosine = cosines[at] ?? far
    return score > 0 || cosine >= floor ? score + factor * (cosine - far) : score
  })
  return { scores, by: highest === 0 ? 'meaning' : 'both' }
}

/** The smallest of the `count` largest; with fewer numbers, the smallest of all. */
function kthLargest(numbers: Float64Array, count: number): number {
  const largest: number[] = []
  for (const number of numbers) {
    const last = largest[largest.length - 1]
    if (largest.length === count && last !== undefined && number <= last) continue
    let at = largest.length
    while (at > 0 && (largest[at - 1] ?? Infinity) < number) at--
    largest.splice(at, 0, number)
    if (largest.length > count) largest.pop()
  }
  return largest[largest.length - 1] ?? Infinity
}
