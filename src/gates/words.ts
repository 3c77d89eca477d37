// How gates write the names of strangers, lists and sizes into their sentences: printable, bounded, one line.

import type { Candidate } from '../core/candidate.ts'
import { printable } from '../core/printable.ts'

const namesShown = 8

/** A name or value in quotation marks, printable and cut to 80 characters. */
export const quoted = (text: string): string => `"${printable(text, 80)}"`

/** The first names of a list, each quoted; how many more there are is said. An empty list is `none`. */
export function listed(items: readonly string[]): string {
  if (items.length === 0) return 'none'
  const shown = items.slice(0, namesShown).map(quoted).join(', ')
  return items.length > namesShown ? `${shown} and ${items.length - namesShown} more` : shown
}

/** The same in Chinese. */
export function listedZh(items: readonly string[]): string {
  if (items.length === 0) return '无'
  const shown = items.slice(0, namesShown).map(quoted).join('、')
  return items.length > namesShown ? `${shown} 等共 ${items.length} 项` : shown
}

/** A foreign remark in parentheses, so that its own punctuation cannot end the sentence; nothing when there is none. */
export const remark = (text: string | undefined): string =>
  text === undefined || text === '' ? '' : ` (${printable(text, 200)})`

/** The same in Chinese. */
export const remarkZh = (text: string | undefined): string =>
  text === undefined || text === '' ? '' : `（${printable(text, 200)}）`

/** Who answers for a tool: its server or agent, else the tool itself. */
export const ownerOf = (candidate: Candidate): string =>
  candidate.server === undefined ? 'the tool' : `server ${quoted(candidate.server)}`

/** The same in Chinese. */
export const ownerOfZh = (candidate: Candidate): string =>
  candidate.server === undefined ? '该工具' : `服务器 ${quoted(candidate.server)}`
