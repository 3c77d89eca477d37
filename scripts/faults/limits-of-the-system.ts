import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expects } from './failures.ts'
import type { Scenario } from './scenario.ts'

/** Files that a program may have open where it runs into the limit. */
const filesMax = 64

export const limitsOfTheSystem: Scenario = {
  id: 'R17',
  title: `a program may open ${filesMax} files, and asks for more sessions`,
  boundMs: 90_000,
  others: false,
  run: async (world) => {
    const plan = join(world.folder, 'limits.json')
    writeFileSync(plan, JSON.stringify({ calls: { work: { text: 'fine' } } }))
    const child = resolve(import.meta.dirname, 'limits-child.ts')
    const script = `ulimit -n ${filesMax}; exec "$0" "$@"`
    const words = [process.execPath, '--import', 'tsx', child, world.program, plan, world.canary]
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script, ...words], {
      encoding: 'utf8',
      timeout: 80_000,
    })
    if (status !== 0) return { misses: [`the child ended with ${status}: ${stderr.slice(-300)}`], seen: '' }
    const told = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Told
    const misses = expects(
      [told.opened > 0, 'no session could be opened at all'],
      [/EMFILE|EAGAIN|files open/.test(told.refusal), `the limit is not named: ${told.refusal}`],
      [told.live === told.opened, `${told.live} of ${told.opened} open sessions still answer`],
      [told.recovered, 'after some had ended, no new one could be opened'],
    )
    return { misses, seen: `${told.opened} opened, then: ${told.refusal.slice(0, 80)}` }
  },
}

interface Told {
  readonly opened: number
  readonly refusal: string
  readonly live: number
  readonly recovered: boolean
}
