import type { PreparedRun } from '../assembly/run-input.ts'
import type { ExitCode } from './exit-codes.ts'
import type { FlagHelp, FlagSpecs, Flags } from './flags.ts'
import type { Terminal } from './terminal.ts'

export interface CommandContext {
  readonly flags: Flags
  readonly terminal: Terminal
  readonly positionals: readonly string[]
  /** The run that the flags speak of, with other choices laid over them where a command compares. */
  readonly prepare: (over?: PrepareOver) => Promise<PreparedRun>
}

/** What a command may ask for in place of what the flags say. */
export interface PrepareOver {
  readonly config?: string
  readonly snapshot?: string
  readonly agent?: string
  readonly model?: string
  /** True: every server is asked, as by `--refresh`. For commands that must not tell of what is stored. */
  readonly refresh?: true
  /** False: what was called how often decides nothing. For commands whose answer is kept or compared elsewhere. */
  readonly use?: false
  /** False: flags that change nothing are not looked for (the other side of a comparison has them too). */
  readonly checkFlags?: boolean
}

export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** The words after the name, such as `NAME`. */
  readonly usage: string
  readonly positionalsMin: number
  readonly positionalsMax: number
  /** Flags of this command alone. */
  readonly flags: FlagSpecs
  readonly flagHelp: readonly FlagHelp[]
  /** One to three command lines to try. */
  readonly examples: readonly string[]
  readonly run: (context: CommandContext) => Promise<ExitCode>
}
