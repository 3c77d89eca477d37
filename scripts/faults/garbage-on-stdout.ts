import { expects, failsWith, failureOf, textOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

export const garbageOnStdout: Scenario = {
  id: 'R4',
  title: 'a server prints text where messages belong',
  boundMs: 30_000,
  run: async (world) => {
    const few = world.server('chatty', { stdout: ['ready', '\u001b[2Jhello', '{"level":"info"}'] })
    const misses = expects([textOf(await world.call(few)) === 'ok', 'a server with a greeting gave no answer'])
    const lines = Array.from({ length: 3000 }, (_, at) => `noise ${at}`)
    const many = world.server('noisy', { stdout: lines, initialize: 'silent' })
    const failed = await failureOf(world.call(many))
    misses.push(
      ...failsWith(failed, 'server-unavailable', 10_000),
      ...expects([failed?.message.includes('noise 0') === true, `the noise is not quoted: ${failed?.message}`]),
    )
    return { misses, seen: failed?.message.slice(0, 110) ?? '' }
  },
}
