// The catalog: the deferred tools of one surface, as they can be searched and promoted. Made after policy, so what a
// gate took away is not in it. Never changed: another surface has another catalog.

import type { Definition } from '../core/candidate.ts'
import type { Sha256 } from '../core/json.ts'
import type { Surface } from '../core/surface.ts'

export interface CatalogEntry {
  /** The name that the model sees and calls. */
  readonly name: string
  /** Identity of the tool: source, owner and original name. */
  readonly id: string
  readonly server?: string
  readonly originalName: string
  /** The definition as the model gets it, adapted to the target. */
  readonly definition: Definition
  readonly definitionChars: number
  /** SHA-256 over server identity, original name and the definition as its owner gives it. */
  readonly definitionHash: string
  /** Configured words by which requests are routed to it. `[]`: none. */
  readonly keywords: readonly string[]
  /** Configured; 0 where nobody says. */
  readonly priority: number
  /** False: words of a message never promote it. Absent: they may. */
  readonly autoPromote?: false
}

export interface Catalog {
  /** In the order of sources. `[]`: nothing is deferred, and there is no `tool_search`. */
  readonly entries: readonly CatalogEntry[]
  /** SHA-256 over names, identities and definitions; the order of entries makes no difference. */
  readonly hash: string
  /** Exact bytes only. */
  readonly find: (name: string) => CatalogEntry | undefined
}

/** The deferred tools of a surface. Pure: the same surface gives the same hash. */
export function catalogOf(surface: Surface, sha256: Sha256): Catalog {
  const entries: CatalogEntry[] = surface
    .withOutcome('deferred')
    .map(({ candidate, name, definition, definitionChars }) =>
      Object.freeze({
        name,
        id: candidate.id,
        ...(candidate.server === undefined ? {} : { server: candidate.server }),
        originalName: candidate.originalName,
        definition,
        definitionChars,
        definitionHash: candidate.definitionHash,
        keywords: candidate.routing?.keywords ?? [],
        priority: candidate.routing?.priority ?? 0,
        ...(candidate.routing?.autoPromote === false ? { autoPromote: false as const } : {}),
      }),
    )
  return makeCatalog(entries, sha256)
}

/** Puts entries behind look-ups. The first of a name wins. */
export function makeCatalog(entries: readonly CatalogEntry[], sha256: Sha256): Catalog {
  const byName = new Map<string, CatalogEntry>()
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry)
  // Every word stands behind its length, so that no name can be read as another word.
  const lines = [...byName.values()].map(
    ({ name, id, definitionHash }) => `${name.length}:${name}${id.length}:${id}${definitionHash}`,
  )
  return Object.freeze({
    entries: Object.freeze([...byName.values()]),
    hash: sha256(lines.sort().join('\n')),
    find: (name: string) => byName.get(name),
  })
}
