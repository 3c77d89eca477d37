import { expects, failureOf, textOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

export const slowReader: Scenario = {
  id: 'R18',
  title: 'a server reads 1 KB a second',
  boundMs: 60_000,
  run: async (world) => {
    const server = world.server('slow', { readBytesPerSecond: 1024, calls: { work: { text: 'fine' } } })
    const misses = expects([textOf(await world.call(server)) === 'fine', 'a small call failed'])
    const memory = process.memoryUsage().rss
    const args = { text: 'x'.repeat(1_000_000) }
    const failures = await Promise.all(
      Array.from({ length: 30 }, () => failureOf(world.call(server, { args, idleTimeoutMs: 3000 }))),
    )
    const grown = (process.memoryUsage().rss - memory) / 1e6
    const codes = new Map<string, number>()
    for (const failed of failures) codes.set(failed?.code ?? 'result', (codes.get(failed?.code ?? 'result') ?? 0) + 1)
    misses.push(
      ...expects(
        [failures.every((failed) => failed !== undefined), 'a call was answered that cannot have been read'],
        [failures.every((failed) => (failed?.ms ?? 0) < 8000), 'a call took longer than its limit'],
        [grown < 150, `memory grew by ${Math.round(grown)} MB`],
      ),
    )
    const told = [...codes].map(([code, times]) => `${times} ${code}`).join(', ')
    return { misses, seen: `30 calls of 1 MB: ${told}; ${Math.max(0, grown).toFixed(0)} MB more` }
  },
}
