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
  const before = (a: number, b: number): number =>
    (scores[b] ?? 0) - (scores[a] ?? 0) || (documents[b]?.priority ?? 0) - (documents[a]?.priority ?? 0) || a - b
  if (count > insertedMax) {
    const all: number[] = []
    for (let at = 0; at < documents.length; at++) if ((scores[at] ?? 0) > 0) all.push(at)
    return { positions: all.sort(before).slice(0, count), total: all.length }
  }
  const best: number[] = []
  let total = 0
  for (let at = 0; at < documents.length; at++) {
    const value = scores[at] ?? 0
    if (!(value > 0)) continue
    total += 1
    const last = best[count - 1]
    if (last !== undefined) {
      if (value < (scores[last] ?? 0) || before(at, last) >= 0) continue
      best.pop()
    }
    let to = best.length
    while (to > 0 && before(at, best[to - 1] ?? 0) < 0) to--
    best.splice(to, 0, at)
  }
  return { positions: best, total }
}
