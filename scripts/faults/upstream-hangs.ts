import { setTimeout as sleep } from 'node:timers/promises'
import { expects, failsWith, failureOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

export const upstreamHangs: Scenario = {
  id: 'R2',
  title: 'a server hangs, drips, or tells progress for ever',
  boundMs: 60_000,
  run: async (world) => {
    const misses: string[] = []
    const calls = {
      work: { hang: true },
      drip: { text: 'x'.repeat(2000), dripMs: 200 },
      flood: { progress: { everyMs: 20, times: 100_000 } },
      quick: { text: 'fine' },
    } as const
    const server = world.server('hanging', { calls })
    await world.call(server, { tool: 'quick' })
    const pid = server.pids().at(-1)
    for (const tool of ['work', 'drip'] as const)
      misses.push(
        ...failsWith(await failureOf(world.call(server, { tool, idleTimeoutMs: 600 })), 'call-timed-out', 2500),
      )
    const flood = failureOf(world.call(server, { tool: 'flood', idleTimeoutMs: 600, totalTimeoutMs: 2000 }))
    misses.push(...failsWith(await flood, 'call-timed-out', 4000))
    await sleep(300)
    const cancelled = server.received().filter(({ method }) => method === 'notifications/cancelled').length
    misses.push(...expects([cancelled >= 2, `the server was told of ${cancelled} cancelled calls, not of all`]))
    await world.call(server, { tool: 'quick' })
    misses.push(...expects([server.pids().length === 1, 'a server that answers pings was replaced']))
    misses.push(...expects([server.pids().at(-1) === pid, 'another process answered']))

    const deaf = world.server('deaf', { calls, deaf: true })
    await world.call(deaf, { tool: 'quick' })
    misses.push(...failsWith(await failureOf(world.call(deaf, { idleTimeoutMs: 400 })), 'call-timed-out', 2500))
    const begin = performance.now()
    // The ping has five seconds.
    await sleep(6000)
    await world.call(deaf, { tool: 'quick' })
    misses.push(...expects([deaf.pids().length === 2, `a deaf server was started ${deaf.pids().length} times, not 2`]))
    return {
      misses,
      recoveryMs: Math.max(0, performance.now() - begin - 6000),
      seen: `limits hold, ${cancelled} cancellations arrived, a deaf server is replaced`,
    }
  },
}
