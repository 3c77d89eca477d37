// Opens the workspace of a thread: checks who it belongs to, makes its folders, and finds the folders of skills.

import { lstatSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkOwner, folderNameOf } from './folder-name.ts'
import { linkError, notFolderError, systemCode, systemError } from './path-error.ts'
import { serversRoot } from './server-folder.ts'
import { shortNameOf } from './short-name.ts'
import { skillRoots } from './skill-roots.ts'
import { temporaryFolder } from './temporary-name.ts'
import type { ThreadOwner, VirtualRoot, Workspace } from './workspace.ts'

export interface WorkspaceOptions {
  /** Holds the folders of all users; made when it is not there. */
  readonly threadsFolder: string
  readonly owner: ThreadOwner
  /** Folders that hold skill folders, as in the configuration. Absent or `[]`: no skills. */
  readonly skillsFolders?: readonly string[]
}

/**
 * The workspace of a thread, with its folders made (mode 0700) where they were missing. Safe to call again, also at
 * the same time. Throws a ToolgateError: `invalid-id`, `symlink-escape` or `not-a-folder` when something else stands
 * where a folder of the thread should be, `file-io`.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { owner, skillsFolders = [] } = options
  checkOwner(owner)
  const threads = resolve(options.threadsFolder)
  const user = join(threads, folderNameOf(owner.user))
  const thread = join(user, folderNameOf(owner.thread))
  const userData = join(thread, 'user-data')
  const root = (virtual: string, host: string, writable: boolean): VirtualRoot => ({
    virtual,
    host,
    writable,
    anchor: thread,
  })
  const own = [
    root('/mnt/user-data/workspace', join(userData, 'workspace'), true),
    root('/mnt/user-data/uploads', join(userData, 'uploads'), true),
    root('/mnt/user-data/outputs', join(userData, 'outputs'), true),
    root(serversRoot, join(userData, 'servers'), false),
    root('/mnt/acp-workspace', join(thread, 'acp-workspace'), false),
  ]
  const cwd = join(userData, 'workspace')
  const temp = join(cwd, temporaryFolder)
  makeThreadsFolder(threads)
  for (const folder of [user, thread, userData]) makeFolder(folder, '/mnt/user-data')
  for (const { host, virtual } of own) makeFolder(host, virtual)
  makeFolder(temp, `/mnt/user-data/workspace/${temporaryFolder}`)
  const roots = [...own, ...(await skillRoots(skillsFolders))]
  const tempName = shortNameOf(temp)
  return {
    owner: { user: owner.user, thread: owner.thread },
    userData,
    cwd,
    servers: join(userData, 'servers'),
    temp,
    ...(tempName === temp ? {} : { tempName }),
    roots: roots.sort(longestFirst),
  }
}

const longestFirst = (a: VirtualRoot, b: VirtualRoot): number =>
  b.virtual.length - a.virtual.length || (a.virtual < b.virtual ? -1 : 1)

/** The operator's own folder: it and what is above it may be links. */
function makeThreadsFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw systemError(error, 'the folder of threads', 'made')
  }
}

/** A folder of the thread: made, or there already and really a folder. */
function makeFolder(folder: string, virtual: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw systemError(error, virtual, 'made')
    const found = lstatSync(folder)
    if (found.isSymbolicLink()) throw linkError(virtual)
    if (!found.isDirectory()) throw notFolderError(virtual)
  }
}
