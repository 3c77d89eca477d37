import { printable } from '../../src/core/printable.ts'
import { type HostileCase, type Kind, readCases } from './case.ts'
import { watched } from './watched.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
}

/** Misses of one case, from inside and from outside. Never rejects. `[]`: it came out as it must. */
export async function runCase(kind: Kind, one: HostileCase, dataDir: string): Promise<readonly string[]> {
  await kind.prepare?.(dataDir)
  return watched(one, () => kind.run(one, dataDir))
}

/**
 * Feeds the cases of a folder, those of one kind or of all, and says a line for each miss. Kinds that nothing
 * feeds yet are told with their number and count as neither. Throws an Error when the folder has no manifest of
 * the form, or when the one kind that is asked for has no cases or is not fed.
 */
export async function runCases(
  dataDir: string,
  options: { readonly kinds: readonly Kind[]; readonly only?: string; readonly say: (line: string) => void },
): Promise<Tally> {
  const { kinds, only, say } = options
  const cases = readCases(dataDir)
  const asked = only === undefined ? cases : cases.filter((one) => one.kind === only)
  if (only !== undefined && asked.length === 0)
    throw new Error(`no case of kind "${printable(only, 40)}" in the folder`)
  const fed = new Map(kinds.map((kind) => [kind.kind, kind]))
  const unfed = tallied(asked.filter((one) => !fed.has(one.kind)).map((one) => one.kind))
  if (only !== undefined && unfed.size > 0) throw new Error(`kind "${printable(only, 40)}" is not fed yet`)

  let failed = 0
  let passed = 0
  for (const kind of kinds) {
    for (const one of asked.filter((other) => other.kind === kind.kind)) {
      const found = await runCase(kind, one, dataDir)
      if (found.length === 0) passed += 1
      else failed += 1
      for (const miss of found) say(`${one.kind} ${printable(one.id, 60)}: ${printable(miss, 600)}`)
    }
  }
  if (unfed.size > 0)
    say(`not fed yet: ${[...unfed].map(([kind, count]) => `${printable(kind, 40)} ${count}`).join(', ')}`)
  return { passed, failed }
}

function tallied(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
