// Wildcards without regular expressions. A pattern is kept as a text in which two control characters stand for
// the wildcards (rules may hold no control characters of their own), so that it can be cut, folded and compared
// like any other text. Matching walks forward once: a star never makes it go back over another star.

/** Stands for `?` in a pattern: exactly one character. */
export const oneChar = '\u0001'
/** Stands for `*` in a pattern: any run of characters, also none. */
export const anyRun = '\u0002'
/**
 * Stands in a compared text for what is not known: the tools of a server that never listed any, or what a shell
 * would put in for a variable. Only a star matches it.
 */
export const unknownText = '\u0000'

/** A pattern made ready: what stands between its stars. One part: no star. */
export interface Glob {
  readonly parts: readonly string[]
  /** Characters that a matching text has at least. */
  readonly min: number
}

/** The pattern (with `oneChar` and `anyRun` as wildcards) made ready for matching. */
export function globOf(pattern: string): Glob {
  const parts = pattern.split(anyRun)
  const [head = '', ...rest] = parts
  const tail = rest.pop()
  const middles = rest.filter((part) => part !== '')
  const kept = tail === undefined ? [head] : [head, ...middles, tail]
  return { parts: kept, min: kept.reduce((sum, part) => sum + part.length, 0) }
}

/** True when the whole text is covered. Work is bounded by text length times pattern length, stars cost nothing more. */
export function matchesGlob({ parts, min }: Glob, text: string): boolean {
  const head = parts[0] ?? ''
  if (parts.length === 1) return text.length === head.length && fits(head, text, 0)
  if (text.length < min) return false
  const tail = parts[parts.length - 1] ?? ''
  const end = text.length - tail.length
  if (!fits(head, text, 0) || !fits(tail, text, end)) return false
  let at = head.length
  for (let index = 1; index < parts.length - 1; index++) {
    const part = parts[index] ?? ''
    at = placeOf(part, text, at, end)
    if (at < 0) return false
    at += part.length
  }
  return at <= end
}

/** True when the pattern holds a wildcard. */
export const hasWildcard = (pattern: string): boolean => pattern.includes(anyRun) || pattern.includes(oneChar)

/** True when the pattern covers every text. */
export const coversAll = (pattern: string): boolean => pattern !== '' && pattern.split(anyRun).join('') === ''

/** What stands before the first wildcard. */
export function literalHead(pattern: string): string {
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === anyRun || char === oneChar) return pattern.slice(0, at)
  }
  return pattern
}

/** Applies a function to what is literal in a pattern and leaves its wildcards as they are. */
export function mapLiterals(pattern: string, change: (literal: string) => string): string {
  if (!hasWildcard(pattern)) return change(pattern)
  return pattern
    .split(anyRun)
    .map((run) => run.split(oneChar).map(change).join(oneChar))
    .join(anyRun)
}

/** The pattern as a person would write it. */
export const patternText = (pattern: string): string => pattern.replaceAll(anyRun, '*').replaceAll(oneChar, '?')

function fits(part: string, text: string, at: number): boolean {
  if (!part.includes(oneChar)) return text.startsWith(part, at)
  if (at + part.length > text.length) return false
  for (let index = 0; index < part.length; index++) {
    const wanted = part[index]
    const found = text[at + index]
    if (wanted === oneChar ? found === unknownText : wanted !== found) return false
  }
  return true
}

function placeOf(part: string, text: string, from: number, end: number): number {
  if (!part.includes(oneChar)) {
    const at = text.indexOf(part, from)
    return at < 0 || at + part.length > end ? -1 : at
  }
  for (let at = from; at + part.length <= end; at++) if (fits(part, text, at)) return at
  return -1
}
