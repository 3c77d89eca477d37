import { clawComparison } from '../../assembly/claw-comparison.ts'
import { clawText } from '../../report/claw.ts'
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
    const style = { ...flags.output, paint: terminal.paint, width: terminal.width }
    const claw = run.preset === 'claw' ? clawComparison(run, flags.output.lang) : undefined
    if (flags.output.json) printJson(terminal, claw === undefined ? report : { ...report, claw })
    else
      terminal.print([toolsTable(report, style), ...(claw === undefined ? [] : ['', clawText(claw, style)])].join('\n'))
    return exitOf(run)
  },
}
