// Which document a text names. A tool has several names (what the model calls, what its owner calls it, with its server
// before it), and they are written in many ways; the nearest way of writing counts, and only where it means one tool.

import { foldName } from '../../core/json.ts'
import type { SearchDocument } from './search-document.ts'
import { words } from './words.ts'

/** How near a text is to a name: the same bytes, other separators, another letter case, words run together. */
export type NameForm = 'surface' | 'bytes' | 'separators' | 'case' | 'words'

export type Named =
  | { readonly kind: 'one'; readonly position: number; readonly form: NameForm }
  | { readonly kind: 'several'; readonly positions: readonly number[]; readonly form: NameForm }
  | { readonly kind: 'none' }

export interface ExactNames {
  /** The document that a text is the name of. `caseCounts`: only names in the letter case of the text. */
  readonly find: (text: string, caseCounts: boolean) => Named
  /** Positions of documents that a query names, as a whole or by one of its words; the nearest form first. */
  readonly inQuery: (query: string) => readonly number[]
}

const nameChars = 200
const queryChars = 8000
const tokensMax = 32
const namedMax = 16
/** Documents that are kept for one way of writing; more of them are ambiguous in any case. */
const sharersMax = 32

/** Ways of writing the names of a document, folded: what `exactNames` looks texts up by. */
export function nameKeys({ name, originalName, server }: SearchDocument): readonly string[] {
  const keys = new Set([...keysOf(name), ...keysOf(originalName)])
  if (server !== undefined) {
    const [key = '', byWords = key] = keysOf(originalName)
    const [serverKey = '', serverByWords = serverKey] = keysOf(server)
    for (const joined of [`${serverKey}_${key}`, `${serverByWords}_${byWords}`])
      for (const whole of [joined, `mcp_${joined}`]) keys.add(separated(whole))
  }
  return [...keys]
}

/** `keys`: for each document its `nameKeys`. */
export function exactNames(documents: readonly SearchDocument[], keys: readonly (readonly string[])[]): ExactNames {
  const surfaces = new Map<string, number>()
  const sharers = new Map<string, number[]>()
  documents.forEach((document, position) => {
    if (!surfaces.has(document.name)) surfaces.set(document.name, position)
    for (const key of keys[position] ?? []) {
      const known = sharers.get(key)
      if (known === undefined) sharers.set(key, [position])
      else if (known.length < sharersMax) known.push(position)
    }
  })
  const find = (text: string, caseCounts: boolean): Named => {
    const surface = surfaces.get(text)
    if (surface !== undefined) return { kind: 'one', position: surface, form: 'surface' }
    if (text.length > nameChars) return { kind: 'none' }
    const positions = new Set(keysOf(text).flatMap((key) => sharers.get(key) ?? []))
    for (const form of caseCounts ? strictForms : forms) {
      const wanted = form.of(text)
      const equal = [...positions].filter((position) => {
        const document = documents[position]
        return document !== undefined && spellings(document).some((spelling) => form.of(spelling) === wanted)
      })
      const [position] = equal
      if (position === undefined) continue
      return equal.length === 1
        ? { kind: 'one', position, form: form.name }
        : { kind: 'several', positions: equal.sort((a, b) => a - b), form: form.name }
    }
    return { kind: 'none' }
  }
  const inQuery = (query: string): readonly number[] => {
    const whole = query.trim()
    const found: { readonly position: number; readonly rank: number }[] = []
    const take = (named: Named, isWhole: boolean): void => {
      if (named.kind !== 'one') return
      const rank = order.indexOf(named.form)
      found.push({ position: named.position, rank: isWhole ? rank : rank + order.length })
    }
    if (whole.length <= nameChars) take(find(whole, false), true)
    const isSentence = whole.split(/\s+/u, sentenceWords + 1).length > sentenceWords
    for (const token of tokens(whole)) {
      const named = find(token, false)
      if (named.kind === 'one' && mayBePlain(token, named.form, isSentence)) continue
      take(named, false)
    }
    found.sort((a, b) => a.rank - b.rank)
    return [...new Set(found.map(({ position }) => position))].slice(0, namedMax)
  }
  return { find, inQuery }
}

/** From here on a query is a sentence, in which words are written as in any text. */
const sentenceWords = 6

/**
 * Words that may mean no tool though one is called so. `GitHub` is the service, not a tool `github`: in another letter
 * case a name of one word does not count. `check-in` is English: in a sentence, hyphens make no name of words.
 */
const mayBePlain = (token: string, form: NameForm, isSentence: boolean): boolean =>
  form !== 'surface' &&
  form !== 'bytes' &&
  ((form === 'case' && !keyOf(token).includes('_')) || (isSentence && /^[\p{Ll}\p{Lu}]+(?:-\p{Ll}+)+$/u.test(token)))

/** All names of a document: as the model calls it, as its owner does, and that with the server before it. */
function spellings({ name, originalName, server }: SearchDocument): readonly string[] {
  if (server === undefined) return name === originalName ? [name] : [name, originalName]
  return [
    name,
    originalName,
    `${server}/${originalName}`,
    `${server}__${originalName}`,
    `mcp__${server}__${originalName}`,
  ]
}

const separated = (text: string): string => text.replace(/[\s_\-./:]+/gu, '_')
const keyOf = (text: string): string => separated(foldName(text.slice(0, nameChars)))
const wordKeyOf = (text: string): string => words(text, nameChars).join('_')

function keysOf(text: string): readonly string[] {
  const key = keyOf(text)
  const byWords = wordKeyOf(text)
  return byWords === key || byWords === '' ? [key] : [key, byWords]
}

const forms: readonly { readonly name: NameForm; readonly of: (text: string) => string }[] = [
  { name: 'bytes', of: (text) => text },
  { name: 'separators', of: separated },
  { name: 'case', of: keyOf },
  { name: 'words', of: wordKeyOf },
]
const strictForms = forms.slice(0, 2)
const order: readonly NameForm[] = ['surface', ...forms.map(({ name }) => name)]

/** The parts of a query between blanks that have the form of a name, without the punctuation around them. */
function tokens(query: string): readonly string[] {
  const parts = query
    .slice(0, queryChars)
    .split(/[\s,;，、；]+/u)
    .map(bare)
  return [...new Set(parts)].filter((token) => token.length <= nameChars && hasFormOfName(token)).slice(0, tokensMax)
}

function bare(token: string): string {
  let from = 0
  let to = token.length
  while (from < to && marks.includes(token.charAt(from))) from++
  while (to > from && marks.includes(token.charAt(to - 1))) to--
  return token.slice(from, to)
}

const marks = '"\'`.,;:!?()[]{}<>“”‘’。：！？（）*#'

/** `read_file`, `list-issues`, `fs.read`, `files/read`, `getUser`, `v2`: no plain word of a language. */
const hasFormOfName = (token: string): boolean => /[\p{L}\p{N}][_\-./:]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{N}/u.test(token)
