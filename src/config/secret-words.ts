// Literal secrets in a configuration: nothing marks them but the name they stand under. Used to hide more, never to
// decide; values of variables and of `env` and `headers` are hidden whatever their names are.

import type { Json } from '../core/json.ts'

/** True for the name of an option or key whose value people keep to themselves. */
export function soundsSecret(name: string): boolean {
  return secretWord.test(name)
}

const secretWord = /token|secret|passw|pwd|credential|auth|(?:api|private|access|account)[-_]?key|^key$/i

/** Texts that stand under such a name, at any depth. */
export function secretsIn(value: Json | undefined, name = ''): string[] {
  if (typeof value === 'string') return soundsSecret(name) ? [value] : []
  if (value === undefined || value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((item: Json) => secretsIn(item, name))
  return Object.entries(value).flatMap(([key, item]) => secretsIn(item, soundsSecret(name) ? name : key))
}

/** Values in the query of a URL, and its user and password, as written and decoded. */
export function secretsOfUrl(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { searchParams, username, password } = new URL(url)
  const values = [...searchParams.values(), username, password, decoded(username), decoded(password)]
  return values.filter((value) => value !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
