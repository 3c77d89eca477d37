// Keywords of many tools, found in one pass over a message. Each word of it is asked how long the keywords are that
// begin with it, and what stands there is looked up at these lengths. So a message costs by its length and by what it
// hits, not by how many keywords there are.

import { isSign, pause, routingWords } from './routing-words.ts'

/** A tool as requests are routed to it. A catalog entry is one. */
export interface RoutableTool {
  /** Surface name. */
  readonly name: string
  readonly originalName: string
  /** `[]`: nothing is routed to it. */
  readonly keywords: readonly string[]
  readonly priority: number
}

/** A tool that a message is routed to, with all that put it where it stands. */
export interface RoutedTool {
  /** Surface name. */
  readonly name: string
  /** Its keywords that the message holds, as configured, in their order. */
  readonly keywords: readonly string[]
  readonly priority: number
  /** Words of these keywords, added up; two characters of a script without blanks are a word. */
  readonly score: number
  /** Words of its own name that the message holds. */
  readonly nameWords: readonly string[]
}

/** Why a keyword is not looked for. */
export type KeywordFault = 'one-character' | 'no-word' | 'too-long'

export interface KeywordNote {
  /** As configured; foreign text. */
  readonly keyword: string
  readonly why: KeywordFault
  /** Surface names of the tools that have it. */
  readonly tools: readonly string[]
}

export interface RouteOptions {
  /** Most tools. 0: none. */
  readonly top: number
}

export interface RoutingIndex {
  /** Keywords that are not looked for. `[]`: all are. */
  readonly notes: readonly KeywordNote[]
  /** The tools whose keywords a message holds, best first, at most `top`. */
  readonly route: (message: string, options: RouteOptions) => readonly RoutedTool[]
}

/** A keyword, as its words. */
interface Phrase {
  readonly weight: number
  /** Who has it, and as which of its keywords; one entry for each tool. */
  readonly owners: { readonly tool: number; readonly keyword: number }[]
}

interface Phrases {
  /** By their words, joined by blanks: no word holds one, and a pause is the word of no letters. */
  readonly byWords: ReadonlyMap<string, Phrase>
  /** How many words they have, by their first word. */
  readonly lengths: ReadonlyMap<string, ReadonlySet<number>>
}

/** Reads the keywords of tools, once for many messages. The tools are not changed. */
export function routingIndex(tools: readonly RoutableTool[]): RoutingIndex {
  const { phrases, notes } = readKeywords(tools)
  return {
    notes,
    route: (message, { top }) => {
      const words = messageWords(message)
      const hits = hitsOf(phrasesIn(words, phrases))
      const held = new Set(words)
      const routed = [...hits].flatMap(([index, hit]): RoutedTool[] => {
        const tool = tools[index]
        return tool === undefined ? [] : [routedTool(tool, hit, held)]
      })
      return routed.sort(better).slice(0, Number.isNaN(top) ? 0 : Math.max(0, Math.floor(top)))
    },
  }
}

function readKeywords(tools: readonly RoutableTool[]): { phrases: Phrases; notes: readonly KeywordNote[] } {
  const byWords = new Map<string, Phrase>()
  const lengths = new Map<string, Set<number>>()
  const notes = new Map<string, KeywordNote & { readonly tools: string[] }>()
  // Each keyword is read once: a server's come with every tool of it.
  const known = new Map<string, Phrase | KeywordFault>()
  const phraseOf = (keyword: string): Phrase | KeywordFault => {
    const words = keywordWords(keyword)
    if (typeof words === 'string') return words
    const phrase = byWords.get(words.join(' ')) ?? { weight: weightOf(words), owners: [] }
    byWords.set(words.join(' '), phrase)
    const first = words[0] ?? pause
    lengths.set(first, (lengths.get(first) ?? new Set()).add(words.length))
    return phrase
  }
  tools.forEach(({ name, keywords }, tool) => {
    keywords.forEach((keyword, at) => {
      const phrase = known.get(keyword) ?? phraseOf(keyword)
      known.set(keyword, phrase)
      if (typeof phrase === 'string') {
        const note = notes.get(keyword) ?? { keyword, why: phrase, tools: [] }
        if (note.tools.at(-1) !== name) note.tools.push(name)
        notes.set(keyword, note)
      } else if (phrase.owners.at(-1)?.tool !== tool) {
        // `Report` beside `reports` is one keyword.
        phrase.owners.push({ tool, keyword: at })
      }
    })
  })
  return { phrases: { byWords, lengths }, notes: [...notes.values()] }
}

/** Priority first, then score; among equals, as of a server's common keywords, the tool whose own name is told of. */
const better = (a: RoutedTool, b: RoutedTool): number =>
  b.priority - a.priority || b.score - a.score || b.nameWords.length - a.nameWords.length || (a.name < b.name ? -1 : 1)

const keywordChars = 200
/** Bounds what each word of a message can cost. */
const keywordWordsMax = 32

/**
 * The words of a keyword. One letter, digit or character is not looked for: `a` stands in every message, and 表 within
 * 代表 and 表示.
 */
function keywordWords(keyword: string): readonly string[] | KeywordFault {
  if (keyword.length > keywordChars) return 'too-long'
  const words = routingWords(keyword)
  if (words.length === 0) return 'no-word'
  if (words.length > keywordWordsMax) return 'too-long'
  return [...words.join('')].length < 2 ? 'one-character' : words
}

function weightOf(words: readonly string[]): number {
  const signs = words.filter(isSign).length
  const others = words.filter((word) => word !== pause).length - signs
  return others + Math.ceil(signs / 2)
}

/** The keywords that stand somewhere in the words. */
function phrasesIn(words: readonly string[], { byWords, lengths }: Phrases): ReadonlySet<Phrase> {
  const found = new Set<Phrase>()
  words.forEach((first, from) => {
    for (const length of lengths.get(first) ?? none) {
      const phrase = byWords.get(length === 1 ? first : words.slice(from, from + length).join(' '))
      if (phrase !== undefined) found.add(phrase)
    }
  })
  return found
}

const none: ReadonlySet<number> = new Set()

interface Hit {
  readonly keywords: number[]
  score: number
}

function hitsOf(phrases: ReadonlySet<Phrase>): ReadonlyMap<number, Hit> {
  const hits = new Map<number, Hit>()
  for (const { owners, weight } of phrases) {
    for (const { tool, keyword } of owners) {
      const hit = hits.get(tool) ?? { keywords: [], score: 0 }
      hit.keywords.push(keyword)
      hit.score += weight
      hits.set(tool, hit)
    }
  }
  return hits
}

function routedTool(tool: RoutableTool, hit: Hit, held: ReadonlySet<string>): RoutedTool {
  const { name, originalName, priority } = tool
  const own = routingWords(originalName.slice(0, keywordChars).replace(/([a-z0-9])([A-Z])/g, '$1 $2'))
  return {
    name,
    keywords: hit.keywords.sort((a, b) => a - b).flatMap((at) => tool.keywords[at] ?? []),
    priority,
    score: hit.score,
    nameWords: [...new Set(own)].filter((word) => word.length > 1 && held.has(word)),
  }
}

/** A message is read at both ends: what is asked stands there, what is pasted in between. */
const messagePart = 10_000

function messageWords(message: string): readonly string[] {
  if (message.length <= 2 * messagePart) return routingWords(message)
  // The words at the cut may be halves, and `data` is not to be read out of `database`.
  const first = routingWords(message.slice(0, messagePart)).slice(0, -1)
  const last = routingWords(message.slice(-messagePart)).slice(1)
  return [...first, pause, ...last]
}
