// Replacing a piece of a text. Pure. A model knows the text by what read_file showed it: line ends of the file are
// kept, and what does not match is answered with the place that was probably meant.

import { distance } from 'fastest-levenshtein'
import { printable } from '../../core/printable.ts'

export interface TextEdit {
  readonly oldText: string
  readonly newText: string
  /** Replace every occurrence. Absent: there must be one only. */
  readonly all?: boolean
}

export type EditOutcome =
  | {
      readonly kind: 'done'
      readonly text: string
      readonly count: number
      /** Where, counted from 1; the first ones. */
      readonly lines: readonly number[]
    }
  | {
      readonly kind: 'ambiguous'
      readonly count: number
      /** Where it begins; the first ones. */
      readonly lines: readonly number[]
    }
  /** `near`: where something like it is, in words. */
  | { readonly kind: 'missing'; readonly near?: string }
  | { readonly kind: 'too-big' }

/** The text with its edit, or why it was not made. `oldText` must not be empty. */
export function editText(text: string, edit: TextEdit, charsMax: number): EditOutcome {
  const { oldText, newText } = withLineEndsOf(text, edit)
  const places = placesOf(text, oldText, edit.all === true ? oldText.length : 1)
  if (places.length === 0) {
    const near = nearText(text, edit.oldText)
    return { kind: 'missing', ...(near === undefined ? {} : { near }) }
  }
  const lines = linesAt(text, places.slice(0, linesMax))
  if (edit.all !== true && places.length > 1) return { kind: 'ambiguous', lines, count: places.length }
  const chars = text.length + places.length * (newText.length - oldText.length)
  if (chars > charsMax || places.length >= placesMax) return { kind: 'too-big' }
  const pieces: string[] = []
  let from = 0
  for (const at of places) {
    pieces.push(text.slice(from, at), newText)
    from = at + oldText.length
  }
  return { kind: 'done', text: pieces.join('') + text.slice(from), count: places.length, lines }
}

/** Places that are looked for; nobody means more. */
const placesMax = 100_000

/** Line numbers that are told. */
const linesMax = 20

/** In a file with Windows line ends throughout, line breaks of an edit are meant as those. */
function withLineEndsOf(text: string, { oldText, newText }: TextEdit): { oldText: string; newText: string } {
  const windows = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  if (!windows || oldText.includes('\r') || newText.includes('\r')) return { oldText, newText }
  const converted = (piece: string): string => piece.replaceAll('\n', '\r\n')
  return { oldText: converted(oldText), newText: converted(newText) }
}

/** Where it begins. A step of 1 finds places that overlap as well. */
function placesOf(text: string, wanted: string, step: number): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1 && places.length < placesMax; at = text.indexOf(wanted, at + step))
    places.push(at)
  return places
}

function linesAt(text: string, places: readonly number[]): readonly number[] {
  let line = 1
  let from = 0
  return places.map((place) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < place; at = text.indexOf('\n', from)) {
      line += 1
      from = at + 1
    }
    return line
  })
}

// ── what was probably meant ──

/** Characters of a text that are looked at for it, so that a long one holds nobody. */
const lookedChars = 1_000_000

function nearText(text: string, wanted: string): string | undefined {
  const lines = text.slice(0, lookedChars).split(/\r?\n/)
  const wantedLines = wanted.split(/\r?\n/)
  const blanks = likeButForBlanks(lines, wantedLines)
  if (blanks !== undefined) {
    const last = blanks + contentOf(wantedLines).length - 1
    const where = last === blanks ? `line ${blanks} differs` : `lines ${blanks} to ${last} differ`
    return `${where} from it in blanks only`
  }
  const nearest = nearestLine(lines, wantedLines)
  return nearest === undefined ? undefined : `the nearest is line ${nearest.line}: ${printable(nearest.text, 160)}`
}

const bare = (line: string): string => line.replace(/\s+/g, ' ').trim()

/** Without the empty lines at both ends, which a model adds and drops freely. */
function contentOf(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first === -1 ? [] : lines.slice(first, last + 1)
}

/** The first line (counted from 1) where the same words stand. */
function likeButForBlanks(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const words = contentOf(wanted).map(bare)
  if (words.length === 0) return undefined
  const own = lines.map(bare)
  for (let at = 0; at + words.length <= own.length; at += 1)
    if (words.every((line, index) => line === own[at + index])) return at + 1
  return undefined
}

/** Characters that are compared, so that a long file costs no more than a short one. */
const comparedChars = 400_000
const comparedLine = 200

/** The line most like the longest one that is wanted; nothing when less than half of it is alike. */
function nearestLine(lines: readonly string[], wanted: readonly string[]): { line: number; text: string } | undefined {
  const longest = wanted.map(bare).reduce((long, line) => (line.length > long.length ? line : long), '')
  const target = longest.slice(0, comparedLine)
  if (target.length < 3) return undefined
  let best: { line: number; text: string; share: number } | undefined
  let budget = comparedChars
  for (const [index, text] of lines.entries()) {
    const line = bare(text.slice(0, comparedLine * 2)).slice(0, comparedLine)
    budget -= line.length
    if (budget < 0) break
    const longer = Math.max(line.length, target.length)
    if (Math.abs(line.length - target.length) * 2 > longer) continue
    const share = distance(line, target) / longer
    if (share <= 0.5 && (best === undefined || share < best.share)) best = { line: index + 1, text: text.trim(), share }
  }
  return best
}
