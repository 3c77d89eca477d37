// What holds at one time: a configuration and the run that was made of it. A call keeps the generation it began with.

import type { PreparedRun } from '../assembly/run-input.ts'
import type { Config } from '../config/config.ts'
import type { Finding } from '../core/finding.ts'

export interface Generation {
  /** 1, 2, 3, … within one program. */
  readonly number: number
  /** ISO 8601. */
  readonly since: string
  /** Why it was made, such as `the list of files changed`. */
  readonly because: string
  readonly config: Config
  readonly run: PreparedRun
  /** What is wrong with an edit that is not in force: the configuration before it is. Absent: the file is in force. */
  readonly rejectedEdit?: readonly Finding[]
}

/** True when a reader of the surface or of the servers would see a difference. */
export function differs(before: PreparedRun, after: PreparedRun): boolean {
  return before.surface.hash !== after.surface.hash || serversOf(before) !== serversOf(after)
}

const serversOf = ({ servers }: PreparedRun): string =>
  JSON.stringify(servers.map(({ name, state, detail, tools }) => [name, state, detail, tools]))
