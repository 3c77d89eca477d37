// What a query asks for: its words, and for each the terms of the index by which a document can answer it.

import type { Lexicon } from './lexicon.ts'
import { corrections, spellingWorkMax } from './spelling.ts'
import { stem } from './stem.ts'
import { queryStopWords } from './stop-words.ts'
import type { Synonyms } from './synonyms.ts'
import { weights } from './weights.ts'
import { brandWords, words } from './words.ts'

/**
 * How a term answers a word. itself: it is the word, or a form of it. root: both come from one word. synonym: it stands
 * for the word in the table. spelling: the word may be a misspelling of it. compound: it is the word joined with its
 * neighbour, or a half of it.
 */
export type MatchedBy = 'itself' | 'root' | 'synonym' | 'spelling' | 'compound'

export interface Way {
  readonly term: number
  /** Of 1 for the word itself. */
  readonly weight: number
  readonly by: MatchedBy
}

export interface Asked {
  /** As it stands in the query, in lower case; two words for a compound. */
  readonly word: string
  /** More than 1 for a word that is repeated. */
  readonly weight: number
  /** False for what is only another reading of words that are asked already. */
  readonly isWord: boolean
  /** Terms by which it can be answered; the word itself first. `[]`: no document can. */
  readonly ways: readonly Way[]
}

export interface QuerySetting {
  readonly lexicon: Lexicon
  readonly synonyms: Synonyms
  /** How many documents hold a term. */
  readonly frequency: (term: number) => number
  /** Most documents that are gone through for all terms together. */
  readonly postingsMax: number
}

const queryChars = 8000
const askedMax = 128
const kinMax = 12
const synonymsMax = 64
const splitCharsMin = 7
const halfCharsMin = 3

/** The words of a text that carry weight; all of them when none does. */
export function weightyWords(text: string): readonly string[] {
  const all = words(text, queryChars)
  const weighty = all.filter((word) => !queryStopWords.has(word))
  return weighty.length > 0 ? weighty : all
}

/** Reads a query. Bounded in words, in ways for each, and in comparisons of spelling. */
export function queryTerms(text: string, setting: QuerySetting): readonly Asked[] {
  const { lexicon, synonyms, frequency } = setting
  const live = (term: number): number => (term >= 0 && frequency(term) > 0 ? term : -1)
  const find = (word: string): number => live(lexicon.find(word))
  const read = [...weightyWords(text), ...brandWords(text, queryChars).filter((word) => find(word) >= 0)]
  const counted = new Map<string, { readonly word: string; readonly own: number; times: number }>()
  for (const word of read) {
    const key = stem(word)
    const known = counted.get(key)
    if (known !== undefined) known.times += 1
    else if (counted.size < askedMax) counted.set(key, { word, own: find(word), times: 1 })
  }
  const said = new Set([...counted.values()].map(({ own }) => own))
  const budget = { left: spellingWorkMax }
  const asked: Asked[] = []
  for (const [key, { word, own, times }] of counted) {
    const ways = new Map<number, Way>()
    const add = (term: number, weight: number, by: MatchedBy): void => {
      if (term < 0) return
      const worth = by !== 'itself' && said.has(term) ? weight * (1 - weights.saidAnyway) : weight
      if ((ways.get(term)?.weight ?? 0) < worth) ways.set(term, { term, weight: worth, by })
    }
    add(own, 1, 'itself')
    for (const term of kinOf(key, setting)) add(term, weights.sameRoot, 'root')
    for (const { stem: other, weight } of synonyms(key).slice(0, synonymsMax))
      add(live(lexicon.findStem(other)), weight, 'synonym')
    if (own < 0) {
      for (const { term, likeness } of corrections(word, lexicon, frequency, budget))
        add(term, likeness * weights.spelling, 'spelling')
      for (const term of halvesOf(word, find)) add(term, weights.compound, 'compound')
    }
    asked.push({ word, weight: 1 + Math.log(times), isWord: true, ways: [...ways.values()] })
  }
  return affordable([...asked, ...joined(read, find)], setting)
}

/** Leaves ways out when they are too costly together: first those of the last words, and the words themselves last of all. */
function affordable(asked: readonly Asked[], { frequency, postingsMax }: QuerySetting): readonly Asked[] {
  const costOf = (ways: readonly Way[]): number => ways.reduce((sum, { term }) => sum + frequency(term), 0)
  let cost = asked.reduce((sum, { ways }) => sum + costOf(ways), 0)
  if (cost <= postingsMax) return asked
  const kept = asked.map(({ ways }) => [...ways])
  for (const least of [1, 0]) {
    for (const ways of kept.toReversed()) {
      while (cost > postingsMax && ways.length > least) cost -= costOf(ways.splice(-1))
    }
  }
  return asked.map((one, at) => ({ ...one, ways: kept[at] ?? [] }))
}

/** Terms of the same root that documents hold. Their order does not depend on when they were read. */
function kinOf(key: string, { lexicon, frequency }: QuerySetting): readonly number[] {
  const live = lexicon.kin(key).filter((term) => frequency(term) > 0)
  if (live.length < 2) return live
  return live
    .sort((a, b) => frequency(b) - frequency(a) || (lexicon.stem(a) < lexicon.stem(b) ? -1 : 1))
    .slice(0, kinMax)
}

/** Neighbours that documents write as one word: `work book` for `workbook`. */
function joined(read: readonly string[], find: (word: string) => number): readonly Asked[] {
  const found = new Map<string, Asked>()
  for (let at = 0; at + 1 < read.length && found.size < askedMax; at++) {
    const [first = '', second = ''] = read.slice(at, at + 2)
    const term = find(first + second)
    if (term < 0) continue
    const ways: readonly Way[] = [{ term, weight: weights.compound, by: 'compound' }]
    found.set(first + second, { word: `${first} ${second}`, weight: 1, isWord: false, ways })
  }
  return [...found.values()]
}

/** The halves of a long word, when documents hold both: the first such cut. */
function halvesOf(word: string, find: (word: string) => number): readonly number[] {
  if (word.length < splitCharsMin) return []
  for (let cut = halfCharsMin; cut <= word.length - halfCharsMin; cut++) {
    const first = find(word.slice(0, cut))
    const second = first < 0 ? -1 : find(word.slice(cut))
    if (second >= 0) return [first, second]
  }
  return []
}
