import { advised } from '../assembly/advised.ts'
import type { Finding } from '../core/finding.ts'
import type { CommandContext } from './command.ts'
import { errorLines } from './error-text.ts'
import { printJson } from './print-json.ts'

/** Errors of a command that ran, and whose answer is no: as `main` tells those that end a command. */
export function tellFindings(
  findings: readonly Finding[],
  { flags, terminal }: Pick<CommandContext, 'flags' | 'terminal'>,
): void {
  const told = findings.map(advised)
  if (flags.output.json) printJson(terminal, { schema: 'toolgate.error/1', findings: told })
  else for (const found of told) terminal.note(errorLines(found, terminal.notePaint).join('\n'))
}
