import type { HoldOptions } from '../held-folder.ts'
import { pathIn } from '../path-in.ts'
import type { Workspace } from '../workspace.ts'
import { globTest } from './glob-pattern.ts'
import { type Walked, walk } from './walk.ts'

export interface FindOptions extends Pick<HoldOptions, 'reach'> {
  /** Relative to the folder. */
  readonly pattern: string
  /** Find folders as well. Absent: files only. */
  readonly folders?: boolean
  /** Most paths to give. */
  readonly max: number
  readonly signal?: AbortSignal
}

export interface FoundFiles extends Walked {
  /** Virtual paths in the order of the walk; those of folders end with a slash. Links are not among them. */
  readonly paths: readonly string[]
  /** How many there are; more than `paths` holds when there were too many. */
  readonly total: number
}

/**
 * Files below a folder whose way from there fits a pattern. Throws a ToolgateError: one of the `path-` codes,
 * `symlink-escape`, `not-a-folder`, `pattern-invalid`, `file-io`.
 */
export async function findFiles(workspace: Workspace, given: unknown, options: FindOptions): Promise<FoundFiles> {
  const path = pathIn(workspace, given)
  const fits = globTest(options.pattern)
  const paths: string[] = []
  let total = 0
  const walked = await walk(workspace, path, {
    ...options,
    visit: ({ kind, way, virtual }) => {
      const counts = kind === 'file' || (kind === 'folder' && options.folders === true)
      if (!counts || !fits(way)) return 'on'
      total += 1
      if (paths.length < options.max) paths.push(kind === 'folder' ? `${virtual}/` : virtual)
      return 'on'
    },
  })
  return { ...walked, paths, total }
}
