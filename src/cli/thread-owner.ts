import { ToolgateError } from '../errors.ts'
import { checkOwner } from '../workspace/folder-name.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'
import { type Flags, usage } from './flags.ts'

/** A flag of the command that takes a text. */
export function ownText({ own }: Flags, flag: string): string | undefined {
  const value = own[flag]
  return typeof value === 'string' ? value : undefined
}

/** Whose thread, by `--user` and the thread's id; looked at before anything is started for it. Throws a ToolgateError `usage`. */
export function threadOwner(flags: Flags, thread: string): ThreadOwner {
  const owner = { user: ownText(flags, 'user') ?? 'local', thread }
  try {
    checkOwner(owner)
  } catch (error) {
    if (!(error instanceof ToolgateError)) throw error
    const { message, subject, hint } = error.finding
    throw usage(message, `--${subject}`, hint)
  }
  return owner
}
