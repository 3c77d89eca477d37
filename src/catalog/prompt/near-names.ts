// Words of a text that are nobody's name and nearly a tool's: a slip, or a tool that was renamed. Arguments, variables and
// names of files are written like names of tools as well, so that only a word a letter or two away counts.

import { distance } from 'fastest-levenshtein'
import { foldName, isJsonObject } from '../../core/json.ts'
import type { Surface } from '../../core/surface.ts'

export interface NearName {
  /** As the text writes it. */
  readonly word: string
  /** The surface name that it is near to; one that the model has before one that it has not. */
  readonly near: string
}

/** Unknown words of one text that are looked at. */
const wordsMax = 200
const lengthMin = 5
const lengthMax = 128

/** One for each word, in the order of the text. A word counts with `_` inside, or as code: between backticks, or called. */
export function nearNames(text: string, surface: Surface): readonly NearName[] {
  const names = namesOf(surface)
  const words = new Set<string>()
  for (const { 0: word, index } of text.matchAll(standing)) {
    if (words.size === wordsMax) break
    if (word.length < lengthMin || word.length > lengthMax || words.has(word)) continue
    if (joined.test(word) || isCode(text, index, word.length)) words.add(word)
  }
  const unknown = [...words].filter((word) => surface.named(word).length === 0)
  if (unknown.length === 0) return []
  const parameters = parametersOf(surface)
  return unknown
    .filter((word) => !parameters.has(word))
    .flatMap((word) => {
      const near = nearestOf(word, names)
      return near === undefined ? [] : [{ word, near }]
    })
}

/** Whole words that are no part of a path, an address or a longer name. */
const standing = /(?<![\w.:/-])\w+(?![.:/-]*\w)/g
const joined = /[A-Za-z0-9]_+[A-Za-z0-9]/

const isCode = (text: string, at: number, length: number): boolean =>
  text[at + length] === '(' || (text[at - 1] === '`' && text[at + length] === '`')

/** Exposed ones first. Stand-ins are no tools. */
function namesOf({ decisions }: Surface): readonly { readonly name: string; readonly folded: string }[] {
  const tools = decisions.filter(({ candidate }) => candidate.standIn !== true)
  const exposed = tools.filter(({ outcome }) => outcome !== 'excluded')
  const names = new Set([...exposed, ...tools].map(({ name }) => name))
  return [...names].map((name) => ({ name, folded: foldName(name) }))
}

function parametersOf({ decisions }: Surface): ReadonlySet<string> {
  const parameters = new Set<string>()
  for (const { candidate } of decisions) {
    const { properties } = candidate.definition.inputSchema
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) parameters.add(name)
  }
  return parameters
}

function nearestOf(word: string, names: ReturnType<typeof namesOf>): string | undefined {
  const folded = foldName(word)
  const most = folded.length < 10 ? 1 : 2
  let best: { readonly name: string; readonly edits: number } | undefined
  for (const { name, folded: other } of names) {
    if (Math.abs(other.length - folded.length) > most) continue
    const edits = distance(folded, other)
    if (edits <= most && (best === undefined || edits < best.edits)) best = { name, edits }
  }
  return best?.name
}
