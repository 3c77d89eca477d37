import { expects, failsWith, failureOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

const callers = 10

export const startHangs: Scenario = {
  id: 'R3',
  title: 'a server never answers the handshake',
  boundMs: 30_000,
  run: async (world) => {
    const server = world.server('silent', { initialize: 'silent' }, { startTimeoutMs: 1500 })
    const failures = await Promise.all(Array.from({ length: callers }, () => failureOf(world.call(server))))
    const misses = failures.flatMap((failed) => failsWith(failed, 'server-unavailable', 8000))
    const half = world.pool.states().filter(({ server: name, phase }) => name === 'silent' && phase !== 'waiting')
    misses.push(
      ...expects(
        [half.length === 0, `something half open is left: ${JSON.stringify(half)}`],
        [server.pids().length === 1, `it was started ${server.pids().length} times`],
      ),
    )
    return { misses, seen: `${callers} callers failed once each: ${failures[0]?.message.slice(0, 60)}` }
  },
}
