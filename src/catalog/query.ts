// The forms of a query to `tool_search`. What is in none of the special forms is plain words, whatever characters it
// holds: nothing that a model types is an error except a text that is too long or a pattern that cannot be carried out.

import { patternOf, type SearchPattern } from './search/pattern-search.ts'

export type Query =
  /** `select:one,two`: these tools, by name. */
  | { readonly kind: 'select'; readonly names: readonly string[] }
  /** `+word [+word …] rest`: every required word is in the server or the name; the rest ranks. */
  | { readonly kind: 'require'; readonly required: readonly string[]; readonly rest: string }
  /** `/pattern/`: tools in which the pattern is found. */
  | { readonly kind: 'pattern'; readonly pattern: SearchPattern }
  | { readonly kind: 'words'; readonly text: string }
  /** Nothing is asked. */
  | { readonly kind: 'empty' }
  | QueryFault

/** A query that is refused. Printable. */
export interface QueryFault {
  readonly kind: 'fault'
  readonly code: 'query-too-long' | 'query-type' | 'query-syntax'
  readonly message: string
  /** What to send instead. */
  readonly hint: string
}

/** The limit of comparable tools; a need is told in two to six words. */
export const queryCharsMax = 200

export interface QueryLimits {
  /** Longest query, in UTF-16 units, without the blanks around it. Absent: 200. */
  readonly charsMax?: number
}

/** Longer texts are refused even when they are blanks for the most part. */
const longest = 10_000

/** Tells in which form a query is. Never throws. */
export function parseQuery(text: unknown, { charsMax = queryCharsMax }: QueryLimits = {}): Query {
  if (typeof text !== 'string')
    return fault('query-type', `the query is ${typeName(text)}, and must be a string`, 'send "query" as a string')
  // What is far too long is not looked at any further.
  const asked = text.length > Math.max(longest, charsMax) ? text : withoutControls(text)
  if (asked.length > charsMax)
    return fault(
      'query-too-long',
      `the query has ${asked.length} characters, and ${charsMax} are allowed`,
      'name the service and the action in two to six words, one need a query',
    )
  if (asked === '') return { kind: 'empty' }
  if (asked.startsWith('select:')) return selected(asked.slice('select:'.length))
  if (asked.startsWith('+')) return required(asked)
  if (asked.length > 2 && asked.startsWith('/') && asked.endsWith('/')) return pattern(asked.slice(1, -1))
  return { kind: 'words', text: asked }
}

function selected(list: string): Query {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 ? { kind: 'empty' } : { kind: 'select', names: [...new Set(names)] }
}

function required(asked: string): Query {
  const parts = asked.split(' ').filter((part) => part !== '')
  const isRequired = (part: string): boolean => part.startsWith('+') && part.replaceAll('+', '') !== ''
  const needed = parts.filter(isRequired).map((part) => part.replace(/^\+{1,200}/, ''))
  const rest = parts.filter((part) => !isRequired(part)).join(' ')
  if (needed.length > 0) return { kind: 'require', required: [...new Set(needed)], rest }
  return rest.replaceAll('+', '').trim() === '' ? { kind: 'empty' } : { kind: 'words', text: rest }
}

function pattern(source: string): Query {
  const found = patternOf(source)
  if (typeof found !== 'string') return { kind: 'pattern', pattern: found }
  return fault(
    'query-syntax',
    `the pattern cannot be carried out in linear time: ${found}`,
    'write plain words instead',
  )
}

/** Control characters become blanks, runs of blanks one blank; none is left at the ends. */
const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ').trim()

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return value === undefined ? 'absent' : `of type ${typeof value}`
}

const fault = (code: QueryFault['code'], message: string, hint: string): QueryFault => ({
  kind: 'fault',
  code,
  message,
  hint,
})
