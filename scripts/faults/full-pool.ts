import { setTimeout as sleep } from 'node:timers/promises'
import { expects, failsWith, failureOf, textOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

const capacity = 8

export const fullPool: Scenario = {
  id: 'R20',
  title: `a pool of ${capacity} with nine who want a session`,
  boundMs: 60_000,
  run: async (world) => {
    const pool = world.poolWith({ max: capacity, waitMs: 1500 })
    const server = world.server('busy', { calls: { work: { afterMs: 6000 }, quick: { text: 'fine' } } })
    const thread = (at: number) => ({ owner: { user: 'faults', thread: `t${at}` }, pool })
    const misses: string[] = []
    // All are open and idle, in this order; the first is asked once more, so that the second is the longest idle.
    for (let at = 0; at < capacity; at += 1) await world.call(server, { tool: 'quick', ...thread(at) })
    await world.call(server, { tool: 'quick', ...thread(0) })
    await world.call(server, { tool: 'quick', ...thread(100) })
    const owners = new Set(pool.states().map(({ owner }) => owner.thread))
    misses.push(...expects([!owners.has('t1') && owners.has('t0'), 'not the longest idle session made room']))
    misses.push(...expects([pool.states().length <= capacity, 'more sessions are open than may be']))
    await pool.endThread(thread(100).owner)

    const running = Array.from({ length: capacity }, (_, at) => world.call(server, thread(at)))
    await sleep(2500)
    misses.push(...failsWith(await failureOf(world.call(server, { tool: 'quick', ...thread(9) })), 'pool-full', 3000))
    const texts = await Promise.all(running.map(async (call) => textOf(await call)))
    misses.push(...expects([texts.every((text) => text === 'ok'), 'a busy session was ended']))
    const begin = performance.now()
    await world.call(server, { tool: 'quick', ...thread(9) })
    return {
      misses,
      recoveryMs: performance.now() - begin,
      seen: `${capacity} busy calls ended well; the ninth was told pool-full, and served when there was room`,
    }
  },
}
