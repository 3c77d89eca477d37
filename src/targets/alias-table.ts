// The way back from a name that the model uses to the tool behind it. The table is read from decisions; no name is
// ever taken apart or decoded.

import type { Surface } from '../core/surface.ts'

export interface AliasEntry {
  /** What the model calls. */
  readonly name: string
  readonly id: string
  readonly server?: string
  /** What goes over the wire to its owner. */
  readonly originalName: string
  /** True when the target would not take the name that the tool would otherwise bear. */
  readonly aliased: boolean
}

/** Every exposed tool (eager or deferred) by the name it is exposed under; a map, because names come from strangers. */
export function aliasTable(surface: Surface): ReadonlyMap<string, AliasEntry> {
  const table = new Map<string, AliasEntry>()
  for (const { candidate, name, outcome } of surface.decisions) {
    if (outcome === 'excluded' || table.has(name)) continue
    const { id, server, originalName } = candidate
    table.set(name, {
      name,
      id,
      ...(server === undefined ? {} : { server }),
      originalName,
      aliased: name !== candidate.name,
    })
  }
  return table
}
