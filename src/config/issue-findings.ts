// What the schema library complains about, in our words: which key, what it must be, what to do. A value is shown only
// where the schema names the few that are allowed; anything else may be a secret.

import type { z } from 'zod'
import type { Finding } from '../core/finding.ts'
import { printable } from '../core/printable.ts'
import type { ErrorCode } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import { bounds } from './bounds.ts'
import { originIn, type Part, remark } from './part.ts'
import type { Path } from './place.ts'

type Issue = z.core.$ZodIssue

export type Checked<T> = { readonly data: T } | { readonly faults: readonly Finding[] }

/** Checks a part against a schema: its data, or one finding for each key that is at fault (bounded). */
export function checked<T>(schema: z.ZodType<T>, part: Part): Checked<T> {
  const result = schema.safeParse(part.value)
  if (result.success) return { data: result.data }
  const faults = new Map<string, Finding>()
  for (const issue of result.error.issues) {
    for (const fault of findingsOf(issue, part)) {
      // Two limits of one key are one mistake; the narrower one is checked last.
      faults.set(`${fault.code} ${fault.subject}`, fault)
      if (faults.size >= bounds.findings) return { faults: [...faults.values()] }
    }
  }
  return { faults: [...faults.values()] }
}

function findingsOf(issue: Issue, part: Part): Finding[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  const found = (code: ErrorCode, what: string, hint?: string): Finding[] => [
    remark(part, code, `${named(part, path)} ${what}`, { path, ...(hint === undefined ? {} : { hint }) }),
  ]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, bounds.findings).map((key) => unknownKey(part, path, key, issue.message.split(' ')))
    case 'invalid_type':
      return wrongType(issue.expected, valueAt(part.value, path), found)
    case 'invalid_value':
      return wrongChoice(issue.values, valueAt(part.value, path), found)
    case 'too_small':
      return issue.origin === 'string'
        ? found('config-range', 'must not be empty')
        : found('config-range', `must be at least ${issue.minimum}${shown(valueAt(part.value, path))}`)
    case 'too_big': {
      const unit = issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? ' items long' : ''
      return found('config-range', `must be at most ${issue.maximum}${unit}${shown(valueAt(part.value, path))}`)
    }
    case 'custom':
      return found(issue.params?.code === 'invalid-name' ? 'invalid-name' : 'config-range', issue.message)
    default:
      return found('config-type', 'cannot be read')
  }
}

type Found = (code: ErrorCode, what: string, hint?: string) => Finding[]

/** The key as the user wrote it, or the file where the fault is in its root. */
function named(part: Part, path: Path): string {
  const { key } = originIn(part, path)
  return key === undefined ? 'the file' : `"${key}"`
}

function unknownKey(part: Part, path: Path, key: string, known: readonly string[]): Finding {
  const near = nearest(key, known, 1)[0]
  const hint =
    near === undefined
      ? `known keys: ${known.join(', ')}; a free key begins with x-`
      : `did you mean "${near}"? a free key begins with x-`
  const where = originIn(part, path).key === undefined ? '' : ` in ${named(part, path)}`
  return remark(part, 'config-unknown-key', `the key "${printable(key, 60)}" is not known${where}`, {
    path: [...path, key],
    hint,
  })
}

function wrongType(expected: string, value: unknown, found: Found): Finding[] {
  const wanted = kinds.get(expected) ?? 'something else'
  if (value === undefined) return found('config-missing-key', `is missing; it is ${wanted}`)
  if (typeof value === 'number' && (expected === 'number' || expected === 'int')) {
    return found('config-range', `must be ${wanted}${shown(value)}`)
  }
  return found('config-type', `must be ${wanted}, and it is ${kindOf(value)}`, typeHint(expected, value))
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a finite number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a mapping'],
  ['record', 'a mapping'],
])

function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'boolean' ? 'true or false' : 'a number'
}

function typeHint(expected: string, value: unknown): string | undefined {
  if (value === null && expected === 'array') return 'write [] for none, or remove the key'
  if (value === null && (expected === 'object' || expected === 'record')) return 'write {} for none, or remove the key'
  if (value === null) return 'give it a value, or remove the key'
  if (expected === 'boolean') return 'write true or false, without quotes'
  if (expected === 'array') return 'write a list: [ … ]'
  if (expected === 'string' && typeof value !== 'object') return 'put the value in quotes'
  if ((expected === 'number' || expected === 'int') && typeof value === 'string') return 'remove the quotes'
  return undefined
}

function wrongChoice(values: readonly unknown[], value: unknown, found: Found): Finding[] {
  const options = `must be one of ${values.map(String).join(', ')}`
  if (value === undefined) return found('config-missing-key', options)
  if (!values.some((option) => typeof option === typeof value)) {
    return found('config-type', `${options}, and it is ${kindOf(value)}`)
  }
  if (typeof value !== 'string') return found('config-range', options)
  const near = nearest(
    value,
    values.filter((option) => typeof option === 'string'),
    1,
  )[0]
  // A text where true and false are allowed as well: most likely a quoted or a YAML 1.1 boolean.
  const code = values.some((option) => typeof option === 'boolean') ? 'config-type' : 'config-range'
  const hint = near === undefined ? undefined : `did you mean ${near}?`
  return found(code, `${options}, and it is "${printable(value, 40)}"`, hint)
}

const shown = (value: unknown): string => (typeof value === 'number' ? `, and it is ${value}` : '')

function valueAt(value: unknown, path: Path): unknown {
  let at = value
  for (const step of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string | number, unknown>)[step]
  }
  return at
}
