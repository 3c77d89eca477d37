import { setTimeout as sleep } from 'node:timers/promises'
import { expects, failsWith, failureOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

const rounds = 20

export const upstreamKilled: Scenario = {
  id: 'R1',
  title: 'a server is killed in the middle of a call',
  boundMs: 90_000,
  run: async (world) => {
    const misses: string[] = []
    const recoveries: number[] = []
    let sent = 0
    for (let round = 0; round < rounds; round += 1) {
      const server = world.server(`dying_${round}`, { calls: { work: { hang: true }, quick: { tell: true } } })
      await world.call(server, { tool: 'quick' })
      const pid = pidOf(world.pool.states(), server.name)
      const asked = world.call(server)
      const failure = failureOf(asked)
      await sleep(5 + round * 9)
      const killedAt = performance.now()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      const failed = await failure
      misses.push(...failsWith(failed, 'upstream-died', Number.POSITIVE_INFINITY))
      const told = performance.now() - killedAt
      misses.push(...expects([told < 1000, `the death was told after ${Math.round(told)} ms`]))
      const begin = performance.now()
      await world.call(server, { tool: 'quick' })
      recoveries.push(performance.now() - begin)
      misses.push(...expects([pidOf(world.pool.states(), server.name) !== pid, 'the old process was used again']))
      const arrived = server
        .received()
        .filter(({ method, params }) => method === 'tools/call' && params?.name === 'work')
      misses.push(...expects([arrived.length <= 1, `a call was made ${arrived.length} times`]))
      sent += arrived.length
      await world.pool.endServer(server.name, 0)
    }
    misses.push(
      ...expects([sent > rounds / 2, `only ${sent} of ${rounds} calls had reached a server when it was killed`]),
    )
    const recoveryMs = Math.max(...recoveries)
    return { misses, recoveryMs, seen: `${rounds} kills, every call told once, none made twice` }
  },
}

const pidOf = (
  states: readonly { readonly server: string; readonly pid?: number }[],
  name: string,
): number | undefined => states.find(({ server }) => server === name)?.pid
