import { join, relative } from 'node:path'
import { stateFolderOf } from '../assembly/prepare-run.ts'
import type { Config } from '../config/config.ts'
import { threadsFolderOf } from '../sessions/processes/thread-place.ts'
import { folderNameOf } from '../workspace/folder-name.ts'
import type { ThreadOwner } from '../workspace/workspace.ts'

/** The folder of a thread's files on this machine, absolute, whether or not it is there. */
export const threadFiles = (config: Config, { user, thread }: ThreadOwner): string =>
  join(threadsFolderOf(config, stateFolderOf(config)), folderNameOf(user), folderNameOf(thread), 'user-data')

/** As it is shown: from here, where that is shorter. */
export function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length && !fromHere.startsWith('..') ? fromHere : path
}
