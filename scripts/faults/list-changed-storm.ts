import { setTimeout as sleep } from 'node:timers/promises'
import { listOpen } from '../../src/sessions/listing/list-server.ts'
import { expects, textOf } from './failures.ts'
import type { FaultWorld, Planned, Scenario } from './scenario.ts'

export const listChangedStorm: Scenario = {
  id: 'R8',
  title: 'a server says again and again that its list changed',
  boundMs: 90_000,
  run: async (world) => {
    const tools = [{ name: 'work', inputSchema: { type: 'object' } }]
    const plan = (times: number, everyMs: number) => ({
      pages: [{ tools }],
      calls: { work: { listChanged: { times, everyMs } } },
    })
    const misses: string[] = []
    const counts: number[] = []
    for (const [what, times, everyMs, waitMs] of [
      ['500 at once', 500, 0, 3000],
      ['3 a second for 20 s', 60, 333, 24_000],
    ] as const) {
      const server = world.server(`storm_${times}`, plan(times, everyMs))
      const lists = await listingsOf(server, world, waitMs)
      counts.push(lists)
      misses.push(...expects([lists <= 2, `${what}: ${lists} listings`], [lists >= 1, `${what}: it went unnoticed`]))
    }
    return { misses, seen: `500 at once: ${counts[0]} listings; 3 a second for 20 s: ${counts[1]}` }
  },
}

/** Listings that follow when each notice of the pool is followed by one. */
async function listingsOf(server: Planned, world: FaultWorld, waitMs: number): Promise<number> {
  const running: Promise<unknown>[] = []
  const pool = world.poolWith({
    onListChanged: () => {
      running.push(pool.use(server, world.owner, (session) => listOpen(server, session)))
    },
  })
  const answered = textOf(await world.call(server, { pool }))
  await sleep(waitMs)
  await Promise.all(running)
  if (answered !== 'ok') throw new Error('the call itself was lost')
  return server.received().filter(({ method }) => method === 'tools/list').length
}
