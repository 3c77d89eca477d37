// What stands in the parentheses of a rule: which calls of the tool are meant.

import { printable } from '../core/printable.ts'
import { primaryArguments } from './arguments.ts'
import { patternOf, unescapedIndex } from './escapes.ts'
import type { RuleFault } from './rule-fault.ts'

export interface Condition {
  /** Name of the argument. Absent: the short form, about the tool's primary argument (`primaryArguments`). */
  readonly argument?: string
  /** What its value must be, with the wildcards of `glob.ts`. */
  readonly pattern: string
  /** Written with `:*` at the end: the value begins with this. */
  readonly prefix: boolean
}

/**
 * The conditions in the parentheses; none for `()` and `(*)`, which mean the whole tool. `NAME:pattern` is about
 * that argument, several are separated by commas; anything else is the short form. `word:*` is short (as in
 * `Bash(git:*)`) unless the word is itself the name of a primary argument.
 */
export function parseConditions(content: string): readonly Condition[] | RuleFault {
  const written = content.trim()
  if (written === '' || written === '*') return []
  if (!isNamed(written)) return [conditionOf(undefined, written)]

  const conditions: Condition[] = []
  for (const part of splitAtCommas(written)) {
    const [, argument, value = ''] = named.exec(part) ?? []
    if (argument === undefined) {
      return fault(
        `"${printable(part.trim(), 60)}" is not of the form argument:pattern`,
        'write argument:pattern, and \\, for a comma that belongs to a value',
      )
    }
    if (value === '') return fault(`the argument "${printable(argument, 60)}" has no pattern`, 'write argument:pattern')
    conditions.push(conditionOf(argument, value))
  }
  return conditions
}

const named = /^\s*([A-Za-z_$][\w$.-]*)\s*:\s*(.*?)\s*$/

function isNamed(written: string): boolean {
  const [, argument, value] = named.exec(written) ?? []
  if (argument === undefined || value === undefined) return false
  if (value === '*') return primaryArguments.some((primary) => primary === argument)
  const address = value.startsWith('//')
  const drive = argument.length === 1 && /^[\\/]/.test(value)
  return !address && !drive
}

function conditionOf(argument: string | undefined, written: string): Condition {
  const prefix = written.endsWith(':*') && !written.endsWith('\\:*') && written !== ':*'
  const pattern = patternOf(prefix ? written.slice(0, -2) : written)
  return argument === undefined ? { pattern, prefix } : { argument, pattern, prefix }
}

function splitAtCommas(written: string): string[] {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const comma = unescapedIndex(written, ',', from)
    if (comma < 0) return [...parts, written.slice(from)]
    parts.push(written.slice(from, comma))
    from = comma + 1
  }
}

const fault = (message: string, hint: string): RuleFault => ({ code: 'rule-syntax', message, hint })
