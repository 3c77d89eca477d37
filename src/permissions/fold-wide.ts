// How deny and ask rules read names: in such a way that no other spelling of the same name escapes.

import { foldName } from '../core/json.ts'

/**
 * Letter case, compatibility forms and invisible characters do not count (`foldName`), and `-`, `.`, `_` and every
 * other dash or joiner are one separator.
 */
export function foldWide(name: string): string {
  if (folded.test(name)) return name
  const plain = foldName(name)
  return plain.replace(ascii.test(plain) ? dashes : joiners, '_')
}

/** Most names are as folded as they can be. */
const folded = /^[a-z0-9_]*$/
const ascii = /^[\x20-\x7e]*$/
const dashes = /[-.]/g
const joiners = /[\p{Pd}\p{Pc}.\u00b7\u2212]/gu
