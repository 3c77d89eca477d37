// The command line that goes on with a thread, so that nobody has to put it together: every flag that decides which
// agent it is on which configuration is said again.

import type { Flags } from '../flags.ts'
import { givenPolicy } from '../policy-flag-names.ts'
import { ownText } from '../thread-owner.ts'

/** Flags that concern one run alone. */
const once: ReadonlySet<string> = new Set(['--snapshot', '--refresh', '--log'])

/** `toolgate run --config … --thread ID`, for a shell of POSIX. */
export function runAgain(flags: Flags, thread: string): string {
  const user = ownText(flags, 'user')
  const words = givenPolicy(flags)
    .filter(({ flag }) => !once.has(flag))
    .flatMap(({ flag, values }) => (values.length === 0 ? [flag] : values.flatMap((value) => [flag, value])))
  const all = ['toolgate', 'run', ...words, ...(user === undefined ? [] : ['--user', user]), '--thread', thread]
  return all.map(shellWord).join(' ')
}

/** A word as a shell takes it, quoted only where it must be. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
