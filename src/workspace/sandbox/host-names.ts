import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Workspace } from '../workspace.ts'

/** The folder of all threads, as it was given and by its real name: nothing of it is shown but what is the thread's. */
export function threadsOf({ userData }: Pick<Workspace, 'userData'>): readonly string[] {
  const threads = dirname(dirname(dirname(userData)))
  try {
    return [...new Set([threads, realpathSync(threads)])]
  } catch {
    return [threads]
  }
}
