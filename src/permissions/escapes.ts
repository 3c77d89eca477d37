// Special characters in the text of a rule, and the backslash that makes them plain.

import { anyRun, oneChar } from './glob.ts'

const specials = '\\*?(),:/ '
const special = /[\\*?(),:/ ]/g
const wildcard = /\\([\\*?(),:/ ])|[*?]/g

/** A literal text (a name, say) as it must be written to mean just itself in a rule. */
export const escapeRuleText = (literal: string): string => literal.replace(special, '\\$&')

/** Written text to pattern: `*` and `?` become wildcards, and a backslash takes the meaning from the next special character. */
export const patternOf = (written: string): string =>
  written.replace(wildcard, (char, plain?: string) => plain ?? (char === '*' ? anyRun : oneChar))

/** Place of the first such character that no backslash precedes; -1 for none. */
export function unescapedIndex(text: string, char: string, from = 0): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\' && specials.includes(text[at + 1] ?? ' ')) at++
    else if (text[at] === char) return at
  }
  return -1
}

/** True when a backslash makes the character at this place plain. */
export function escapedAt(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
