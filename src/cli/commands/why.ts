import { explain } from '../../report/explain.ts'
import { explainText } from '../../report/explain-text.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'

export const why: Command = {
  name: 'why',
  summary: 'why a tool is there or not: every step, the place it rests on, what would change it',
  usage: 'NAME',
  positionalsMin: 1,
  positionalsMax: 1,
  flags: {},
  flagHelp: [],
  examples: ['toolgate why bash', 'toolgate why files/move_file --lang zh', 'toolgate why calendar --json'],
  run: async ({ flags, terminal, positionals, prepare }) => {
    const run = await prepare()
    const explanation = explain(run, positionals[0] ?? '', await reportOptions(flags.output))
    if (flags.output.json) printJson(terminal, explanation)
    else {
      const limit = flags.output.all ? { limit: explanation.decisions.length } : {}
      terminal.print(
        explainText(explanation, { ...flags.output, ...limit, paint: terminal.paint, width: terminal.width }),
      )
    }
    return { exposed: exitCodes.ok, excluded: exitCodes.no, unknown: exitCodes.unknown }[explanation.kind]
  },
}
