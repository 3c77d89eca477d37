// Commands on this machine itself, where the operator allowed it: as the user of this process, in the folder of the
// thread, with all that this user may do. What is bounded is time and output, and nothing runs on afterwards.

import { constants } from 'node:os'
import { hostArguments } from '../../workspace/mapping/map-arguments.ts'
import { findProgram } from '../../workspace/sandbox/find-program.ts'
import { noFiles } from '../../workspace/sandbox/first-words.ts'
import { outputKeeper } from '../../workspace/sandbox/kept-output.ts'
import { refuseUnlessCommand } from '../../workspace/sandbox/refuse-command.ts'
import type { EndingLimit, Shell, ShellRequest, ShellResult } from '../../workspace/sandbox/shell.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { serverEnvironment } from './base-environment.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

export interface HostShellOptions {
  readonly workspace: Workspace
  readonly outputBytes: number
  /** Bytes of output that are kept of one command, a half from its beginning and a half from its end. */
  readonly keptBytes: number
  /** The environment of this process. */
  readonly environment: { readonly [name: string]: string | undefined }
}

/** Standard error where standard output is, and no input: the same as in a sandbox. */
const script = 'exec "$0" -c "$1" </dev/null 2>&1'

/** A shell for one thread. Its runs reject with a StartFailure where there is no shell on this machine. */
export function hostShell({ workspace, outputBytes, keptBytes, environment }: HostShellOptions): Shell {
  const { cwd, temp, tempName = temp } = workspace
  const env = { ...serverEnvironment(environment, {}), TERM: 'dumb', TMPDIR: tempName, TMP: tempName, TEMP: tempName }
  const view = { workspace, openRoots: [], privateRoots: [] }
  return {
    limits: { outputBytes },
    run: async (request) => {
      refuseUnlessCommand(request.command)
      request.signal?.throwIfAborted()
      // The agent knows its files by virtual paths, and the host has none of these names.
      const command = String(hostArguments({ command: request.command }, view).command)
      const bash = process.platform === 'win32' ? 'bash' : findProgram('bash')
      const shell = bash ?? '/bin/sh'
      const options = bash === undefined ? [] : noFiles
      const started = await startProcess({ command: shell, args: [...options, '-c', script, shell, command], env, cwd })
      return ran(started, request, { outputBytes, keptBytes })
    },
  }
}

async function ran(
  child: ServerProcess,
  { timeoutMs, signal }: ShellRequest,
  { outputBytes, keptBytes }: Pick<HostShellOptions, 'outputBytes' | 'keptBytes'>,
): Promise<ShellResult> {
  const keeper = outputKeeper(keptBytes)
  let ended: EndingLimit | undefined
  const end = (limit: EndingLimit): void => {
    ended ??= limit
    void child.end()
  }
  const callOff = (): void => void child.end()
  child.stdin.end()
  child.stdout.on('data', (chunk: Buffer) => {
    keeper.add(chunk)
    if (keeper.bytes() > outputBytes) end('output')
  })
  const timer = setTimeout(() => end('time'), timeoutMs)
  signal?.addEventListener('abort', callOff, { once: true })
  try {
    if (signal?.aborted === true) callOff()
    const words = await child.gone
    await child.end()
    signal?.throwIfAborted()
    const output = keeper.kept()
    return ended === undefined
      ? { output, end: { kind: 'exited', code: codeOf(words) } }
      : { output, end: { kind: 'ended', limit: ended } }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', callOff)
    await child.end()
  }
}

/** As shells tell it: the code, or 128 and the number of the signal. */
function codeOf(words: string): number {
  const [, code, signal] = /^(?:exited with code (\d+)|was ended by (SIG[A-Z0-9]+))$/.exec(words) ?? []
  if (code !== undefined) return Number(code)
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1]
  return number === undefined ? 1 : 128 + number
}
