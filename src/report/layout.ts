// Text that fits: measured in terminal columns, where a Chinese character takes two.

import { eastAsianWidth } from 'get-east-asian-width'

const ascii = /^[ -~]*$/

/** ASCII, Latin letters and the punctuation of our own texts: each takes one column, and no table need be asked. */
const narrow = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2193]*$/
const emoji = /\p{Emoji_Presentation}|\ufe0f/u
const withoutWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]*$/u

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length
  let columns = 0
  for (const cluster of clustersOf(text)) columns += clusterWidth(cluster)
  return columns
}

/** What a reader takes for one character takes the columns of its first code point, or two where it is shown as emoji. */
function clusterWidth(cluster: string): number {
  if (withoutWidth.test(cluster)) return 0
  return emoji.test(cluster) ? 2 : eastAsianWidth(cluster.codePointAt(0) ?? 0)
}

let segmenter: Intl.Segmenter | undefined
/** What readers take for single characters. The segmenter is made when it is first needed: it costs milliseconds. */
function clustersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** The text, or its beginning and `…`, in at most `width` columns. */
export function clipped(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 1) return ''
  if (ascii.test(text)) return `${text.slice(0, width - 1).trimEnd()}…`
  let kept = ''
  let used = 0
  for (const segment of clustersOf(text)) {
    const columns = widthOf(segment)
    if (used + columns > width - 1) break
    kept += segment
    used += columns
  }
  return `${kept.trimEnd()}…`
}

/** The text cut or filled up to exactly `width` columns. */
export function fitted(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const cut = clipped(text, width)
  const blanks = ' '.repeat(Math.max(0, width - widthOf(cut)))
  return side === 'left' ? cut + blanks : blanks + cut
}

/** Lines of at most `width` columns, broken at blanks, and inside a word only where it is longer than a line or Chinese. */
export function wrapped(text: string, width: number): string[] {
  const room = Math.max(8, width)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (widthOf(joined) <= room) {
      line = joined
      continue
    }
    // A word that must be broken anyway begins on the line that is open, so that Chinese text fills its lines.
    let rest = line
    if (line !== '' && widthOf(word) <= room && !wide.test(word)) {
      lines.push(line)
      rest = ''
    } else if (line !== '') rest += ' '
    let used = widthOf(rest)
    for (const segment of clustersOf(word)) {
      const columns = widthOf(segment)
      if (used + columns > room) {
        lines.push(rest.trimEnd())
        rest = ''
        used = 0
      }
      rest += segment
      used += columns
    }
    line = rest
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

export interface Column {
  readonly head: string
  readonly side?: 'left' | 'right'
  /** Widest it may get. Absent: as wide as its widest cell. */
  readonly max?: number
}

/**
 * The widths of columns for these rows: each as wide as its widest cell up to its maximum; the last one gets what
 * is left of `width`, two blanks apart; where that would be less than 16 columns, the first one gives way.
 */
export function columnWidths(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const widths = columns.map((column, at) => {
    const widest = rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), widthOf(column.head))
    return Math.min(widest, column.max ?? widest)
  })
  const last = widths.length - 1
  const lastWidth = Math.min(widths[last] ?? 0, lastColumnMin)
  const before = (): number => widths.slice(0, last).reduce((sum, columns) => sum + columns + gap.length, 0)
  const over = before() + lastWidth - width
  if (over > 0) widths[0] = Math.max(8, (widths[0] ?? 0) - over)
  return [...widths.slice(0, last), Math.max(lastWidth, Math.min(widths[last] ?? 0, width - before()))]
}

/** One line of a table; `colour` paints cell by cell after fitting, blanks at the end are cut. */
export function tableLine(
  cells: readonly string[],
  columns: readonly Column[],
  widths: readonly number[],
  colour: (cell: string, at: number) => string = (cell) => cell,
): string {
  const last = cells.length - 1
  return cells
    .map((cell, at) => {
      const side = columns[at]?.side ?? 'left'
      const fit = at === last && side === 'left' ? clipped(cell, widths[at] ?? 0) : fitted(cell, widths[at] ?? 0, side)
      return fit === '' ? '' : colour(fit, at)
    })
    .join(gap)
    .trimEnd()
}

const gap = '  '
const lastColumnMin = 16

/** `1234567` as `1,234,567`: the same in every locale. */
export function grouped(count: number): string {
  const digits = String(Math.round(Math.abs(count)))
  const parts: string[] = []
  for (let end = digits.length; end > 0; end -= 3) parts.unshift(digits.slice(Math.max(0, end - 3), end))
  return (count < 0 ? '-' : '') + parts.join(',')
}
