import type { Measured, Scored } from './measure.ts'

/** Figures of all sets: set → system → figures. */
export type Figures = ReadonlyMap<string, ReadonlyMap<string, Measured>>

/** The form of `--json`: fractions of 1, microseconds and milliseconds. */
export function searchJson(figures: Figures): { readonly sets: object } {
  const sets = [...figures].map(([set, systems]) => [set, ofSystems(systems)])
  return { sets: Object.fromEntries(sets) }
}

const ofSystems = (systems: ReadonlyMap<string, Measured>): object =>
  Object.fromEntries(
    [...systems].map(([id, { usPerQuery, buildMs, kinds, ...scored }]) => [
      id,
      {
        ...scoredJson(scored),
        usPerQuery,
        buildMs,
        kinds: Object.fromEntries([...kinds].map(([kind, ofKind]) => [kind, scoredJson(ofKind)])),
      },
    ]),
  )

const scoredJson = ({ recall, ndcg5, mrr, queries }: Scored): object => ({ recall, ndcg5, mrr, queries })
