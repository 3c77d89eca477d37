// The pattern of a search made ready: linear in time whatever the pattern is, and with a bound on the longest line so
// that no single one holds the process.

import { RE2JS } from 're2js'
import { patternError } from './glob-pattern.ts'
import { fileLimits } from './limits.ts'

export interface LinePattern {
  /** A regular expression (RE2: no look-around, no back-references), or a plain text with `literal`. */
  readonly pattern: string
  readonly literal?: boolean
  /** Absent: letter case does not count. */
  readonly caseSensitive?: boolean
}

export interface LineTest {
  /** Characters of a line that are looked at. */
  readonly charsMax: number
  readonly matches: (line: string) => boolean
  /** Where the match begins in a line that matches. */
  readonly placeIn: (line: string) => number
}

/** Steps of one line, about: characters times parts of the pattern. 75 ms at the most, as measured with re2js 2.10.0. */
const stepsMax = 400_000
const charsMin = 400
/** Parts of a pattern with its repetitions written out; `a{1000}` has a thousand. */
const partsMax = 2100

/** Throws a ToolgateError `pattern-invalid` that says what is wrong. */
export function lineTest({ pattern, literal = false, caseSensitive = false }: LinePattern): LineTest {
  if (pattern === '') throw patternError(pattern, 'is empty')
  if (pattern.length > fileLimits.patternChars)
    throw patternError(pattern, `is over ${fileLimits.patternChars} characters`)
  const expression = compiled(pattern, literal, caseSensitive)
  const parts = expression.matcher('').programSize()
  if (parts > partsMax) throw patternError(pattern, 'repeats too much')
  const charsMax = Math.min(fileLimits.searchedChars, Math.max(charsMin, Math.floor(stepsMax / parts)))
  const looked = (line: string): string => (line.length > charsMax ? line.slice(0, charsMax) : line)
  return {
    charsMax,
    matches: (line) => expression.test(looked(line)),
    placeIn: (line) => {
      const matcher = expression.matcher(looked(line))
      return matcher.find() ? matcher.start() : 0
    },
  }
}

function compiled(pattern: string, literal: boolean, caseSensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(literal ? RE2JS.quote(pattern) : pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    const said = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error)
    const why = /\(\?[=!<]|\\[1-9]/.test(pattern) ? '; look-around and back-references are not supported' : ''
    throw patternError(pattern, `cannot be read: ${said}${why}`)
  }
}
