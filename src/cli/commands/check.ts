import { checkedRun } from '../../assembly/checked-run.ts'
import { checkText } from '../../report/check-text.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { exitOf } from '../outcome.ts'
import { printJson } from '../print-json.ts'

export const check: Command = {
  name: 'check',
  summary: 'what names nothing, never matches, is shadowed, unsafe, or refused by the target',
  usage: '',
  positionalsMin: 0,
  positionalsMax: 0,
  flags: { strict: { type: 'boolean' } },
  flagHelp: [{ flag: '--strict', means: 'warnings fail as well' }],
  examples: ['toolgate check', 'toolgate check --strict --json'],
  run: async ({ flags, terminal, prepare }) => {
    const run = await prepare({ refresh: true })
    const findings = checkedRun(run)
    const { limit, all, json } = flags.output
    const shown = all || limit === undefined ? findings : findings.slice(0, limit)
    if (json)
      printJson(terminal, {
        schema: 'toolgate.check/1',
        surface: run.surface.hash,
        total: findings.length,
        findings: shown,
      })
    else terminal.print(checkText(shown, { ...flags.output, paint: terminal.paint, width: terminal.width }))
    // A required server that is missing is an error among the findings; its own exit code says more.
    const missing = exitOf(run)
    if (missing !== exitCodes.ok) return missing
    const failing = flags.own.strict === true ? ['error', 'warning'] : ['error']
    return findings.some((found) => failing.includes(found.severity)) ? exitCodes.no : exitCodes.ok
  },
}
