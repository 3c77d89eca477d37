// How deny and ask rules read names: in such a way that no other spelling of the same name escapes.

import { foldName } from '../core/json.ts'

/**
 * Letter case, compatibility forms and invisible characters do not count (`foldName`), and `-`, `.`, `_` and every
 * other dash or joiner are one separator.
 */
export function foldWide(name: string): string {
  if (folded.test(name)) return name
  if (plain.test(name)) return name.toLowerCase().replaceAll('-', '_').replaceAll('.', '_')
  const unified = foldName(name)
  return unified.replace(ascii.test(unified) ? dashes : joiners, '_')
}

/** Most names are as folded as they can be. */
const folded = /^[a-z0-9_]*$/
const plain = /^[!-~]*$/
const ascii = /^[\x20-\x7e]*$/
const dashes = /[-.]/g
const joiners = /[\p{Pd}\p{Pc}.\u00b7\u2212]/gu
