// The arguments of the file tools. The runtime has judged them by the tool's schema; whoever calls a tool without one
// gets an error instead of a surprise. Paths are judged where they are read.

import type { JsonObject } from '../core/json.ts'
import { finding, ToolgateError } from '../errors.ts'

export function textOf(args: JsonObject, key: string): string {
  const value = args[key]
  if (typeof value === 'string') return value
  throw wrong(key, 'is no text')
}

export const optionalTextOf = (args: JsonObject, key: string): string | undefined =>
  args[key] === undefined || args[key] === null ? undefined : textOf(args, key)

/** A whole number from 1 on. */
export function optionalCountOf(args: JsonObject, key: string): number | undefined {
  const value = args[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value
  throw wrong(key, 'is no whole number from 1 on')
}

/** Absent: false. */
export function flagOf(args: JsonObject, key: string): boolean {
  const value = args[key] ?? false
  if (typeof value === 'boolean') return value
  throw wrong(key, 'is neither true nor false')
}

export const wrong = (key: string, what: string): ToolgateError =>
  new ToolgateError(finding('arguments-invalid', 'error', `"${key}" ${what}`, { subject: key }))
