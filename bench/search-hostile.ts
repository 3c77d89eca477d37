// A hundred queries of people who mean harm, over ten thousand tools: how long each takes and how long nothing else gets
// its turn, next to what a regular expression of the engine itself takes for two harmless ones over the same texts.

import { setImmediate as turn } from 'node:timers/promises'
import { findTools } from '../src/catalog/find-tools.ts'
import { type SearchIndex, searchIndex } from '../src/catalog/search/search-index.ts'
import { printable } from '../src/core/printable.ts'
import { median, milliseconds, printRatios } from './ratios.ts'
import { hostileDocuments } from './search/hostile-documents.ts'
import { hostileQueries } from './search/hostile-queries.ts'

const toolsMax = 10_000
const slowestMs = 100
const stallMs = 50
const triesMax = 3
const harmless = ['merge_[a-z]+', 'calendar|ticket']
const usual = ['github create issue', 'send a message to a slack channel', 'list files']

const documents = hostileDocuments(toolsMax)
const queries = hostileQueries()
let index = searchIndex(documents)
for (const query of usual) for (let round = 0; round < 20; round++) findTools(index, query)

const taken: (Try & { readonly query: string })[] = []
for (const query of queries) taken.push(await asked(query))

const texts = documents.map(({ name, description }) => `${name} ${description}`)
const plain = harmless.map((source) => {
  const pattern = new RegExp(source, 'i')
  return medianOf(() => texts.filter((text) => pattern.test(text)).length)
})
const ours = harmless.map((source) => medianOf(() => findTools(index, `/${source}/`)))
const words = usual.map((query) => medianOf(() => findTools(index, query)))

const times = taken.map(({ ms }) => ms).sort((a, b) => a - b)
const peer = { peer: 'a plain regex', peerValue: median(plain) }
const limit = (most: number) => ({ peer: 'the limit', peerValue: most, most: 1 })
const answers = [...new Set(taken.map(({ answer }) => answer))].map(
  (each) => `${taken.filter(({ answer }) => answer === each).length} ${each}`,
)
printRatios({
  title: 'search-hostile',
  about: [
    `${queries.length} queries, ${documents.length} tools, ${(texts.join('').length / 1e6).toFixed(1)} million characters; each query on a turn of its own`,
    `answers: ${answers.join(', ')}`,
    ...[...taken]
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 5)
      .map(({ query, ms, answer }) => `${milliseconds(ms)} ${answer}: ${printable(query, 60).slice(0, 60)}`),
  ],
  ratios: [
    { what: 'the slowest query', value: times.at(-1) ?? Number.NaN, ...limit(slowestMs) },
    {
      what: 'the slowest, processor time',
      value: Math.max(...taken.map(({ processorMs }) => processorMs)),
      peer: 'the limit',
      peerValue: slowestMs,
    },
    { what: 'the longest stall', value: Math.max(...taken.map(({ stall }) => stall)), ...limit(stallMs) },
    { what: '99 of 100 queries', value: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN, ...peer },
    { what: 'the middle query', value: median(times), ...peer },
    { what: 'a harmless /pattern/', value: median(ours), ...peer },
    { what: 'ordinary words', value: median(words), ...peer },
  ],
  figure: milliseconds,
})

/**
 * One query on its own turn. Other work on the machine can hold up any of them, so one that is over a limit is asked
 * again, of an index that has not met it; the best try counts.
 */
async function asked(query: string): Promise<Try & { readonly query: string }> {
  let best = await tried(index, query)
  for (let again = 1; again < triesMax && (best.ms > slowestMs || best.stall > stallMs); again++) {
    index = searchIndex(documents)
    for (const each of usual) findTools(index, each)
    const next = await tried(index, query)
    if (next.ms < best.ms) best = next
  }
  return { query, ...best }
}

interface Try {
  readonly ms: number
  /** What of it was this process, all threads: does not grow with other work on the machine. */
  readonly processorMs: number
  /** Milliseconds between two turns of a ticking loop, the longest while the query was there. */
  readonly stall: number
  readonly answer: string
}

async function tried(of: SearchIndex, query: string): Promise<Try> {
  let stall = 0
  let last = performance.now()
  let over = false
  const ticking = (async () => {
    while (!over) {
      await turn()
      const now = performance.now()
      stall = Math.max(stall, now - last)
      last = now
    }
  })()
  await turn()
  const usage = process.cpuUsage()
  const start = performance.now()
  const found = await findTools(of, query)
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(usage)
  await turn()
  over = true
  await ticking
  return {
    ms,
    processorMs: (user + system) / 1000,
    stall,
    answer: found.kind === 'fault' ? `refused (${found.code})` : found.kind,
  }
}

function medianOf(work: () => unknown): number {
  const took: number[] = []
  for (let round = 0; round < 15; round++) {
    const start = performance.now()
    work()
    took.push(performance.now() - start)
  }
  return median(took.slice(5))
}
