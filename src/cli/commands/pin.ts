import { type Approved, approve, pinsOf } from '../../assembly/pins-approve.ts'
import type { PreparedRun } from '../../assembly/run-input.ts'
import type { PinsReport } from '../../report/pins.ts'
import { approvedText, pinsText } from '../../report/pins-text.ts'
import type { Command, CommandContext } from '../command.ts'
import { errorLines } from '../error-text.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { usage } from '../flags.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'

export const pin: Command = {
  name: 'pin',
  summary: 'which definitions and launches are approved, what changed since; with --approve, approve them',
  usage: '[NAME…]',
  positionalsMin: 0,
  positionalsMax: 1000,
  flags: { approve: { type: 'boolean' } },
  flagHelp: [{ flag: '--approve', means: 'approve what waits: all of it, or the tools and servers that NAME… names' }],
  examples: ['toolgate pin', 'toolgate pin --approve', 'toolgate pin --approve files__read_text_file'],
  run: async (context) => {
    const { flags, terminal, positionals, prepare } = context
    const approves = flags.own.approve === true
    if (!approves && positionals.length > 0) throw usage('names need --approve', '--approve')
    const run = await prepare({ refresh: true })
    if (run.config === undefined) throw usage('`toolgate pin` needs a configuration', 'pin', 'add --config FILE')
    if (!approves) {
      const { report, findings } = await pinsOf(run)
      for (const found of findings) terminal.note(errorLines(found, terminal.notePaint).join('\n'))
      if (flags.output.json) printJson(terminal, report)
      else terminal.print(pinsText(report, styleOf(context)))
      return exitFor(run, report)
    }
    const approved = await approve(run, positionals.length === 0 ? 'all' : positionals)
    printApproved(approved, context)
    return exitFor(run, approved.report)
  },
}

/** What was approved, as text, or as the report with its names; what was set aside goes to stderr. */
export function printApproved(approved: Approved, context: Pick<CommandContext, 'flags' | 'terminal'>): void {
  const { flags, terminal } = context
  const { report, tools, launches, file, stored, findings } = approved
  for (const found of findings) terminal.note(errorLines(found, terminal.notePaint).join('\n'))
  if (flags.output.json) {
    const ids = { tools: tools.map(({ id }) => id), launches: launches.map(({ server }) => server) }
    printJson(terminal, { ...report, file, approved: ids })
  } else terminal.print(approvedText({ report, tools, launches, file, count: stored.pins.length }, styleOf(context)))
}

const styleOf = ({ flags, terminal }: Pick<CommandContext, 'flags' | 'terminal'>) => ({
  ...flags.output,
  paint: terminal.paint,
  width: terminal.width,
})

/** What waits is a no; a required server that is missing says more. */
function exitFor(run: PreparedRun, report: PinsReport): ExitCode {
  const missing = exitOf(run)
  if (missing !== exitCodes.ok) return missing
  return report.waiting > 0 ? exitCodes.no : exitCodes.ok
}
