import type { Finding } from '../core/finding.ts'
import type { Origin } from '../core/origin.ts'

/**
 * A skill as the run knows it: its name, what it says it is for, and the tools it limits itself to.
 * INVARIANT: a skill with a finding of severity `error` is malformed, and a malformed skill allows nothing.
 */
export interface Skill {
  /** From the front matter where that names it well, else the name of its folder. */
  readonly name: string
  /** Foreign text without hidden characters. Markup in it is kept: whoever renders it escapes it. `''` when unread. */
  readonly description: string
  /** Names from `allowed-tools`. Absent: the skill declares nothing. `[]`: no tool. */
  readonly allowedTools?: readonly string[]
  /** One printable line: why the skill cannot be taken at its word; it then allows nothing. */
  readonly malformed?: string
  /** The folder of the skill, absolute. */
  readonly folder: string
  /** Where the list stands, else where the first fault stands, else the file. */
  readonly origin: Origin
  readonly findings: readonly Finding[]
}
