import { stateFolderOf } from '../../assembly/prepare-run.ts'
import { serversReport } from '../../report/servers.ts'
import { serversText } from '../../report/servers-text.ts'
import { runningPrograms } from '../../runtime/session-board.ts'
import type { Command } from '../command.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'

export const servers: Command = {
  name: 'servers',
  summary: 'every server: its state, since when and why, what it costs, which processes run',
  usage: '',
  positionalsMin: 0,
  positionalsMax: 0,
  flags: {},
  flagHelp: [],
  examples: ['toolgate servers', 'toolgate servers --refresh', 'toolgate servers --json | jq .servers[].state'],
  run: async ({ flags, terminal, prepare }) => {
    const run = await prepare()
    const programs = run.config === undefined ? [] : await runningPrograms(stateFolderOf(run.config))
    const { count } = await reportOptions(flags.output)
    const report = serversReport(run, programs, count)
    if (flags.output.json) printJson(terminal, report)
    else
      terminal.print(
        serversText(report, {
          lang: flags.output.lang,
          now: Date.now(),
          paint: terminal.paint,
          width: terminal.width,
        }),
      )
    return exitOf(run)
  },
}
