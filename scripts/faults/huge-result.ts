import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expects, failsWith, failureOf, textOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

const bytes = 50_000_000

export const hugeResult: Scenario = {
  id: 'R5',
  title: 'a result of 50 MB beside other calls',
  boundMs: 60_000,
  run: async (world) => {
    const server = world.server('huge', {
      calls: { work: { bytes }, quick: { text: 'fine' }, slow: { afterMs: 3000 } },
    })
    await world.call(server, { tool: 'quick' })
    const beside = world.call(server, { tool: 'slow' })
    const memory = process.memoryUsage().rss
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const failed = await failureOf(world.call(server))
    delay.disable()
    const grown = (process.memoryUsage().rss - memory) / 1e6
    const stall = delay.max / 1e6
    const begin = performance.now()
    const next = textOf(await world.call(server, { tool: 'quick' }))
    const recoveryMs = performance.now() - begin
    const misses = [
      ...failsWith(failed, 'result-too-large', 20_000),
      ...expects(
        [next === 'fine', 'the next call of the session failed'],
        [textOf(await beside) === 'ok', 'a call beside it was lost'],
        [server.pids().length === 1, 'the server was replaced'],
        [stall < 50, `the event loop stood still for ${Math.round(stall)} ms`],
        [grown < 100, `memory grew by ${Math.round(grown)} MB`],
      ),
    ]
    return {
      misses,
      recoveryMs,
      seen: `refused; longest stall ${stall.toFixed(0)} ms, ${Math.max(0, grown).toFixed(0)} MB more; the session stays`,
    }
  },
}
