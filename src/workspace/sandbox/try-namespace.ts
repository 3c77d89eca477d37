// Whether commands can be isolated here: a protection counts only when it has been seen to work. What is tried is the
// very thing that is run later, with each of its folders, options and limits, so that a machine where one of them fails
// does not count as one that has a sandbox.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namespaceShell } from './namespace-shell.ts'
import type { SandboxSettings } from './sandbox-plan.ts'

const trialMs = 5000
/** It starts programs, writes what it may, and cannot write what it may not. */
const command = `echo in | cat > in-workspace && [ "$(cat in-workspace)" = in ] && echo x > /tmp/x &&
! { echo out > /usr/out; } 2>/dev/null && ! { echo out > /mnt/read-only/out; } 2>/dev/null && [ "$(id -u)" = 1000 ]`

/** True when a command ran in a sandbox of these settings as it should. Never rejects. */
export async function tryNamespace(settings: SandboxSettings): Promise<boolean> {
  if (process.platform !== 'linux') return false
  let top: string | undefined
  try {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-trial-')))
    const [cwd, kept] = [join(top, 'workspace'), join(top, 'read-only')]
    for (const folder of [cwd, kept]) mkdirSync(folder)
    const anchor = top
    const roots = [
      { virtual: '/mnt/user-data/workspace', host: cwd, writable: true, anchor },
      { virtual: '/mnt/read-only', host: kept, writable: false, anchor },
    ]
    const shell = namespaceShell({ ...settings, workspace: { cwd, roots }, keptBytes: 1024 })
    const { end } = await shell.run({ command, timeoutMs: trialMs })
    return end.kind === 'exited' && end.code === 0
  } catch {
    return false
  } finally {
    if (top !== undefined) rmSync(top, { recursive: true, force: true })
  }
}
