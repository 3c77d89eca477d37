import { nearest } from '../names/nearest.ts'
import type { Command } from './command.ts'
import { commands } from './commands/index.ts'
import { usage } from './flags.ts'

/** Loads the command of that name. Throws a ToolgateError `usage` with the nearest one when there is none. */
export async function commandNamed(name: string): Promise<Command> {
  const load = commands.get(name)
  if (load !== undefined) return load()
  const [near] = nearest(name, commands.keys())
  throw usage(
    `there is no command "${name}"`,
    name,
    near === undefined ? 'see `toolgate help`' : `did you mean \`toolgate ${near}\``,
  )
}
