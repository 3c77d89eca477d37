// Documents in which a pattern is found, by an engine that never goes back, in an amount of work that is set beforehand.
// The work is counted, not timed, so that the same search always ends at the same place.

import { type LinearPattern, linearPattern } from '../../text/linear-pattern.ts'
import { patternFault } from '../../text/pattern-fault.ts'
import type { SearchDocument } from './search-document.ts'

export interface SearchPattern {
  /** As it was asked. */
  readonly source: string
  /** For texts in small letters. */
  readonly exact: LinearPattern
  /**
   * Finds all that `exact` finds, and cheaply; what it finds more, `exact` rejects. Absent where no cheap pattern is known.
   */
  readonly wide?: LinearPattern
  /** Whether `wide` finds the same as `exact`. */
  readonly isWideExact: boolean
}

export interface PatternMatches {
  /** Positions: found in the name first (short names before long ones), then in the server, then in the description. */
  readonly positions: readonly number[]
  /** The work was spent before all documents were looked through. */
  readonly incomplete: boolean
}

/** The pattern of a query, ready for use; why it cannot be used otherwise. Letter case makes no difference. */
export function patternOf(source: string): SearchPattern | string {
  const fault = patternFault(source)
  if (fault !== undefined) return fault
  const small = lowered(source)
  const exact = linearPattern(small)
  if (exact === undefined) return 'it has a form that only an engine that goes back can carry out'
  const broad = uncounted(small)
  const wide = gapsOf(broad) > gapsMax ? undefined : linearPattern(broad)
  return { source, exact, ...(wide === undefined ? {} : { wide }), isWideExact: broad === small }
}

/** Longest beginning of a description that is looked through. */
const textChars = 300
/** Work of one search. A unit took about 10 ns where it was measured: a character for a cheap pattern. */
const workMax = 1_500_000
/** Measured worst for a step of a pattern that keeps making new states, on texts made for it. */
const workOfStep = 14

/** Where a pattern is found. Names of all documents are looked at before anything else of any. */
export function patternSearch(documents: readonly SearchDocument[], pattern: SearchPattern): PatternMatches {
  const { exact, wide, isWideExact } = pattern
  let left = workMax
  const isFound = new Uint8Array(documents.length)
  const positions: number[] = []
  const finds = (text: string): boolean => {
    const chars = text.length + 1
    if (wide !== undefined) {
      left -= chars
      if (!wide.found(text)) return false
      if (isWideExact) return true
    }
    left -= chars * exact.size * workOfStep
    return left >= 0 && exact.found(text)
  }
  for (const textsOf of places) {
    const foundHere: number[] = []
    for (let at = 0; at < documents.length && left > 0; at++) {
      const document = documents[at]
      if (document === undefined || isFound[at] === 1 || !textsOf(document).some((text) => finds(plainText(text))))
        continue
      isFound[at] = 1
      foundHere.push(at)
    }
    if (textsOf === names) foundHere.sort((a, b) => nameLength(documents[a]) - nameLength(documents[b]) || a - b)
    for (const position of foundHere) positions.push(position)
  }
  return { positions, incomplete: left <= 0 }
}

type Texts = (document: SearchDocument) => readonly string[]
const names: Texts = ({ name, originalName }) => (name === originalName ? [name] : [name, originalName])
const servers: Texts = ({ server }) => (server === undefined ? [] : [server])
const descriptions: Texts = ({ description }) => [description]
const places: readonly Texts[] = [names, servers, descriptions]

const nameLength = (document: SearchDocument | undefined): number => document?.name.length ?? 0

/** Bounded, in small letters, every kind of blank a blank: engines do not agree on which characters are blanks. */
const plainText = (text: string): string => {
  const cut = text.length > textChars ? text.slice(0, textChars) : text
  return (oddBlank.test(cut) ? cut.replace(/[\s\u0085]/g, ' ') : cut).toLowerCase()
}

const oddBlank = /[\v\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/

/** The parts of a pattern: an escape, a class, a counted repeat, or one character. */
const parts = new RegExp(
  [
    String.raw`\\(?:[pPxu]\{[^}]{0,40}\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[A-Za-z]|.)`,
    String.raw`\[(?:\\.|[^\]\\])*\]`,
    String.raw`\{\d+(?:,\d*)?\}`,
    '.',
  ].join('|'),
  'gsu',
)
const partsOf = (source: string): readonly string[] => source.match(parts) ?? []

/** A pattern in small letters. What stands behind a backslash is no letter, so `\S` and `\x4F` stay as they are. */
const lowered = (source: string): string =>
  partsOf(source)
    .map((part) => {
      if (part.startsWith('\\')) return part
      return part.startsWith('[') && part.length > 1 ? `[${loweredClass(part.slice(1, -1))}]` : part.toLowerCase()
    })
    .join('')

const loweredClass = (inside: string): string =>
  partsOf(inside)
    .map((part) => (part.startsWith('\\') ? part : part.toLowerCase()))
    .join('')

/** A pattern that finds more: counted repeats become repeats without an end. Counts are what makes patterns dear. */
const uncounted = (source: string): string =>
  partsOf(source)
    .map((part) => (/^\{\d/.test(part) ? (/^\{0+[,}]/.test(part) ? '*' : '+') : part))
    .join('')

/** With few gaps a pattern can be in few states, whatever the text; each gap may double them. */
const gapsMax = 8

/** Places where a pattern goes on whatever the character is, or may go on in two ways, outside of endless repeats. */
function gapsOf(source: string): number {
  const all = partsOf(source)
  let gaps = 0
  all.forEach((part, at) => {
    const next = all[at + 1]
    const repeats = next === '*' || next === '+'
    if (part === '|' || part === '?') gaps += 1
    else if (!repeats && (part === '.' || part.startsWith('[') || /^\\[dDwWsSpP]/.test(part))) gaps += 1
  })
  return gaps
}
