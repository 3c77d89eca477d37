// Keys of the front matter. A key nobody knows is ignored with a remark, unless it may have been meant to restrict.

import { distance } from 'fastest-levenshtein'

/** Those of the Agent Skills format, and those that deer-flow and Claude Code add. Only the first three count here. */
const knownKeys: ReadonlySet<string> = new Set([
  'name',
  'description',
  'allowed-tools',
  'license',
  'compatibility',
  'metadata',
  'version',
  'author',
  'required-secrets',
  'secrets-autonomous',
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'model',
  'effort',
  'context',
  'agent',
  'hooks',
  'paths',
  'shell',
])

/** Keys that begin with `x-` are free. */
export const isKnownKey = (key: string): boolean => knownKeys.has(key) || key.startsWith('x-')

/**
 * Whether a key that is not `allowed-tools` looks like a list of tools: another spelling, a slip of up to two
 * letters, or the opposite list that Claude Code knows. To ignore one of these would lose a restriction.
 */
export function meansToolList(key: string): boolean {
  const bare = key
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  return bare.includes('allowedtool') || bare === 'tools' || bare === 'denytools' || distance(bare, 'allowedtools') <= 2
}
