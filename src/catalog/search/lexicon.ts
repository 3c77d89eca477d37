// All words that were read, and the term that each stands for. It only grows, so that what was read of a document holds
// for the next index as well; an index keeps how often each term occurs in its own documents.

import { root, stem } from './stem.ts'

export interface Lexicon {
  /** Id of the term of a word; a new word enters. */
  readonly add: (word: string) => number
  /** Id of the term of a word; -1 for a word whose term was never read. */
  readonly find: (word: string) => number
  /** Id of a term by its stem; -1 for one that was never read. */
  readonly findStem: (stem: string) => number
  /** The stem of a term. */
  readonly stem: (term: number) => string
  /** Number of terms. */
  readonly size: () => number
  /** Words as they were read that have this first character and this length. */
  readonly alike: (first: string, length: number) => Alike | undefined
  /** Ids of terms that have their root in common with a stem, itself among them. */
  readonly kin: (stem: string) => readonly number[]
}

/** Words of one first character and one length, with the ids of their terms and the letters that each holds. */
export interface Alike {
  readonly words: readonly string[]
  readonly terms: readonly number[]
  readonly letters: readonly number[]
}

/** Shorter words are never taken for a misspelling of one another. */
const alikeCharsMin = 4

export function lexicon(): Lexicon {
  const termOfWord = new Map<string, number>()
  const termOfStem = new Map<string, number>()
  const stems: string[] = []
  const alikes = new Map<string, { words: string[]; terms: number[]; letters: number[] }>()
  const kin = new Map<string, number[]>()
  const enterStem = (text: string): number => {
    const term = stems.length
    stems.push(text)
    termOfStem.set(text, term)
    pushTo(kin, root(text), term)
    return term
  }
  const enter = (word: string): number => {
    const text = stem(word)
    const term = termOfStem.get(text) ?? enterStem(text)
    termOfWord.set(word, term)
    const letters = lettersOf(word)
    if (letters === 0 || word.length < alikeCharsMin) return term
    const key = `${word.charAt(0)}${word.length}`
    const alike = alikes.get(key) ?? { words: [], terms: [], letters: [] }
    if (alike.words.length === 0) alikes.set(key, alike)
    alike.words.push(word)
    alike.terms.push(term)
    alike.letters.push(letters)
    return term
  }
  return {
    add: (word) => termOfWord.get(word) ?? enter(word),
    find: (word) => termOfWord.get(word) ?? termOfStem.get(stem(word)) ?? -1,
    findStem: (text) => termOfStem.get(text) ?? -1,
    stem: (term) => stems[term] ?? '',
    size: () => stems.length,
    alike: (first, length) => alikes.get(`${first}${length}`),
    kin: (text) => kin.get(root(text)) ?? [],
  }
}

function pushTo(lists: Map<string, number[]>, key: string, value: number): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else known.push(value)
}

/** One bit for each letter that a word holds; 0 when it holds anything but a to z. */
export function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - 97
    if (letter < 0 || letter > 25) return 0
    letters |= 1 << letter
  }
  return letters
}
