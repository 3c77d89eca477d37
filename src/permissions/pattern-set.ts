// Many patterns against many names, each name read once.
//
//   names without wildcard   a Map
//   the rest                 an automaton over the longest literal piece of each pattern (Aho-Corasick); only where
//                            that piece occurs is the whole pattern tried
//
// So five hundred rules cost a name hardly more than five do.

import { anyRun, type Glob, globOf, hasWildcard, matchesGlob, oneChar } from './glob.ts'

export interface PatternEntry {
  /** With the wildcards of `glob.ts`, folded already where folding is wanted. */
  readonly pattern: string
  readonly item: number
}

/**
 * Calls `hit` for each pattern that covers the text, or the ending of the text that is given with it (a tool's own
 * name behind its server's; so both are read in one walk). The same item may be hit more than once.
 */
export type PatternSet = (text: string, hit: (item: number) => void, ending?: string) => void

/** Makes the set ready. The same entries in another order give the same hits. */
export function patternSet(entries: readonly PatternEntry[]): PatternSet {
  const exact = new Map<string, number[]>()
  const wild: Wild[] = []
  for (const { pattern, item } of entries) {
    if (hasWildcard(pattern)) {
      wild.push({ glob: globOf(pattern), key: keyOf(pattern), item })
    } else {
      const items = exact.get(pattern)
      if (items === undefined) exact.set(pattern, [item])
      else items.push(item)
    }
  }
  const keyless = wild.filter(({ key }) => key === '')
  const keyed = wild.filter(({ key }) => key !== '')
  const scan = keyed.length > scanFrom ? automaton(keyed.map(({ key }) => key)) : undefined

  return (text, hit, ending) => {
    for (const item of exact.get(text) ?? none) hit(item)
    if (ending !== undefined) for (const item of exact.get(ending) ?? none) hit(item)
    for (const entry of keyless) if (covers(entry.glob, text, ending)) hit(entry.item)
    if (scan === undefined) {
      for (const entry of keyed) if (covers(entry.glob, text, ending)) hit(entry.item)
      return
    }
    for (const index of scan(text)) {
      const entry = keyed[index]
      if (entry !== undefined && covers(entry.glob, text, ending)) hit(entry.item)
    }
  }
}

const covers = (glob: Glob, text: string, ending: string | undefined): boolean =>
  matchesGlob(glob, text) || (ending !== undefined && matchesGlob(glob, ending))

interface Wild {
  readonly glob: Glob
  readonly key: string
  readonly item: number
}

const none: readonly number[] = []

/** Below this many patterns, trying each is quicker than building an automaton. */
const scanFrom = 8
/** Longest key: longer ones hardly tell more apart, and cost table space. */
const keyCharsMax = 16

/** The longest literal piece of a pattern, of that the end (beginnings are what names have in common); '' when it has none. */
function keyOf(pattern: string): string {
  let longest = ''
  for (const run of pattern.split(anyRun)) {
    for (const piece of run.split(oneChar)) if (piece.length > longest.length) longest = piece
  }
  return longest.slice(-keyCharsMax)
}

/**
 * Finds every key in a text in one walk over it, and gives their indexes, to be read at once: the next walk fills the
 * same list.
 */
function automaton(keys: readonly string[]): (text: string) => readonly number[] {
  const letters = new Map<number, number>()
  for (const key of keys) {
    for (let at = 0; at < key.length; at++) {
      const code = key.charCodeAt(at)
      if (!letters.has(code)) letters.set(code, letters.size + 1)
    }
  }
  const width = letters.size + 1
  const statesMax = keys.reduce((sum, key) => sum + key.length, 1)
  const next = new Int32Array(statesMax * width)
  const ends: number[][] = [[]]
  keys.forEach((key, index) => {
    let state = 0
    for (let at = 0; at < key.length; at++) {
      const edge = state * width + (letters.get(key.charCodeAt(at)) ?? 0)
      let child = next[edge] ?? 0
      if (child === 0) {
        child = ends.length
        ends.push([])
        next[edge] = child
      }
      state = child
    }
    ends[state]?.push(index)
  })
  linkFailures(next, ends, width)

  const low = new Int32Array(128)
  for (const [code, letter] of letters) if (code < 128) low[code] = letter
  const someEnd = Uint8Array.from(ends, (list) => (list.length > 0 ? 1 : 0))
  const found: number[] = []
  return (text) => {
    found.length = 0
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const letter = (code < 128 ? low[code] : letters.get(code)) ?? 0
      state = letter === 0 ? 0 : (next[state * width + letter] ?? 0)
      if (someEnd[state] === 1) found.push(...(ends[state] ?? none))
    }
    return found
  }
}

/** Turns the trie into a table without dead ends: where no edge leads on, the longest suffix that is a beginning goes on. */
function linkFailures(next: Int32Array, ends: number[][], width: number): void {
  const failure = new Int32Array(ends.length)
  const queue: number[] = []
  for (let letter = 1; letter < width; letter++) {
    const child = next[letter] ?? 0
    if (child !== 0) queue.push(child)
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0
    const fallback = failure[state] ?? 0
    ends[state]?.push(...(ends[fallback] ?? none))
    for (let letter = 1; letter < width; letter++) {
      const edge = state * width + letter
      const child = next[edge] ?? 0
      const other = next[fallback * width + letter] ?? 0
      if (child === 0) {
        next[edge] = other
      } else {
        failure[child] = other
        queue.push(child)
      }
    }
  }
}
