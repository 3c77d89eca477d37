// How long a decision about ten thousand tools takes, next to reading their definitions at all. Both are measured in
// turn in one process, each on data that nothing has touched before, so that no cache flatters either. What is
// measured is the built package (`npm run build`): a loader that rewrites the source costs time of its own.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Candidate, Definition } from '../src/core/candidate.ts'
import { deepFreeze } from '../src/core/json.ts'
import type { Surface } from '../src/core/surface.ts'
import { built } from './built.ts'
import { median, milliseconds, printRatios, type Ratio } from './ratios.ts'
import { realLooking } from './real-looking.ts'

const { assemble, explain, gateOrder, sha256 } = await built()

const rounds = 9
const whyRounds = 2000
const { from, candidates, facts } = realLooking(10_000, 500)
const text = JSON.stringify(candidates.map((candidate) => candidate.definition))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const parse: number[] = []
const decide: number[] = []
let surface: Surface | undefined
for (let round = 0; round <= rounds; round++) {
  collectGarbage()
  const parseStart = performance.now()
  const definitions = JSON.parse(text) as Definition[]
  const parsed = performance.now() - parseStart

  const fresh = candidates.map((candidate, at): Candidate => deepFreeze({ ...candidate, definition: definitions[at] ?? candidate.definition }))
  collectGarbage()
  const decideStart = performance.now()
  surface = assemble(facts, fresh, gateOrder.default, { sha256 })
  const decided = performance.now() - decideStart
  // The first round is the one in which the code itself is compiled.
  if (round > 0) {
    parse.push(parsed)
    decide.push(decided)
  }
}
if (surface === undefined) throw new Error('no round was run')

const run = { surface, gates: gateOrder.default, preset: 'default', servers: [], findings: [] }
const words = (['eager', 'deferred', 'excluded'] as const).flatMap((outcome) => spread(run.surface.withOutcome(outcome).map(({ name }) => name), 40))
const known = timesOf(words, whyRounds)
const unknown = timesOf(words.map((word) => `no_${word}_there`), 60)

const parseMs = median(parse)
const ratios: Ratio[] = [
  { what: 'assemble', value: median(decide), peer: 'JSON.parse', peerValue: parseMs, most: 1 },
  { what: 'why, a known name', value: median(known), peer: 'JSON.parse', peerValue: parseMs, most: 1 / 1000 },
  { what: 'why, an unknown name', value: median(unknown), peer: 'JSON.parse', peerValue: parseMs },
]
const { eager, deferred, excluded } = surface.totals
printRatios({
  title: 'assemble',
  about: [
    `${candidates.length} candidates, ${facts.permissions.rules.length} rules, ${facts.skills.list.length} skills; ${from}`,
    `${(text.length / 1e6).toFixed(1)} million characters of definitions; ${eager} eager, ${deferred} deferred, ${excluded} excluded`,
    `medians of ${rounds} rounds in turn, ${whyRounds} words`,
  ],
  ratios,
  figure: milliseconds,
})

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
