// Whether commands can be isolated here: a protection counts only when it has been seen to work. What is tried is the
// very thing that is run later, with each of its folders, options and limits, so that a machine where one of them fails
// does not count as one that has a sandbox.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './find-program.ts'
import { namespaceShell } from './namespace-shell.ts'
import type { SandboxSettings } from './sandbox-plan.ts'

/**
 * What came of it. other-system: this is no Linux. no-program: `said` is not installed. failed: `said` is how the trial
 * ended, and `switches` are the settings of the kernel that take user namespaces away, `[]` where none is known to.
 */
export type NamespaceTrial =
  | { readonly works: true }
  | { readonly works: false; readonly why: 'other-system' | 'no-program'; readonly said: string }
  | { readonly works: false; readonly why: 'failed'; readonly said: string; readonly switches: readonly string[] }

const trialMs = 5000
/** It starts programs, writes what it may, and cannot write what it may not. */
const command = `echo in | cat > in-workspace && [ "$(cat in-workspace)" = in ] && echo x > /tmp/x &&
! { echo out > /usr/out; } 2>/dev/null && ! { echo out > /mnt/read-only/out; } 2>/dev/null && [ "$(id -u)" = 1000 ]`

/** Runs a command in a sandbox of these settings. It works when the command ran as it should. Never rejects. */
export async function tryNamespace(settings: SandboxSettings): Promise<NamespaceTrial> {
  if (process.platform !== 'linux') return { works: false, why: 'other-system', said: process.platform }
  const missing = ['bwrap', 'mkfifo'].find((program) => findProgram(program) === undefined)
  if (missing !== undefined) return { works: false, why: 'no-program', said: missing }
  const said = await complaintOf(settings)
  return said === undefined ? { works: true } : { works: false, why: 'failed', said, switches: closedSwitches() }
}

async function complaintOf(settings: SandboxSettings): Promise<string | undefined> {
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
    if (end.kind === 'ended') return `a command in it was ended by the limit of ${end.limit}`
    return end.code === 0 ? undefined : `a command in it did not do as it should (exit code ${end.code})`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    if (top !== undefined) rmSync(top, { recursive: true, force: true })
  }
}

/** Settings below /proc/sys, and the value with which an ordinary user can make no user namespace. */
const switches: readonly (readonly [path: string, closed: string])[] = [
  ['user/max_user_namespaces', '0'],
  ['kernel/unprivileged_userns_clone', '0'],
  ['kernel/apparmor_restrict_unprivileged_userns', '1'],
]

/** As `sysctl` writes them, such as `user.max_user_namespaces=0`. */
const closedSwitches = (): readonly string[] =>
  switches
    .filter(([path, closed]) => settingAt(path) === closed)
    .map(([path, closed]) => `${path.replaceAll('/', '.')}=${closed}`)

function settingAt(path: string): string | undefined {
  try {
    return readFileSync(join('/proc/sys', path), 'utf8').trim()
  } catch {
    return undefined
  }
}
