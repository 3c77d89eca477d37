import { snapshotOf } from '../../report/snapshot.ts'
import type { Command } from '../command.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'
import { writeOutput } from '../write-output.ts'

const fileDefault = 'toolgate.snapshot.json'

export const snapshot: Command = {
  name: 'snapshot',
  summary: 'store what is at the door, so that surfaces can be assembled later without starting anything',
  usage: '',
  positionalsMin: 0,
  positionalsMax: 0,
  flags: { out: { type: 'string' } },
  flagHelp: [{ flag: '--out FILE', means: `where to write, - for stdout (default: ${fileDefault})` }],
  examples: ['toolgate snapshot', 'toolgate tools --snapshot toolgate.snapshot.json --no-mcp'],
  run: async ({ flags, terminal, prepare }) => {
    const run = await prepare({ refresh: true, use: false })
    const document = snapshotOf(run, new Date().toISOString())
    const file = String(flags.own.out ?? fileDefault)
    if (file === '-') {
      terminal.print(JSON.stringify(document))
      return exitOf(run)
    }
    await writeOutput(file, `${JSON.stringify(document)}\n`)
    const written = { schema: 'toolgate.written/1', file, candidates: document.candidates.length }
    if (flags.output.json) printJson(terminal, written)
    else terminal.print(`${file}: ${written.candidates} candidates of ${run.servers.length} servers`)
    return exitOf(run)
  },
}
