import { readFile } from 'node:fs/promises'
import { advised } from '../../assembly/advised.ts'
import type { Finding } from '../../core/finding.ts'
import { finding } from '../../errors.ts'
import { diffSurfaces } from '../../report/diff.ts'
import { diffText } from '../../report/diff-text.ts'
import { driftOf, driftText } from '../../report/drift.ts'
import { parseLock } from '../../report/parse-lock.ts'
import { toolsReport } from '../../report/tools-report.ts'
import { sha256 } from '../../sources/sha256.ts'
import type { Command, CommandContext } from '../command.ts'
import { diffSide } from '../diff-side.ts'
import { errorLines } from '../error-text.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { usage } from '../flags.ts'
import { lockFileDefault, readableFile } from '../lock-file.ts'
import { printJson } from '../print-json.ts'
import { reportOptions } from '../report-options.ts'

export const diff: Command = {
  name: 'diff',
  summary: 'what differs between two agents, models, configurations or stored surfaces, and why',
  usage: 'A B | --locked',
  positionalsMin: 0,
  positionalsMax: 2,
  flags: { locked: { type: 'boolean' }, 'lock-file': { type: 'string' } },
  flagHelp: [
    { flag: '--locked', means: 'compare with the lock file; exit 1 when the surface has drifted' },
    { flag: '--lock-file FILE', means: `where the lock is (default: ${lockFileDefault})` },
  ],
  examples: ['toolgate diff clerk reader', 'toolgate diff model:sighted model:plain', 'toolgate diff --locked'],
  run: async (context) => {
    const { flags, positionals } = context
    if (flags.own.locked === true) {
      if (positionals.length > 0) throw usage('--locked compares with the lock file and takes no words', '--locked')
      return drifted(context)
    }
    if (flags.own['lock-file'] !== undefined) throw usage('--lock-file needs --locked', '--lock-file')
    const [a, b] = positionals
    if (a === undefined || b === undefined)
      throw usage('`toolgate diff` takes two words: A B', 'diff', 'see `toolgate help diff`')
    return compared(context, a, b)
  },
}

/** Exit code 0 whatever differs: a difference is the answer that was asked for. */
async function compared({ flags, terminal, prepare }: CommandContext, a: string, b: string): Promise<ExitCode> {
  const options = await reportOptions(flags.output)
  const before = toolsReport(await diffSide(a, prepare), options)
  const after = toolsReport(await diffSide(b, prepare), options)
  const difference = diffSurfaces(before, after)
  if (flags.output.json) printJson(terminal, difference)
  else terminal.print(diffText(difference, { ...flags.output, paint: terminal.paint, width: terminal.width }))
  return exitCodes.ok
}

async function drifted({ flags, terminal, prepare }: CommandContext): Promise<ExitCode> {
  const file = String(flags.own['lock-file'] ?? lockFileDefault)
  const lock = parseLock(await readableFile(file, (path) => readFile(path, 'utf8')), file)
  const run = await prepare({ refresh: true, use: false })
  const drift = driftOf(lock, run, { sha256, lang: flags.output.lang })
  if (flags.output.json) printJson(terminal, drift)
  else terminal.print(driftText(drift, flags.output.lang))
  if (drift.same) return exitCodes.ok
  if (!flags.output.json) terminal.note(errorLines(advised(driftFinding(file)), terminal.notePaint).join('\n'))
  return exitCodes.no
}

const driftFinding = (file: string): Finding =>
  finding('surface-drift', 'error', 'the surface is not the one in the lock file', { origin: { in: file } })
