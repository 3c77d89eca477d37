import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionState } from '../../src/sessions/pool/pool.ts'
import { expects, failureOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

const askedForMs = 30_000

export const flappingServer: Scenario = {
  id: 'R7',
  title: 'a server dies 300 ms after each start',
  boundMs: 60_000,
  run: async (world) => {
    const told: SessionState[] = []
    const pool = world.poolWith({ onState: (state) => told.push(state) })
    const server = world.server('flapping', { lifeMs: 300, calls: { work: { hang: true } } })
    const until = performance.now() + askedForMs
    let asked = 0
    while (performance.now() < until) {
      asked += 1
      await failureOf(world.call(server, { pool, idleTimeoutMs: 5000 }))
      await sleep(50)
    }
    const starts = server.pids().length
    const [state] = pool.states()
    const misses = expects(
      [starts <= 12, `it was started ${starts} times`],
      [starts >= 3, `it was given up after ${starts} starts`],
      [told.length <= starts * 6, `${told.length} changes of state were told`],
      [state?.lastError !== undefined, 'nobody says why it is down'],
    )
    return {
      misses,
      seen: `${starts} starts in 30 s of ${asked} calls; ${told.length} lines; now ${state?.phase}: ${state?.lastError?.slice(0, 50)}`,
    }
  },
}
