// What it costs to start the command line: the processor time of `toolgate tools` on a stored inventory, next to that
// of Node doing nothing. Processor time, because other work on the machine must not count; measured by the shell's
// own `time`, because a process cannot see what its own end costs.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { built, builtFile } from './built.ts'
import { median, milliseconds, printRatios } from './ratios.ts'
import { realLooking } from './real-looking.ts'

const rounds = 20
const toolsMax = 100

const { assemble, gateOrder, sha256, snapshotOf } = await built()
const main = builtFile('cli/main.mjs')
const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'))
try {
  const inventory = join(folder, 'inventory.json')
  const { from, candidates, facts } = realLooking(toolsMax, 20)
  const gates = gateOrder.default
  const surface = assemble(facts, candidates, gates, { sha256 })
  writeFileSync(
    inventory,
    JSON.stringify(
      snapshotOf({ surface, gates, preset: 'default', servers: [], findings: [] }, '2026-01-01T00:00:00Z'),
    ),
  )

  const tools: number[] = []
  const bare: number[] = []
  const cpuOfTools = () => processorTime([main, 'tools', '--snapshot', inventory])
  const cpuOfNode = () => processorTime(['-e', '0'])
  cpuOfTools()
  cpuOfNode()
  for (let round = 0; round < rounds; round++) {
    bare.push(cpuOfNode())
    tools.push(cpuOfTools())
  }
  printRatios({
    title: 'cli-start',
    about: [
      `user and system time of the whole process; an inventory of ${candidates.length} tools; ${from}`,
      `medians of ${rounds} rounds in turn`,
    ],
    ratios: [
      {
        what: 'toolgate tools --snapshot',
        value: median(tools),
        peer: 'node -e 0',
        peerValue: median(bare),
        most: 2.5,
      },
    ],
    figure: milliseconds,
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Milliseconds of processor time that Node takes with these arguments. Throws when it fails. */
function processorTime(args: readonly string[]): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1; exit $?'
  const { error, stderr, status } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', NODE_OPTIONS: '' },
  })
  if (error !== undefined) throw new Error(`processor time is measured with bash, which is not here: ${error.message}`)
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`)
  const [user, system] = stderr.trim().split(' ').map(Number)
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 1000
}
