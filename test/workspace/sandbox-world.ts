// What the tests of the sandbox share: a thread, a shell in it, and a look at who still runs in its folders.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxLimits } from '../../src/config/build-sections.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { namespaceShell } from '../../src/workspace/sandbox/namespace-shell.ts'
import type { SandboxSettings } from '../../src/workspace/sandbox/sandbox-plan.ts'
import type { Shell, ShellLimits, ShellResult } from '../../src/workspace/sandbox/shell.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'

/** CI installs bubblewrap and allows no skip; elsewhere the tests are skipped by name where it is missing. */
export const isSkipped = spawnSync('bwrap', ['--version']).status !== 0 && process.env.TOOLGATE_NO_SKIP !== '1'

export const mebibyte = 1024 * 1024
export const keptBytes = 4096

export interface Thread {
  /** Holds everything of the test, the folder of threads among it. */
  readonly top: string
  readonly workspace: Workspace
  readonly shell: (more?: Partial<SandboxSettings>) => Shell
  /** Runs a command with these limits beside the defaults. */
  readonly run: (command: string, limits?: Partial<ShellLimits>, timeoutMs?: number) => Promise<ShellResult>
}

export async function aThread(): Promise<Thread> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-sandbox-')))
  const skill = join(top, 'skills/pdf')
  mkdirSync(skill, { recursive: true })
  writeFileSync(join(skill, 'SKILL.md'), 'a skill')
  const threadsFolder = join(top, 'threads')
  const owner = { user: 'ada', thread: 't1' }
  const workspace = await openWorkspace({ threadsFolder, owner, skillsFolders: [join(top, 'skills')] })
  const shell = (more: Partial<SandboxSettings> = {}): Shell =>
    namespaceShell({ workspace, keptBytes, network: false, programs: [], limits: sandboxLimits(), ...more })
  return {
    top,
    workspace,
    shell,
    run: (command, limits = {}, timeoutMs = 30_000) =>
      shell({ limits: { ...sandboxLimits(), ...limits } }).run({ command, timeoutMs }),
  }
}

/** All of the output, where nothing of it was left out. */
export const textOf = ({ output }: ShellResult): string => output.first + output.last

/** Processes in whose sandbox the folder is mounted. */
export function runningIn({ cwd }: Pick<Workspace, 'cwd'>): readonly number[] {
  const { dev, ino } = statSync(cwd)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const found = statSync(`/proc/${pid}/root/mnt/user-data/workspace`)
        return found.dev === dev && found.ino === ino
      } catch {
        return false
      }
    })
    .map(Number)
}
