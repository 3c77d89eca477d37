import { route as routed } from '../../report/route.ts'
import { routeText } from '../../report/route-text.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'

export const route: Command = {
  name: 'route',
  summary: 'which tools of the surface fit a prompt',
  usage: 'PROMPT',
  positionalsMin: 1,
  positionalsMax: 1,
  flags: { hidden: { type: 'boolean' } },
  flagHelp: [{ flag: '--hidden', means: 'also what would have matched but is not on the surface, with the reason' }],
  examples: ['toolgate route "find a note about the printer"', 'toolgate route "delete the file" --hidden'],
  run: async ({ flags, terminal, positionals, prepare }) => {
    const run = await prepare()
    const { limit, all } = flags.output
    const report = routed(run, positionals[0] ?? '', {
      ...(await reportOptions(flags.output)),
      hidden: flags.own.hidden === true,
      ...(all ? { limit: run.candidates.length } : limit === undefined ? {} : { limit }),
    })
    if (flags.output.json) printJson(terminal, report)
    else terminal.print(routeText(report, { ...flags.output, paint: terminal.paint, width: terminal.width }))
    return report.total > 0 ? exitCodes.ok : exitCodes.no
  },
}
