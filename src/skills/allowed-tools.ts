// `allowed-tools` of a skill. Three states and no fourth: absent, a list, or malformed. What cannot be read is
// malformed as a whole, because half a restriction may be wider than the one that was meant.

import { printable } from '../core/printable.ts'

export type AllowedTools =
  | {
      readonly tools: readonly string[]
      /** Entries whose scope in brackets has no effect, as written. */
      readonly scoped: readonly string[]
    }
  | {
      /** One printable line: why the list cannot be read. */
      readonly fault: string
      /** Index of the entry that is at fault, when it is one. */
      readonly at?: number
    }

/**
 * Reads the value of `allowed-tools`: a list of names, or one line of them between blanks or commas (the form of
 * the Agent Skills format). `Bash(git:*)` counts as the tool `Bash`; the scope is reported, not enforced.
 * Everything else, a null and a wildcard too, is a fault.
 */
export function readAllowedTools(value: unknown): AllowedTools {
  if (typeof value === 'string') return fromLine(value)
  if (Array.isArray(value)) return fromEntries(value)
  return { fault: `it is ${kindOf(value)}, not a list of tool names` }
}

function fromLine(line: string): AllowedTools {
  const entries = entriesOf(line)
  if (entries === undefined) return { fault: `a bracket in ${quoted(line)} is not closed` }
  if (entries.length === 0) return { fault: 'it is an empty text, not a list of tool names; write [] for no tool' }
  return fromEntries(entries)
}

function fromEntries(entries: readonly unknown[]): AllowedTools {
  const tools = new Set<string>()
  const scoped: string[] = []
  for (const [at, entry] of entries.entries()) {
    if (typeof entry !== 'string') return { fault: `it holds ${kindOf(entry)} where a tool name should be`, at }
    const written = entry.trim()
    const bracket = written.indexOf('(')
    const name = bracket === -1 ? written : written.slice(0, bracket)
    const closed = bracket === -1 || (written.endsWith(')') && written.length <= entryMax)
    if (!closed || !toolName.test(name))
      return { fault: `it holds ${quoted(entry)}, which is not the name of a tool`, at }
    tools.add(name)
    if (bracket !== -1) scoped.push(written)
  }
  return { tools: [...tools], scoped }
}

/** Splits at blanks and commas outside brackets. Nothing when a bracket stays open. */
function entriesOf(line: string): string[] | undefined {
  const entries: string[] = []
  let entry = ''
  let depth = 0
  for (const char of line) {
    if (depth === 0 && separators.has(char)) {
      if (entry !== '') entries.push(entry)
      entry = ''
      continue
    }
    if (char === '(') depth += 1
    if (char === ')' && depth > 0) depth -= 1
    entry += char
  }
  if (depth > 0) return undefined
  if (entry !== '') entries.push(entry)
  return entries
}

const separators: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r', ','])

/** Characters of the names that MCP and the providers allow, and those that join a server to its tool. */
const toolName = /^[A-Za-z0-9_.:/-]{1,256}$/
const entryMax = 1024

const quoted = (text: string): string => `"${printable(text, 60)}"`

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty (null)'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'boolean' ? 'a yes or no' : 'a number'
}
