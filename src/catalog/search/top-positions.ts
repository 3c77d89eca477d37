import type { SearchDocument } from './search-document.ts'

/** Up to here the best are kept in order one by one; a longer list is sorted as a whole. */
const insertedMax = 100

/**
 * Positions of the highest scores above 0, at most `count`, and how many there are in all. Equal scores stand by
 * priority, then in the order of documents.
 */
export function topPositions(
  scores: Float64Array,
  documents: readonly SearchDocument[],
  count: number,
): { readonly positions: readonly number[]; readonly total: number } {
  const priority = (at: number): number => documents[at]?.priority ?? 0
  const compare = (a: number, b: number): number =>
    (scores[b] ?? 0) - (scores[a] ?? 0) || priority(b) - priority(a) || a - b
  const best: number[] = []
  let total = 0
  let least = 0
  for (let at = 0; at < documents.length; at++) {
    const score = scores[at] ?? 0
    if (!(score > 0)) continue
    total += 1
    if (count > insertedMax) best.push(at)
    else if (score >= least) {
      insert(best, at, compare)
      if (best.length > count) best.pop()
      if (best.length === count) least = scores[best[count - 1] ?? 0] ?? 0
    }
  }
  return { positions: count > insertedMax ? best.sort(compare).slice(0, count) : best, total }
}

/** Puts an item into its place in a sorted list. */
function insert(sorted: number[], item: number, compare: (a: number, b: number) => number): void {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (compare(item, sorted[middle] ?? 0) < 0) to = middle
    else from = middle + 1
  }
  sorted.splice(from, 0, item)
}
