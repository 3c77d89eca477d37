// `$NAME` and `${NAME}` in a configuration. Nothing else is substituted and nothing is ever run: `$(…)`, backticks
// and `%NAME%` stay as they are. What comes out is not looked at again, so a value cannot bring in another variable.

import type { Json } from '../core/json.ts'
import { printable } from '../core/printable.ts'
import type { Path } from './place.ts'

export interface Environment {
  readonly [name: string]: string | undefined
}

/** One variable that could not be put in, in words that never hold a value. */
export interface VariableFault {
  readonly what: string
  readonly hint: string
}

export type Expanded =
  | {
      readonly text: string
      /** Values that variables gave, for the redactor. Those of `publicVariables` are no secrets. */
      readonly secrets: readonly string[]
    }
  | { readonly fault: VariableFault }

/**
 * Puts variables into one text.
 *
 * - `${NAME}` anywhere, `$NAME` at the start or after a character that is no letter, digit or `_`;
 * - `${NAME:-default}` gives the default, taken literally, where NAME is unset or empty;
 * - `$$` gives one `$`; a `$` before anything else stays.
 *
 * A fault when a variable is unset or empty and has no default (`${NAME:-}` says that empty is meant), and when
 * `${` opens any other form. Time is linear.
 */
export function expandText(text: string, environment: Environment): Expanded {
  const secrets: string[] = []
  let out = ''
  let at = 0
  for (let dollar = text.indexOf('$'); dollar !== -1; dollar = text.indexOf('$', at)) {
    out += text.slice(at, dollar)
    const form = formAt(text, dollar)
    if (form === undefined) return { fault: unknownForm(text, dollar) }
    at = form.end
    if (form.name === undefined) {
      out += '$'
      continue
    }
    const value = environment[form.name]
    // Not a string: a name such as `constructor`, which every object has.
    if (typeof value === 'string' && value !== '') {
      out += value
      if (!publicVariables.has(form.name)) secrets.push(value)
    } else if (form.otherwise !== undefined) out += form.otherwise
    else return { fault: unset(form.name, value === '') }
  }
  return { text: out + text.slice(at), secrets }
}

interface Form {
  /** Absent: a plain `$`. */
  readonly name?: string
  readonly otherwise?: string
  readonly end: number
}

/** What begins at a `$`; nothing when it is a brace form that is not known. */
function formAt(text: string, dollar: number): Form | undefined {
  const next = text.charAt(dollar + 1)
  if (next === '$') return { end: dollar + 2 }
  if (next === '{') {
    const close = text.indexOf('}', dollar + 2)
    if (close === -1) return undefined
    const inner = text.slice(dollar + 2, close)
    const split = inner.indexOf(':-')
    const name = split === -1 ? inner : inner.slice(0, split)
    if (!wholeName.test(name)) return undefined
    if (split === -1) return { name, end: close + 1 }
    const parts = inner.slice(split + 2).split('$$')
    // A variable in a default would end at the first `}` and mean something else than it looks like.
    if (parts.some((part) => variableInside.test(part))) return undefined
    return { name, otherwise: parts.join('$'), end: close + 1 }
  }
  if (dollar > 0 && wordCharacter.test(text.charAt(dollar - 1))) return { end: dollar + 1 }
  nameHere.lastIndex = dollar + 1
  const name = nameHere.exec(text)?.[0]
  return name === undefined ? { end: dollar + 1 } : { name, end: dollar + 1 + name.length }
}

const wholeName = /^[A-Za-z_][A-Za-z0-9_]*$/
const nameHere = /[A-Za-z_][A-Za-z0-9_]*/y
const wordCharacter = /[A-Za-z0-9_]/
const variableInside = /\$[A-Za-z_{]/

/** True when the text would be changed by `expandText`, or refused. */
export function holdsVariable(text: string): boolean {
  return text.includes('$')
}

/** Variables of the system and the terminal: their values stand in many texts and are known to everybody. */
export const publicVariables: ReadonlySet<string> = new Set([
  'HOME',
  'USER',
  'LOGNAME',
  'USERNAME',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PWD',
  'PATH',
  'SHELL',
  'LANG',
  'TERM',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'HOSTNAME',
  'NODE_ENV',
])

function unset(name: string, empty: boolean): VariableFault {
  const shown = printable(name, 60)
  return {
    what: `the variable ${shown} is ${empty ? 'empty' : 'not set'}`,
    hint: `set ${shown}, give a default with \${${shown}:-default}, or write $$ where a dollar sign is meant`,
  }
}

function unknownForm(text: string, dollar: number): VariableFault {
  const foreign = foreignForm.exec(text.slice(dollar, dollar + 100))?.[1]
  return {
    what: `a variable is not of the form $NAME, \${NAME} or \${NAME:-default}`,
    hint: foreign === undefined ? 'a default holds no variable; write $$ for a dollar sign' : `write \${${foreign}}`,
  }
}

/** As some editors write it. */
const foreignForm = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/

export interface Expansion {
  readonly environment: Environment
  /** Told of each text that could not be expanded, by its path inside the value. */
  readonly onFault: (path: Path, fault: VariableFault) => void
  readonly onSecret: (value: string) => void
}

/** Expands every text inside a value, at any depth; keys stay. A text with a fault stays as it was written. */
export function expandData(value: Json, expansion: Expansion, path: Path = []): Json {
  if (typeof value === 'string') {
    const expanded = expandText(value, expansion.environment)
    if ('fault' in expanded) {
      expansion.onFault(path, expanded.fault)
      return value
    }
    for (const secret of expanded.secrets) expansion.onSecret(secret)
    return expanded.text
  }
  if (Array.isArray(value)) {
    return value.map((item: Json, index): Json => expandData(item, expansion, [...path, index]))
  }
  if (value === null || typeof value !== 'object') return value
  const copy: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) copy[key] = expandData(item, expansion, [...path, key])
  }
  return copy
}
