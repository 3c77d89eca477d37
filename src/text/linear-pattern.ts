// Looking for a pattern of a stranger, in time that is linear in the text.

import { RE2JS } from 're2js'
import { patternFault, patternSizeMax } from './pattern-fault.ts'

/** Steps of a pattern times characters of a text that are gone through, a tenth of a second at worst. */
const costMax = 20_000_000

export interface LinearPattern {
  /** Whether the pattern is found in a text. True as well where that cannot be told, or not in bounded time. */
  readonly found: (text: string) => boolean
  /** Steps of the compiled pattern: what a character of a text may cost. */
  readonly size: number
}

const known = new Map<string, LinearPattern | undefined>()
const knownMax = 500

/** The pattern, ready to be looked for; undefined when RE2 cannot do that. A few hundred are kept. */
export function linearPattern(source: string): LinearPattern | undefined {
  if (known.has(source)) return known.get(source)
  if (known.size >= knownMax) known.clear()
  const pattern = patternFault(source) === undefined ? compiled(source) : undefined
  known.set(source, pattern)
  return pattern
}

function compiled(source: string): LinearPattern | undefined {
  try {
    const re2 = RE2JS.compile(RE2JS.translateRegExp(source))
    const size = re2.programSize()
    if (size > patternSizeMax) return undefined
    const mayDiffer = differing.test(source)
    return {
      size,
      found: (text) => text.length * size > costMax || re2.test(text) || (mayDiffer && odd.test(text)),
    }
  } catch {
    return undefined
  }
}

/** Where RE2 and JavaScript do not agree: what is a blank, and what ends a line, outside of plain text. */
const differing = /\\s|\.|\[\^/i
const odd = /[\v\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/
