import { show as shown } from '../../report/show.ts'
import { showText } from '../../report/show-text.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'

export const show: Command = {
  name: 'show',
  summary: 'one tool whole: names, identity, definition as the model gets it, rules',
  usage: 'NAME',
  positionalsMin: 1,
  positionalsMax: 1,
  flags: {},
  flagHelp: [],
  examples: ['toolgate show files/read_text_file', 'toolgate show read_file --target gemini'],
  run: async ({ flags, terminal, positionals, prepare }) => {
    const run = await prepare()
    const report = shown(run, positionals[0] ?? '', await reportOptions(flags.output))
    if (flags.output.json) printJson(terminal, report)
    else terminal.print(showText(report, { ...flags.output, paint: terminal.paint, width: terminal.width }))
    return { exposed: exitCodes.ok, excluded: exitCodes.no, unknown: exitCodes.unknown }[report.kind]
  },
}
