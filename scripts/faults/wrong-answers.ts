import { expects, failsWith, failureOf, textOf } from './failures.ts'
import type { Scenario } from './scenario.ts'

export const wrongAnswers: Scenario = {
  id: 'R23',
  title: 'a server answers twice, under another id, under none',
  boundMs: 30_000,
  run: async (world) => {
    const server = world.server('odd', {
      calls: {
        twice: { text: 'fine', answers: 'twice' },
        other: { text: 'fine', answers: 'other-id' },
        none: { text: 'fine', answers: 'null-id' },
        quick: { text: 'right' },
      },
    })
    const misses = expects([textOf(await world.call(server, { tool: 'twice' })) === 'fine', 'the first did not count'])
    for (const tool of ['other', 'none'])
      misses.push(
        ...failsWith(await failureOf(world.call(server, { tool, idleTimeoutMs: 500 })), 'call-timed-out', 2500),
      )
    misses.push(...expects([textOf(await world.call(server, { tool: 'quick' })) === 'right', 'the next call got it']))
    const findings = await world.pool.use(server, world.owner, async (session) => session.findings())
    const noise = findings.find(({ first }) => first.includes('nobody waits for'))
    misses.push(...expects([(noise?.times ?? 0) >= 2, 'nobody tells of the answers that nobody waits for']))
    return { misses, seen: `the first that fits counts; ${noise?.times ?? 0} others are told of` }
  },
}
