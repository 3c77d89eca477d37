// One set through all systems. The first pass asks every query and scores the answers; it also warms the code up and is
// not timed. Then come the rounds: each builds every index anew, so that nothing that an index remembers of an earlier
// round flatters it, and asks a sample of the queries in small blocks, the systems taking turns at each block, so that
// other work on the machine falls on all of them alike.

import { median } from '../ratios.ts'
import { answerMax, meanOf, type Scores, scoresOf } from './metrics.ts'
import type { Query, QuerySet } from './read-sets.ts'
import type { Search, SearchSystem } from './system.ts'

export interface Scored extends Scores {
  readonly queries: number
}

export interface Measured extends Scored {
  /** Wall time of one query: the median over the rounds of their means. */
  readonly usPerQuery: number
  /** Wall time from the documents to a first answer, so that nothing is put off unseen: the median over the rounds. */
  readonly buildMs: number
  /** By kind, in the order in which kinds come up. */
  readonly kinds: ReadonlyMap<string, Scored>
}

export interface MeasureOptions {
  readonly rounds: number
  /** Queries of a round, spread evenly over the set. */
  readonly sampleMax: number
  /** What is being done now. */
  readonly progress: (line: string) => void
}

const blockSize = 10

/** Figures of each system, in the order given. */
export function measureSet(
  { name, documents, queries }: QuerySet,
  systems: readonly SearchSystem[],
  { rounds, sampleMax, progress }: MeasureOptions,
): ReadonlyMap<string, Measured> {
  const scores = new Map<string, readonly Scores[]>()
  for (const { id, build } of systems) {
    progress(`${name}: ${queries.length} queries through ${id}`)
    const search = build(documents)
    scores.set(
      id,
      queries.map((query) => scoresOf(query, search(query.text, answerMax))),
    )
  }
  const sample = spread(queries, sampleMax).map(({ text }) => text)
  const taken = systems.map(({ id }) => ({ id, us: [] as number[], buildMs: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    progress(`${name}: round ${round + 1} of ${rounds}`)
    const built = turned(
      systems.map(({ build }, at) => ({ build, times: taken[at] })),
      round,
    ).map(({ build, times }) => {
      const start = performance.now()
      const search = build(documents)
      search(sample[0] ?? '', answerMax)
      times?.buildMs.push(performance.now() - start)
      return { search, times }
    })
    const spent = msOf(
      built.map(({ search }) => search),
      sample,
    )
    for (const [at, { times }] of built.entries()) times?.us.push(((spent[at] ?? 0) * 1000) / sample.length)
  }
  return new Map(
    taken.map(({ id, us, buildMs }) => [
      id,
      { ...summed(queries, scores.get(id) ?? []), usPerQuery: median(us), buildMs: median(buildMs) },
    ]),
  )
}

/** Milliseconds that each search takes for all of the texts. Who begins changes from block to block. */
function msOf(searches: readonly Search[], texts: readonly string[]): number[] {
  const spent = searches.map(() => 0)
  for (let from = 0; from < texts.length; from += blockSize) {
    const block = texts.slice(from, from + blockSize)
    const turn = turned([...searches.entries()], from / blockSize)
    for (const [at, search] of turn) {
      const start = performance.now()
      for (const text of block) search(text, answerMax)
      spent[at] = (spent[at] ?? 0) + performance.now() - start
    }
  }
  return spent
}

function summed(queries: readonly Query[], scores: readonly Scores[]): Omit<Measured, 'usPerQuery' | 'buildMs'> {
  const byKind = new Map<string, Scores[]>()
  for (const [at, one] of scores.entries()) {
    const kind = queries[at]?.kind ?? 'all'
    const list = byKind.get(kind)
    if (list === undefined) byKind.set(kind, [one])
    else list.push(one)
  }
  return {
    ...meanOf(scores),
    queries: scores.length,
    kinds: new Map([...byKind].map(([kind, of]) => [kind, { ...meanOf(of), queries: of.length }])),
  }
}

/** The same list, begun at another place. */
const turned = <T>(list: readonly T[], by: number): readonly T[] => {
  const start = list.length === 0 ? 0 : by % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** At most so many items, evenly spread. */
const spread = <T>(items: readonly T[], max: number): readonly T[] =>
  items.length <= max
    ? items
    : Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)]).filter(
        (item) => item !== undefined,
      )
