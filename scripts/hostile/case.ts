// The form of a folder of hostile inputs: manifest.json with the cases, and beside it the files they name.

import { readFileSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'

export type Outcome = 'accept' | 'reject' | 'sanitize'

export interface Expectation {
  readonly outcome: Outcome
  /** Other outcomes that are safe as well. Absent or `[]`: only `outcome` passes. */
  readonly or?: readonly Outcome[]
  /** For a reject: of every inner list at least one word stands in an error. */
  readonly names?: readonly (readonly string[])[]
  /** For a sanitize: the exact result. */
  readonly to?: unknown
  /** For a sanitize: the result in words. */
  readonly sanitized?: string
  readonly yields?: { readonly [fact: string]: unknown }
  readonly keeps?: unknown
  readonly drops?: unknown
  readonly flags?: readonly string[]
  readonly flags_at_most?: readonly string[]
  readonly scope?: 'item' | 'server' | 'file' | 'call'
  readonly invariants?: readonly string[]
  readonly max_ms?: number
  readonly error_max_chars?: number
  readonly text: string
}

export interface HostileCase {
  readonly id: string
  readonly kind: string
  readonly file: string
  /** JSON pointer of the entry in a file that holds many. */
  readonly at?: string
  /** For a call: the ways by which it comes. Absent: the kind has one way. */
  readonly through?: readonly string[]
  readonly expect: Expectation
  readonly why: string
  readonly threat: string
}

/** One way in: how the inputs of a kind are fed, and what did not come out as the case says. */
export interface Kind {
  readonly kind: string
  /** What is there before the clock of a case runs. Absent: nothing. */
  readonly prepare?: (dataDir: string) => Promise<void>
  /** Why a case cannot be fed on this machine, such as a program that is missing. Absent, or undefined: it can be. */
  readonly needs?: (one: HostileCase) => string | undefined
  readonly run: (one: HostileCase, dataDir: string) => Promise<readonly string[]>
}

/** The cases of a folder. Throws an Error with one line when the folder has no manifest of this form. */
export function readCases(dataDir: string): readonly HostileCase[] {
  const manifest: unknown = JSON.parse(readFileSync(join(dataDir, 'manifest.json'), 'utf8'))
  const cases = typeof manifest === 'object' && manifest !== null && 'cases' in manifest ? manifest.cases : undefined
  if (!Array.isArray(cases)) throw new Error('manifest.json holds no list "cases"')
  for (const [index, one] of cases.entries()) {
    const sound = typeof one?.id === 'string' && typeof one.kind === 'string' && typeof one.file === 'string'
    if (!sound || typeof one.expect?.outcome !== 'string')
      throw new Error(`manifest.json: case ${index} is not of the known form`)
  }
  return cases
}

/** Path of the file of a case. Throws when it would leave the folder. */
export function fileOf(one: HostileCase, dataDir: string): string {
  const path = normalize(one.file)
  if (isAbsolute(path) || path.startsWith('..')) throw new Error(`${one.id}: its file lies outside the folder`)
  return join(dataDir, path)
}

/** The entry of a list file that a case points at. */
export function entryOf(one: HostileCase, dataDir: string): { readonly [key: string]: unknown } {
  let value: unknown = JSON.parse(readFileSync(fileOf(one, dataDir), 'utf8'))
  for (const step of (one.at ?? '').split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      throw new Error(`${one.id}: nothing at ${one.at}`)
    value = (value as { readonly [key: string]: unknown })[key]
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${one.id}: no object at ${one.at}`)
  return value as { readonly [key: string]: unknown }
}
