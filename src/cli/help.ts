import type { Paint } from '../report/paint.ts'
import { commandNamed } from './command-named.ts'
import { commands } from './commands/index.ts'
import { sharedFlagHelp } from './flags.ts'

/** The page for one command, or the list of all. Throws a ToolgateError `usage` for an unknown command. */
export async function helpText(name: string | undefined, paint: Paint): Promise<string> {
  if (name === undefined) return overview(paint)
  const command = await commandNamed(name)
  const flags = [...command.flagHelp, ...sharedFlagHelp]
  return [
    `${paint.bold(`toolgate ${name}${command.usage === '' ? '' : ` ${command.usage}`}`)}  ${command.summary}`,
    '',
    ...columns(flags.map(({ flag, means }) => [flag, means])),
    '',
    ...command.examples.map((example) => paint.dim(`  ${example}`)),
  ].join('\n')
}

async function overview(paint: Paint): Promise<string> {
  const list = await Promise.all([...commands.values()].map((load) => load()))
  return [
    `${paint.bold('toolgate')}  decides which tools an agent has on a run, and says why for every tool`,
    '',
    ...columns(list.map((command) => [`${command.name} ${command.usage}`.trim(), command.summary])),
    '',
    paint.bold('Flags of every command'),
    ...columns(sharedFlagHelp.map(({ flag, means }) => [flag, means])),
    '',
    'Exit codes: 0 as asked, 1 the answer is no, 2 command line, 3 configuration, 4 a required server is missing, 5 unknown name',
  ].join('\n')
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
