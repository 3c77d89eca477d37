import { expects, failsWith, failureOf, textOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

const askers = 50

export const manyAskers: Scenario = {
  id: 'R21',
  title: `${askers} ask for one session at once, and the first goes away`,
  boundMs: 30_000,
  run: async (world) => {
    const server = world.server('wanted', { delayMs: 400, calls: { work: { text: 'fine' } } })
    const first = new AbortController()
    const calls = Array.from({ length: askers }, (_, at) =>
      at === 0 ? failureOf(world.call(server, { signal: first.signal })) : world.call(server),
    )
    setTimeout(() => first.abort(), 150)
    const [gone, ...answers] = await Promise.all(calls)
    const misses = [
      ...failsWith(gone as Awaited<ReturnType<typeof failureOf>>, 'call-cancelled', 5000),
      ...expects(
        [answers.every((answer) => textOf(answer) === 'fine'), 'one of the others failed'],
        [server.pids().length === 1, `${server.pids().length} processes were started`],
      ),
    ]
    return { misses, seen: `one process; ${answers.length} answers` }
  },
}
