// A thread of its own for each test, with a folder outside of it that must stay as it is.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { ToolgateError } from '../../src/errors.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'

export interface Thread {
  readonly workspace: Workspace
  /** Holds everything of the test. */
  readonly base: string
  readonly outside: string
  /** Host path below `/mnt/user-data/workspace`. */
  readonly at: (path: string) => string
  /** Writes a file there, with its folders, and gives its host path. */
  readonly file: (path: string, content?: string | Uint8Array) => string
}

export const virtual = (path: string): string => `/mnt/user-data/workspace/${path}`

const bases: string[] = []
afterEach(() => {
  for (const base of bases.splice(0)) rmSync(base, { recursive: true, force: true })
})

export function freshFolder(): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-workspace-')))
  bases.push(base)
  return base
}

/** Removed after the test. */
export async function aThread(skillsFolders: readonly string[] = []): Promise<Thread> {
  const base = freshFolder()
  const threadsFolder = join(base, 'threads')
  const workspace = await openWorkspace({ threadsFolder, owner: { user: 'ann', thread: 't1' }, skillsFolders })
  const outside = join(base, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), 'OUTSIDE')
  const at = (path: string): string => join(workspace.cwd, path)
  return {
    workspace,
    base,
    outside,
    at,
    file: (path, content = 'inside') => {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), content)
      return at(path)
    },
  }
}

export const makePipe = (path: string): void => void execFileSync('mkfifo', [path])

/** The finding that an attempt ends with; throws when it ends well or with another kind of error. */
export async function faultOf(attempt: () => unknown): Promise<ToolgateError['finding']> {
  try {
    await attempt()
  } catch (error) {
    if (error instanceof ToolgateError) return error.finding
    throw error
  }
  throw new Error('it ended well')
}

export const codeOf = async (attempt: () => unknown): Promise<string> => (await faultOf(attempt)).code

/** Number of open files. Linux only. */
export const openFiles = (): number => readdirSync('/proc/self/fd').length
