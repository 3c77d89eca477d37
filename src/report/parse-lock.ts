// Reading a lock file back. Somebody may have edited it: anything that is not wholly a lock is an error, since half
// a lock would pass what it should catch.

import { finding, ToolgateError } from '../errors.ts'
import type { Lock, LockedTool } from './lock.ts'

/** The lock that a text holds. Throws a ToolgateError `lock-format` that says what is wrong with it. */
export function parseLock(text: string, file: string): Lock {
  if (text.length > charsMax) throw broken(file, 'it is larger than 32 MiB')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw broken(file, 'it is not JSON')
  }
  if (!isRecord(value)) throw broken(file, 'it is not a JSON object')
  if (value.schema !== 'toolgate.lock/1') throw broken(file, 'its schema is not "toolgate.lock/1"')
  for (const key of ['preset', 'agent', 'model', 'target', 'facts']) {
    if (typeof value[key] !== 'string') throw broken(file, `"${key}" is not a text`)
  }
  if (!Array.isArray(value.tools)) throw broken(file, '"tools" is not a list')
  const at = value.tools.findIndex((tool) => !isLockedTool(tool))
  if (at >= 0) throw broken(file, `tools[${at}] is not a locked tool`)
  const ids = new Set(value.tools.map((tool: LockedTool) => tool.id))
  if (ids.size !== value.tools.length) throw broken(file, 'one tool stands in it twice')
  return value as unknown as Lock
}

const charsMax = 32 * 1024 * 1024

function broken(file: string, what: string): ToolgateError {
  return new ToolgateError(
    finding('lock-format', 'error', `the lock file cannot be used: ${what}`, {
      hint: 'write it anew with `toolgate lock`, and review the difference',
      origin: { in: file },
    }),
  )
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isLockedTool(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { name, id, outcome, approval, conditions, definitionHash } = value
  return (
    [name, id, definitionHash].every((text) => typeof text === 'string') &&
    (outcome === 'eager' || outcome === 'deferred') &&
    (approval === 'free' || approval === 'ask') &&
    Array.isArray(conditions) &&
    conditions.every((condition) => typeof condition === 'string')
  )
}
