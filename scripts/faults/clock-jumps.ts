import { setTimeout as sleep } from 'node:timers/promises'
import { expects, failsWith, failureOf, textOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

const hourMs = 3_600_000

export const clockJumps: Scenario = {
  id: 'R16',
  title: 'the clock jumps an hour forth and back',
  boundMs: 30_000,
  run: async (world) => {
    const { now } = Date
    const misses: string[] = []
    const server = world.server('timed', { calls: { work: { afterMs: 800 }, hang: { hang: true } } })
    const pool = world.poolWith({ idleMs: 60_000 })
    await world.call(server, { pool })
    try {
      for (const jump of [hourMs, -hourMs]) {
        const running = world.call(server, { pool, idleTimeoutMs: 5000 })
        await sleep(200)
        Date.now = () => now() + jump
        misses.push(...expects([textOf(await running) === 'ok', 'a call that ran was lost']))
        const hanging = failureOf(world.call(server, { pool, tool: 'hang', idleTimeoutMs: 700 }))
        const failed = await hanging
        misses.push(
          ...failsWith(failed, 'call-timed-out', 2500),
          ...expects([(failed?.ms ?? 0) >= 650, 'a limit passed early']),
        )
        await sleep(300)
        misses.push(...expects([pool.states()[0]?.phase === 'open', `the session is ${pool.states()[0]?.phase}`]))
        Date.now = now
      }
    } finally {
      Date.now = now
    }
    misses.push(...expects([server.pids().length === 1, 'the session was replaced']))
    return { misses, seen: 'calls, limits and idling went on as before' }
  },
}
