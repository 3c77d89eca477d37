import { bootstrap as sessionReport } from '../../report/bootstrap.ts'
import { bootstrapText } from '../../report/bootstrap-text.ts'
import type { Command } from '../command.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'

export const bootstrap: Command = {
  name: 'bootstrap',
  summary: 'the session report of a run, from its very surface; with a prompt also what fits it',
  usage: '[PROMPT]',
  positionalsMin: 0,
  positionalsMax: 1,
  flags: {},
  flagHelp: [],
  examples: ['toolgate bootstrap', 'toolgate bootstrap "sort the papers" --agent clerk --json'],
  run: async ({ flags, terminal, positionals, prepare }) => {
    const run = await prepare()
    const [prompt] = positionals
    const report = sessionReport(run, {
      ...(await reportOptions(flags.output)),
      ...(prompt === undefined ? {} : { prompt }),
    })
    if (flags.output.json) printJson(terminal, report)
    else terminal.print(bootstrapText(report, { ...flags.output, paint: terminal.paint, width: terminal.width }))
    return exitOf(run)
  },
}
