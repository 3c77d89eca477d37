// A word that no document holds may be a misspelling of one that some do.

import { type Alike, type Lexicon, lettersOf } from './lexicon.ts'

export interface Correction {
  /** Id of the term of the word that was probably meant. */
  readonly term: number
  readonly word: string
  /** 1 for one slip, less for two. */
  readonly likeness: number
}

/** Shorter words have too many neighbours: a correction would more often be wrong than right. */
const charsMin = 5
/** From here on two slips are allowed. */
const charsOfTwo = 8
const correctionsMax = 3
const likenessOfTwo = 0.6
/** Work of one query, whatever the catalog holds: a unit for each word that is looked at, more for one that is compared. */
export const spellingWorkMax = 500_000
const workOfComparison = 25

/**
 * Words like an unknown one: one slip away (a letter more, less, other, or two neighbours swapped), two for long words;
 * the first letter is taken to be right. Best first, at most three. `frequency` says how many documents hold a term: 0
 * leaves it out. `budget.left` is lowered by what was done; at 0 nothing more is looked at.
 */
export function corrections(
  word: string,
  lexicon: Lexicon,
  frequency: (term: number) => number,
  budget: { left: number },
): readonly Correction[] {
  const letters = lettersOf(word)
  if (word.length < charsMin || letters === 0) return []
  const slipsMax = word.length >= charsOfTwo ? 2 : 1
  const found = new Map<number, Correction & { readonly slips: number }>()
  const compare = (bucket: Alike): void => {
    for (let at = 0; at < bucket.words.length && budget.left > 0; at++) {
      budget.left -= 1
      // A slip changes two letters of the set at most.
      if (bitsOf((bucket.letters[at] ?? 0) ^ letters) > 2 * slipsMax) continue
      const term = bucket.terms[at] ?? 0
      if (frequency(term) === 0) continue
      budget.left -= workOfComparison
      const other = bucket.words[at] ?? ''
      const slips = distance(word, other, slipsMax)
      if (slips > slipsMax) continue
      const known = found.get(term)
      if (known !== undefined && (known.slips < slips || (known.slips === slips && known.word <= other))) continue
      found.set(term, { term, word: other, slips, likeness: slips <= 1 ? 1 : likenessOfTwo })
    }
  }
  for (let length = word.length - slipsMax; length <= word.length + slipsMax; length++) {
    const bucket = lexicon.alike(word.charAt(0), length)
    if (bucket !== undefined) compare(bucket)
  }
  return [...found.values()]
    .sort((a, b) => a.slips - b.slips || frequency(b.term) - frequency(a.term) || (a.word < b.word ? -1 : 1))
    .slice(0, correctionsMax)
}

function bitsOf(set: number): number {
  let bits = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) bits += 1
  return bits
}

/** Slips between two words, two swapped neighbours counted as one; anything above `most` once it is passed. */
export function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before = new Array<number>(other.length + 1).fill(0)
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    let least = at
    for (let to = 1; to <= other.length; to++) {
      const same = one.charCodeAt(at - 1) === other.charCodeAt(to - 1)
      let slips = Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (same ? 0 : 1))
      const swapped =
        at > 1 &&
        to > 1 &&
        one.charCodeAt(at - 1) === other.charCodeAt(to - 2) &&
        one.charCodeAt(at - 2) === other.charCodeAt(to - 1)
      if (swapped) slips = Math.min(slips, (before[to - 2] ?? 0) + 1)
      next.push(slips)
      if (slips < least) least = slips
    }
    if (least > most) return most + 1
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
