// Pieces of what the file tools answer. Names of files are foreign text and are shown printable; the content of files
// is shown as it is.

import { printable } from '../../core/printable.ts'
import { shownPath } from '../path-error.ts'
import { fileLimits } from './limits.ts'
import type { Listed, ListedEntry, ListedFolder } from './list-folder.ts'
import type { TextPart } from './read-text.ts'
import type { Walked } from './walk.ts'

/** `1 file`, `2 files`. */
export const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** `line 4`, `lines 4, 8 and more`. */
export const linesOf = (lines: readonly number[], count: number): string =>
  `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${count > lines.length ? ' and more' : ''}`

/** As many lines as one answer holds. */
export function bounded(all: readonly string[]): { readonly shown: number; readonly lines: readonly string[] } {
  let bytes = 0
  let shown = 0
  for (const line of all) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > fileLimits.answerBytes) break
    shown += 1
  }
  return { shown, lines: all.slice(0, shown) }
}

/** What a reader must know of the lines that were read; nothing when they are the whole file. */
export function partNote(part: TextPart, asked: boolean): string | undefined {
  const { firstLine, lastLine, cut, linesTotal, bytesTotal } = part
  if (linesTotal === 0) return 'the file is empty'
  const of = linesTotal === undefined ? `of a file of ${bytesTotal} bytes` : `of ${linesTotal}`
  if (cut === 'long-line') {
    const next = linesTotal === firstLine ? '' : `; the next lines begin with start_line ${firstLine + 1}`
    return `line ${firstLine} ${of} is too long to be shown whole; grep shows the places in it that match${next}`
  }
  if (lastLine < firstLine)
    return `the file has ${countOf(linesTotal ?? 0, 'line')}; line ${firstLine} is beyond its end`
  const shown = firstLine === lastLine ? `line ${firstLine} ${of}` : `lines ${firstLine} to ${lastLine} ${of}`
  if (cut === 'full') return `${shown} fit here; go on with start_line ${lastLine + 1}`
  return asked ? shown : undefined
}

/** What a walk did not see, and what to do about it. */
export function walkNotes({
  leftOut,
  missed,
  stopped,
}: Pick<Walked, 'leftOut' | 'missed' | 'stopped'>): readonly string[] {
  const names = leftOut.map((name) => printable(name, 80)).join(', ')
  const bound = stopped === 'time' ? `${fileLimits.walkMs / 1000} seconds` : `${fileLimits.walkEntries} entries`
  return [
    ...(leftOut.length > 0 ? [`not looked into: ${names}; to do so, give such a folder as path`] : []),
    ...(missed.length > 0 ? [`not looked into whole: ${missed.map(shownPath).join(', ')}`] : []),
    ...(stopped === undefined ? [] : [`stopped after ${bound}; name a smaller folder`]),
  ]
}

/** A folder as a tree, two blanks for each level. */
export function listingText(listed: Listed): string {
  const top = `${shownPath(listed.path)}${listed.path === '/' ? '' : '/'}`
  const rows = rowsOf(listed, '  ')
  if (rows.length === 0) return `${top}\n  (empty)`
  const { shown, lines } = bounded(rows)
  return [top, ...lines, ...(shown < rows.length ? [`[${rows.length - shown} more lines do not fit]`] : [])].join('\n')
}

function rowsOf({ entries, more, tooMany }: ListedFolder, indent: string): readonly string[] {
  const rows = entries.flatMap((entry) => [
    `${indent}${shownEntry(entry)}`,
    ...(entry.inner === undefined ? [] : rowsOf(entry.inner, `${indent}  `)),
  ])
  if (more === 0 && !tooMany) return rows
  return [...rows, `${indent}[${more}${tooMany ? ' or more' : ''} more; list this folder, or find them with glob]`]
}

function shownEntry({ name, kind, leftOut }: ListedEntry): string {
  const shown = shownPath(name)
  if (kind === 'folder') return leftOut === true ? `${shown}/  (not looked into)` : `${shown}/`
  if (kind === 'link') return `${shown}  (link, not followed)`
  return kind === 'file' ? shown : `${shown}  (no regular file)`
}
