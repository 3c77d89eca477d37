import { refusal } from './sqlite-access.ts'

/** Characters of a user, a thread, an agent or a tool. */
const charsMax = 1024

/**
 * A foreign text as a column holds it: exact and without collisions, whatever it is made of. SQLite's libraries would
 * cut at U+0000 and mend lone surrogates. Throws a ToolgateError `state-refused`.
 */
export function column(text: string, what: string, place: string): string {
  if (typeof text !== 'string' || text.length > charsMax)
    throw refusal('state-refused', place, `the ${what} is no text of at most ${charsMax} characters`)
  return JSON.stringify(text)
}

/** The text of a column; undefined when somebody else wrote it. */
export function textOfColumn(value: unknown): string | undefined {
  try {
    const text: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}

/** The bytes of a column, in whichever form the library gives them; undefined when somebody else wrote it. */
export function bytesOfColumn(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}
