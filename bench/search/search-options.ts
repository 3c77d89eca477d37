import { parseArgs } from 'node:util'
import { printable } from '../../src/core/printable.ts'
import { nearest } from '../../src/names/nearest.ts'
import { InputError } from './input-error.ts'

export interface SearchOptions {
  readonly data: string
  /** Absent: all that are there. */
  readonly sets?: readonly string[]
  /** Absent: all. */
  readonly systems?: readonly string[]
  readonly json: boolean
}

const usage = 'usage: npm run bench:search -- --data DIR [--sets a,b] [--systems x,y] [--json]'

/** The command line. Throws an InputError. */
export function searchOptions(argv: readonly string[]): SearchOptions {
  const { data, sets, systems, json } = parsed(argv)
  if (data === undefined) throw new InputError(usage)
  return {
    data,
    ...(sets === undefined ? {} : { sets: listOf(sets) }),
    ...(systems === undefined ? {} : { systems: listOf(systems) }),
    json: json ?? false,
  }
}

function parsed(argv: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...argv],
      options: { data: text, sets: text, systems: text, json: { type: 'boolean' } },
    }).values
  } catch (error) {
    throw new InputError(`${printable(error instanceof Error ? error.message : String(error), 200)}\n${usage}`)
  }
}

/** What is asked for, in the order of what is there. Throws an InputError for a name that is not there. */
export function chosen(
  what: string,
  asked: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] {
  if (asked === undefined) return known
  for (const name of asked) {
    if (known.includes(name)) continue
    const near = nearest(name, known)
    const hint =
      near.length > 0
        ? `did you mean "${printable(near[0] ?? '')}"`
        : `known: ${known.map((one) => printable(one)).join(', ')}`
    throw new InputError(`there is no ${what} "${printable(name)}": ${hint}`)
  }
  return known.filter((name) => asked.includes(name))
}

function listOf(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) throw new InputError(usage)
  return names
}
