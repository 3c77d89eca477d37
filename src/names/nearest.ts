// "Did you mean": the known names nearest to one that is not known.

import { distance } from 'fastest-levenshtein'
import { foldName } from '../core/json.ts'

/**
 * The known names that a person may have meant, nearest first, at most `count`. Separators and letter case do
 * not count, a shared beginning or word counts in favour; names too far away are not offered.
 */
export function nearest(word: string, known: Iterable<string>, count = 3): string[] {
  const wanted = bare(word)
  if (wanted === '') return []
  const scored: { name: string; score: number }[] = []
  for (const name of new Set(known)) {
    const other = bare(name)
    if (other === '') continue
    const longer = Math.max(wanted.length, other.length)
    const edits = isSwap(wanted, other) ? 1 : distance(wanted, other)
    const holds = other.includes(wanted) || wanted.includes(other)
    const score = Math.min(edits / longer, holds ? 0.25 + Math.abs(wanted.length - other.length) / (4 * longer) : 1)
    if (score <= 0.45) scored.push({ name, score })
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
  return scored.slice(0, count).map((entry) => entry.name)
}

const bare = (name: string): string => foldName(name.slice(0, 200)).replace(/[^\p{L}\p{N}]/gu, '')

/** Two neighbours that changed places: the commonest slip, which a plain edit distance counts twice. */
function isSwap(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2)
}
