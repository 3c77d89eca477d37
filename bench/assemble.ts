// How long a decision about ten thousand tools takes, next to reading their definitions at all. Both are measured in
// turn in one process, each on data that nothing has touched before, so that no cache flatters either. What is
// measured is the built package (`npm run build`): a loader that rewrites the source costs time of its own.

import type { Candidate, Definition } from '../src/core/candidate.ts'
import { deepFreeze } from '../src/core/json.ts'
import type { Surface } from '../src/core/surface.ts'
import { built } from './built.ts'
import { median, milliseconds, printRatios, type Ratio } from './ratios.ts'
import { realLooking } from './real-looking.ts'

const { assemble, explain, gateOrder, sha256 } = await built()

const rounds = 15
const whyRounds = 2000
const input = realLooking(10_000, 500)
const { from, facts } = input
const text = JSON.stringify(input.candidates.map(({ definition }) => definition))

const parse: Time[] = []
const decide: Time[] = []
let surface = decideAnew()
for (let round = 1; round < rounds; round++) surface = decideAnew()

const run = { surface, gates: gateOrder.default, preset: 'default', servers: [], findings: [] }
const words = (['eager', 'deferred', 'excluded'] as const).flatMap((outcome) =>
  spread(
    run.surface.withOutcome(outcome).map(({ name }) => name),
    40,
  ),
)
const known = timesOf(words, whyRounds)
const unknown = timesOf(
  words.map((word) => `no_${word}_there`),
  60,
)

// The first rounds are those in which the code itself is compiled.
const warm = (times: readonly Time[], of: keyof Time): number => median(times.slice(3).map((time) => time[of]))
const parseMs = warm(parse, 'wall')
const ratios: Ratio[] = [
  { what: 'assemble', value: warm(decide, 'wall'), peer: 'JSON.parse', peerValue: parseMs, most: 1 },
  {
    what: 'assemble, processor time',
    value: warm(decide, 'processor'),
    peer: 'JSON.parse',
    peerValue: warm(parse, 'processor'),
  },
  {
    what: 'assemble, the first time',
    value: decide[0]?.wall ?? Number.NaN,
    peer: 'JSON.parse',
    peerValue: parse[0]?.wall ?? Number.NaN,
  },
  { what: 'why, a known name', value: median(known), peer: 'JSON.parse', peerValue: parseMs, most: 1 / 1000 },
  { what: 'why, an unknown name', value: median(unknown), peer: 'JSON.parse', peerValue: parseMs },
]
const { eager, deferred, excluded } = surface.totals
printRatios({
  title: 'assemble',
  about: [
    `${input.candidates.length} candidates, ${facts.permissions.rules.length} rules, ${facts.skills.list.length} skills; ${from}`,
    `${(text.length / 1e6).toFixed(1)} million characters of definitions; ${eager} eager, ${deferred} deferred, ${excluded} excluded`,
    `medians of ${rounds - 3} rounds in turn after 3 to warm up, and of ${whyRounds} words`,
  ],
  ratios,
  figure: milliseconds,
})

/** One round: reads the definitions, then decides about them; adds to both lists of times. */
function decideAnew(): Surface {
  const [definitions, parsed] = timed(() => JSON.parse(text) as Definition[])
  // Copies of what the sources made, laid out in memory as the sources lay them out, with the definitions just read.
  const candidates = input.candidates.map(
    (candidate, at): Candidate => deepFreeze({ ...candidate, definition: definitions[at] ?? candidate.definition }),
  )
  const [decided, took] = timed(() => assemble(facts, candidates, gateOrder.default, { sha256 }))
  parse.push(parsed)
  decide.push(took)
  return decided
}

interface Time {
  readonly wall: number
  /** Of all threads, those of the garbage collector with them. */
  readonly processor: number
}

/** The result of some work, and the milliseconds it took. */
function timed<T>(work: () => T): [T, Time] {
  const usage = process.cpuUsage()
  const start = performance.now()
  const result = work()
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(usage)
  return [result, { wall, processor: (user + system) / 1000 }]
}

/** Evenly spaced items, at most so many. */
function spread<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(items.length / count))
  return items.filter((_, at) => at % step === 0).slice(0, count)
}

/** Milliseconds of each explanation; the first hundred are not counted. */
function timesOf(asked: readonly string[], count: number): number[] {
  const times: number[] = []
  for (let at = -100; at < count; at++) {
    const word = asked[(at + 100) % asked.length] ?? ''
    const start = performance.now()
    explain(run, word, { lang: 'en' })
    if (at >= 0) times.push(performance.now() - start)
  }
  return times
}
