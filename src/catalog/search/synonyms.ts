// Words that stand for one another in what tools do and what people ask: the built-in table, and groups of somebody's own.

import { stem } from './stem.ts'
import { sameUse, sameWord } from './synonym-groups.ts'
import { thingsOfKinds } from './synonym-kinds.ts'
import { weights } from './weights.ts'

export interface Synonym {
  /** Stem of the other word. */
  readonly stem: string
  /** What a match by it counts, of 1 for the word itself. */
  readonly weight: number
}

/** Synonyms of a stem. `[]`: none. */
export type Synonyms = (stem: string) => readonly Synonym[]

const groupsMax = 1000
const groupWordsMax = 50
const groupCharsMax = 100
/** A word of a big group says less about each other word. */
const bigGroup = 6
const ofBigGroup = 0.7

type Table = Map<string, Map<string, number>>

/** The built-in table with configured groups on top. In a group every word stands for every other one. */
export function synonyms(configured: readonly (readonly string[])[] = []): Synonyms {
  const theirs = builtIn()
  if (configured.length === 0) return (word) => theirs.get(word) ?? []
  const own: Table = new Map()
  for (const group of configured.slice(0, groupsMax)) {
    const words = group.slice(0, groupWordsMax).map((word) => word.slice(0, groupCharsMax).toLowerCase())
    enterGroup(own, words, weights.configured)
  }
  return (word) => {
    const mine = own.get(word)
    const others = theirs.get(word) ?? []
    return mine === undefined ? others : [...listed(mine), ...others.filter((other) => !mine.has(other.stem))]
  }
}

let made: ReadonlyMap<string, readonly Synonym[]> | undefined

function builtIn(): ReadonlyMap<string, readonly Synonym[]> {
  if (made !== undefined) return made
  const table: Table = new Map()
  for (const group of sameWord) enterGroup(table, group, weights.sameWord)
  for (const group of sameUse) enterGroup(table, group, weights.alike * (group.length > bigGroup ? ofBigGroup : 1))
  for (const { things, kinds } of thingsOfKinds)
    for (const thing of things) for (const kind of kinds) enter(table, stem(thing), stem(kind), weights.kind)
  made = new Map([...table].map(([word, others]) => [word, listed(others)]))
  return made
}

function enterGroup(table: Table, group: readonly string[], weight: number): void {
  const stems = [...new Set(group.map(stem))]
  for (const one of stems) for (const other of stems) enter(table, one, other, weight)
}

function enter(table: Table, word: string, other: string, weight: number): void {
  if (word === other) return
  const known = table.get(word)
  if (known === undefined) table.set(word, new Map([[other, weight]]))
  else if ((known.get(other) ?? 0) < weight) known.set(other, weight)
}

const listed = (others: ReadonlyMap<string, number>): readonly Synonym[] =>
  [...others].map(([other, weight]) => ({ stem: other, weight }))
