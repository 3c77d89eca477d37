// The receivers of a tool list: providers and clients, each with what it accepts. Every figure carries how sure it
// is and where it was read; docs/targets.md shows this table, and a test compares the two.

import type { TargetFacts } from '../core/run-facts.ts'
import { clients } from './clients.ts'
import { common, providers } from './providers.ts'
import type { Target } from './target.ts'

/** All targets, in the order in which they are told. */
export const targets: readonly Target[] = [common, ...providers, ...clients]

export const targetNames: readonly string[] = targets.map((target) => target.name)

/** What the target of that name accepts; undefined for a name that is not in the table. */
export function targetNamed(name: string): TargetFacts | undefined {
  const target = targets.find((entry) => entry.name === name)
  return target === undefined ? undefined : factsOf(target)
}

function factsOf({ name, figures }: Target): Omit<TargetFacts, 'origin'> {
  const [toolsMax] = figures.toolsMax
  const [descriptionMax] = figures.descriptionMax
  return Object.freeze({
    name,
    nameMax: figures.nameMax[0],
    nameCharset: figures.nameCharset[0],
    nameStartsWithLetter: figures.nameStartsWithLetter[0],
    ...(toolsMax === undefined ? {} : { toolsMax }),
    ...(descriptionMax === undefined ? {} : { descriptionMax }),
    descriptionRequired: figures.descriptionRequired[0],
    schemaProfile: figures.schemaProfile[0],
  })
}

/** The target of a run that names none. */
export const commonTarget: Omit<TargetFacts, 'origin'> = factsOf(common)
