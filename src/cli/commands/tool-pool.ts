import { toolPool as poolOf, toolPoolMarkdown } from '../../report/tool-pool.ts'
import type { Command } from '../command.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'

export const toolPool: Command = {
  name: 'tool-pool',
  summary: 'the surface in short, as Markdown: totals and the first 15',
  usage: '',
  positionalsMin: 0,
  positionalsMax: 0,
  flags: {},
  flagHelp: [],
  examples: ['toolgate tool-pool --simple-mode'],
  run: async ({ flags, terminal, prepare }) => {
    const run = await prepare()
    const pool = poolOf(run)
    if (flags.output.json) printJson(terminal, pool)
    else terminal.print(toolPoolMarkdown(pool, flags.output))
    return exitOf(run)
  },
}
