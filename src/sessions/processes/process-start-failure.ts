// Why a process could not be started, in words: whether it was the program, the folder or a limit of the system.

import { printable } from '../../core/printable.ts'

/** The process could not be started; the message says why. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

/** What the system's error says about the start of this program. */
export function startFailure(
  error: unknown,
  { command, env }: { readonly command: string; readonly env: { readonly [name: string]: string } },
): StartFailure {
  if (error instanceof StartFailure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const named = `command "${printable(command, 100)}"`
  if (code === 'ENOENT' && env.PATH === undefined && env.Path === undefined) {
    return new StartFailure(`${named} was not found, for PATH is not set`)
  }
  if (code === 'ENOENT') return new StartFailure(`${named} was not found`)
  if (code === 'EACCES') return new StartFailure(`${named} may not be executed`)
  const limit = limits.get(code)
  if (limit !== undefined) return new StartFailure(`${named} could not be started, for ${limit} (${code})`)
  return new StartFailure(
    `${named} could not be started: ${printable(error instanceof Error ? error.message : String(error), 160)}`,
  )
}

/** What stands in the way, by errno, and what helps. */
const limits: ReadonlyMap<string, string> = new Map([
  ['EMFILE', 'this program has as many files open as it may: lower `sessions.max`, or raise `ulimit -n`'],
  ['ENFILE', 'the system has as many files open as it may: end other programs'],
  [
    'EAGAIN',
    'there are as many processes as there may be: end some, or raise `ulimit -u` or the limit of the container',
  ],
  ['ENOMEM', 'the system has no memory for it: end other programs'],
  ['E2BIG', 'its arguments and environment are longer than the system takes: shorten `args` or `env`'],
])
