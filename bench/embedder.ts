// What an embedder adds to the search of deferred tools, and what it costs, in one run on the same queries:
//
//   npm run bench:embedder -- --data DIR [--set livemcpbench] [--limit 100] [--json]
//
// DIR is a folder as `bench:search` reads it. Of each kind of query at most --limit are asked, evenly spread, first by
// words alone and then by words and meaning; every vector is made anew.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { embeddedIndex } from '../src/catalog/embedding/embedded-index.ts'
import { searchIndex } from '../src/catalog/search/search-index.ts'
import { printable } from '../src/core/printable.ts'
import { useLite } from '../src/embedders/use-lite.ts'
import { median, printRatios, type Ratio } from './ratios.ts'
import { InputError, tellInputError } from './search/input-error.ts'
import { answerMax, meanOf, type Scores, scoresOf } from './search/metrics.ts'
import { type Query, readSet, setNames } from './search/read-sets.ts'
import { chosen } from './search/search-options.ts'

const usage = 'usage: npm run bench:embedder -- --data DIR [--set NAME] [--limit N] [--json]'
/** So much that no query is given up for the load of the machine. */
const queryTimeoutMs = 30_000

try {
  await main(process.argv.slice(2))
} catch (error) {
  tellInputError(error)
} finally {
  await useLite.close?.()
}

interface Answered {
  readonly scores: Scores
  readonly ms: number
}

async function main(argv: readonly string[]): Promise<void> {
  const { data, set: name, limit } = optionsOf(argv)
  chosen('set', [name], setNames(data))
  const { documents, queries } = readSet(data, name)
  const { ms: buildMs, value: index } = await timed(async () => searchIndex(documents))
  const { ms: loadMs } = await timed(async () => useLite.prepare?.())
  const embedded = embeddedIndex(index, useLite, { queryTimeoutMs })
  const { ms: embedMs, value: state } = await timed(embedded.settled)
  if (state.phase !== 'ready') throw new Error(`the vectors were not made: ${state.phase}`)

  const namesOf = (query: string, scores: Float64Array) =>
    index.rankScores(query, scores, answerMax).hits.map(({ document }) => document.name)
  const byWords = (query: string) => Promise.resolve(namesOf(query, index.scores(query)))
  const byBoth = async (query: string) => namesOf(query, (await embedded.scores(query)).scores)
  const asked = sampled(queries, limit)
  const words: Answered[] = []
  const both: Answered[] = []
  for (const query of asked) {
    words.push(await answered(query, byWords))
    both.push(await answered(query, byBoth))
  }
  const kinds = [...new Set(asked.map(({ kind }) => kind))]
  const recall = (what: string, of: (query: Query) => boolean): Ratio => {
    const mean = (all: readonly Answered[]) =>
      100 * meanOf(all.filter((_, at) => of(asked[at] as Query)).map(({ scores }) => scores)).recall[5]
    return { what: `${what}, recall@5, %`, value: mean(both), peer: 'words alone', peerValue: mean(words) }
  }
  const count = (of: string) => asked.filter(({ kind }) => kind === of).length
  printRatios({
    title: 'embedder',
    about: [
      `${name}: ${documents.length} tools, ${asked.length} queries; ${useLite.id} with weight 0.6`,
      `the model is loaded in ${loadMs.toFixed(0)} ms; the vectors of all tools are made in ${(embedMs / 1000).toFixed(1)} s`,
    ],
    ratios: [
      ...kinds.map((kind) => recall(`${kind} (${count(kind)})`, (query) => query.kind === kind)),
      recall('all', () => true),
      {
        what: 'a query, ms',
        value: median(both.map(({ ms }) => ms)),
        peer: 'words alone',
        peerValue: median(words.map(({ ms }) => ms)),
      },
      {
        what: 'a tool, ms',
        value: embedMs / documents.length,
        peer: 'words alone',
        peerValue: buildMs / documents.length,
      },
    ],
    figure: (value) => value.toFixed(value < 10 ? 2 : 1),
  })
}

async function answered(query: Query, search: (text: string) => Promise<readonly string[]>): Promise<Answered> {
  const { ms, value } = await timed(() => search(query.text))
  return { scores: scoresOf(query, value), ms }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const start = performance.now()
  const value = await work()
  return { ms: performance.now() - start, value }
}

/** At most so many of each kind, evenly spread. */
function sampled(queries: readonly Query[], limit: number): readonly Query[] {
  const byKind = new Map<string, Query[]>()
  for (const query of queries) byKind.set(query.kind, [...(byKind.get(query.kind) ?? []), query])
  return [...byKind.values()].flatMap((all) => {
    const step = Math.max(1, all.length / limit)
    return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
  })
}

function optionsOf(argv: readonly string[]): { readonly data: string; readonly set: string; readonly limit: number } {
  const text = { type: 'string' } as const
  let values: { readonly data?: string; readonly set?: string; readonly limit?: string }
  try {
    values = parseArgs({
      args: [...argv],
      options: { data: text, set: text, limit: text, json: { type: 'boolean' } },
    }).values
  } catch (error) {
    throw new InputError(`${printable(error instanceof Error ? error.message : String(error), 200)}\n${usage}`)
  }
  const { data, set = 'livemcpbench', limit = '100' } = values
  if (data === undefined || !/^[1-9]\d{0,5}$/.test(limit)) throw new InputError(usage)
  return { data: resolve(data), set, limit: Number(limit) }
}
