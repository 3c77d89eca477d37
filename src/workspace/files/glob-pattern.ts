// File name patterns as linear-time regular expressions. Libraries make expressions that go back over stars, and one
// pattern of a model could then stall the process; look-ahead, which they use for dots, is not to be had in linear time.
//
//   *  any part of a name    ?  one character    **  any folders    [a-z] [!a]  one of    {a,b}  either    \  as it stands

import { RE2JS } from 're2js'
import { printable } from '../../core/printable.ts'
import { finding, ToolgateError } from '../../errors.ts'
import { fileLimits } from './limits.ts'

/** True for a way (parts with `/` between them) that the whole pattern covers. */
export type GlobTest = (way: string) => boolean

/**
 * The pattern made ready. With `anywhere` a pattern without a slash covers the last part of a way, wherever it is.
 * Names that begin with a dot are names like others. Throws a ToolgateError `pattern-invalid`.
 */
export function globTest(pattern: string, options: { readonly anywhere?: boolean } = {}): GlobTest {
  if (pattern.length > fileLimits.patternChars)
    throw patternError(pattern, `is over ${fileLimits.patternChars} characters`)
  const trimmed = pattern.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  if (trimmed === '') throw patternError(pattern, 'is empty')
  if (trimmed.startsWith('/')) throw patternError(pattern, 'is absolute; write it relative to the path')
  if (trimmed.split('/').includes('..')) throw patternError(pattern, 'holds a step upwards')
  const lead = options.anywhere === true && !trimmed.includes('/') ? anyFolders : ''
  try {
    const expression = RE2JS.compile(`${lead}${expressionOf([...trimmed])}`, RE2JS.DOTALL)
    return (way) => expression.testExact(way)
  } catch (error) {
    throw patternError(pattern, `cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The error for a pattern that cannot be used. */
export const patternError = (pattern: string, what: string): ToolgateError =>
  new ToolgateError(
    finding('pattern-invalid', 'error', printable(`the pattern "${printable(pattern, 80)}" ${what}`, 300), {
      subject: printable(pattern, 80),
    }),
  )

const anyFolders = '(?:[^/]+/)*'

function expressionOf(chars: readonly string[]): string {
  const out: string[] = []
  let open = 0
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? ''
    if (char === '*') {
      const { expression, next } = starAt(chars, at)
      out.push(expression)
      at = next - 1
    } else if (char === '?') out.push('[^/]')
    else if (char === '[' && classEnd(chars, at) !== -1) {
      const end = classEnd(chars, at)
      out.push(classOf(chars.slice(at + 1, end)))
      at = end
    } else if (char === '{' && braceEnd(chars, at) !== -1) {
      open += 1
      out.push('(?:')
    } else if (char === ',' && open > 0) out.push('|')
    else if (char === '}' && open > 0) {
      open -= 1
      out.push(')')
    } else if (char === '\\' && at + 1 < chars.length) {
      at += 1
      out.push(RE2JS.quote(chars[at] ?? ''))
    } else out.push(RE2JS.quote(char))
  }
  return out.join('')
}

/** `**` is any folders when it is a whole part; anywhere else stars stay inside a name. */
function starAt(chars: readonly string[], at: number): { expression: string; next: number } {
  let next = at
  while (chars[next] === '*') next += 1
  const opens = at === 0 || '/{,'.includes(chars[at - 1] ?? '')
  if (next - at < 2 || !opens) return { expression: '[^/]*', next }
  if (chars[next] === '/') return { expression: anyFolders, next: next + 1 }
  const closes = next === chars.length || '},'.includes(chars[next] ?? '')
  return { expression: closes ? '.+' : '[^/]*', next }
}

/** Where a class ends; a bracket right after its beginning belongs to it. -1: it is no class. */
function classEnd(chars: readonly string[], at: number): number {
  const first = chars[at + 1] === '!' || chars[at + 1] === '^' ? at + 2 : at + 1
  return chars.indexOf(']', first + 1)
}

function classOf(inner: readonly string[]): string {
  const negative = inner[0] === '!' || inner[0] === '^'
  const body = (negative ? inner.slice(1) : inner).map((char) => (char === '-' ? char : escapedInClass(char)))
  return `[${negative ? '^/' : ''}${body.join('')}]`
}

const escapedInClass = (char: string): string => (/[\w\s]/.test(char) || char > '\u007f' ? char : `\\${char}`)

/** Where the group of a brace ends, others inside it passed over. -1: it is a brace like any letter. */
function braceEnd(chars: readonly string[], at: number): number {
  let depth = 0
  for (let index = at; index < chars.length; index += 1) {
    const char = chars[index]
    if (char === '\\') index += 1
    else if (char === '{') depth += 1
    else if (char === '}') {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return -1
}
