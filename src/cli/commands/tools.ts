import { toolsReport } from '../../report/tools-report.ts'
import { toolsTable } from '../../report/tools-table.ts'
import type { Command } from '../command.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'

export const tools: Command = {
  name: 'tools',
  summary: 'every configured tool: whether the model has it, and why',
  usage: '',
  positionalsMin: 0,
  positionalsMax: 0,
  flags: {},
  flagHelp: [],
  examples: ['toolgate tools', 'toolgate tools --agent reader --no-mcp', 'toolgate tools --json | jq .totals'],
  run: async ({ flags, terminal, prepare }) => {
    const run = await prepare()
    const report = toolsReport(run, await reportOptions(flags.output))
    if (flags.output.json) printJson(terminal, report)
    else terminal.print(toolsTable(report, { ...flags.output, paint: terminal.paint, width: terminal.width }))
    return exitOf(run)
  },
}
