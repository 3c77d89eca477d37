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
    const run = await prepare()
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
    const failing = flags.own.strict === true ? ['error', 'warning'] : ['error']
    if (findings.some((found) => failing.includes(found.severity))) return exitCodes.no
    return exitOf(run)
  },
}
