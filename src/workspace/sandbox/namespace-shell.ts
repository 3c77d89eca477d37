// Commands in a sandbox of their own: each in new namespaces of users, processes, files, network and the rest, which
// end with it. Nothing of one command runs on in the next; files of the thread are all that stays.

import type { Workspace } from '../workspace.ts'
import { outputKeeper } from './kept-output.ts'
import { refuseUnlessCommand } from './refuse-command.ts'
import type { SandboxSettings } from './sandbox-plan.ts'
import type { EndingLimit, Shell, ShellRequest, ShellResult } from './shell.ts'
import { type Sandbox, sandboxFailed, startSandbox } from './start-sandbox.ts'
import { watchUse } from './watch-use.ts'

export interface NamespaceShellOptions extends SandboxSettings {
  readonly workspace: Pick<Workspace, 'cwd' | 'roots'>
  /** Bytes of output that are kept of one command, a half from its beginning and a half from its end. */
  readonly keptBytes: number
}

/** A shell for one thread. Linux with bubblewrap; everywhere else each run fails with `sandbox-failed`. */
export function namespaceShell(options: NamespaceShellOptions): Shell {
  return {
    limits: options.limits,
    run: async (request) => {
      refuseUnlessCommand(request.command)
      request.signal?.throwIfAborted()
      const sandbox = await startSandbox(request.command, options.workspace.roots, options)
      return ran(sandbox, request, options)
    },
  }
}

async function ran(
  sandbox: Sandbox,
  { timeoutMs, signal }: ShellRequest,
  { limits, workspace, keptBytes }: NamespaceShellOptions,
): Promise<ShellResult> {
  const keeper = outputKeeper(keptBytes)
  let ended: EndingLimit | undefined
  const end = (limit: EndingLimit): void => {
    ended ??= limit
    sandbox.kill()
  }
  const callOff = (): void => sandbox.kill()
  const { first, output } = sandbox
  const read = new Promise<void>((resolve) => output.once('close', resolve))
  output.on('error', () => {})
  output.on('data', (chunk: Buffer) => {
    keeper.add(chunk)
    if (keeper.bytes() > limits.outputBytes) end('output')
  })
  const timer = setTimeout(() => end('time'), timeoutMs)
  const watch = watchUse({ first, limits, folder: workspace.cwd, over: end })
  signal?.addEventListener('abort', callOff, { once: true })
  try {
    if (signal?.aborted === true) callOff()
    else sandbox.go()
    const code = await sandbox.over
    // Nobody is left who could write, so the end of the pipe is near.
    await read
    signal?.throwIfAborted()
    if (ended !== undefined) return { output: keeper.kept(), end: { kind: 'ended', limit: ended } }
    const complaint = sandbox.complaint()
    if (complaint !== '') throw sandboxFailed(complaint)
    return { output: keeper.kept(), end: { kind: 'exited', code: code ?? killedCode } }
  } finally {
    clearTimeout(timer)
    watch.stop()
    signal?.removeEventListener('abort', callOff)
    output.destroy()
  }
}

/** Without a word from bubblewrap somebody has killed it: a machine that runs out of memory does. */
const killedCode = 128 + 9
