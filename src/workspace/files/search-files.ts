// Searching lines of text files. Files that are too big or no text are counted and told, links are never read.

import {
  type HeldFolder,
  type HoldOptions,
  holdFolder,
  lookAt,
  missingEntry,
  refuseUnlessPlain,
} from '../held-folder.ts'
import { pathError } from '../path-error.ts'
import { pathIn } from '../path-in.ts'
import type { VirtualPath } from '../virtual-path.ts'
import type { Workspace } from '../workspace.ts'
import { globTest } from './glob-pattern.ts'
import { fileLimits } from './limits.ts'
import { type FoundLine, lineSearch, type SearchTally } from './line-search.ts'
import { type LinePattern, lineTest } from './line-test.ts'
import { type Walked, walk } from './walk.ts'

export interface SearchOptions extends LinePattern, Pick<HoldOptions, 'reach'> {
  /** Search only files that it covers; without a slash it is about the name alone. Absent: all files. */
  readonly glob?: string
  /** Most lines to give. */
  readonly max: number
  readonly signal?: AbortSignal
  /** Monotonic milliseconds; tests bring their own. */
  readonly now?: () => number
}

export interface FoundLines extends Walked, Omit<SearchTally, 'stopped'> {
  /** In the order of the walk and, inside a file, of its lines. */
  readonly matches: readonly FoundLine[]
}

/**
 * Lines below a folder, or in one file, that match. Throws a ToolgateError: one of the `path-` codes,
 * `symlink-escape`, `pattern-invalid`, `file-io`; for a single file also `hardlink`, `special-file`, `file-too-big`,
 * `file-not-text`.
 */
export async function searchFiles(workspace: Workspace, given: unknown, options: SearchOptions): Promise<FoundLines> {
  const path = pathIn(workspace, given)
  const search = lineSearch(lineTest(options), options)
  const file = heldFile(path, options)
  if (file !== undefined) {
    try {
      const outcome = await search.look(file.held, file.name)
      if (outcome !== 'searched') throw notSearched(outcome, path)
    } finally {
      file.held.close()
    }
    return { ...search.found(), leftOut: [], missed: [] }
  }
  const covered = options.glob === undefined ? () => true : globTest(options.glob, { anywhere: true })
  const walked = await walk(workspace, path, {
    ...options,
    visit: async ({ kind, held, name, way }) => {
      if (kind === 'file' && covered(way)) await search.lookQuietly(held, name)
      return search.isOver() ? 'end' : 'on'
    },
  })
  return { ...walked, ...search.found() }
}

function notSearched(why: 'tooBig' | 'notText', { canonical }: VirtualPath): Error {
  if (why === 'notText') return pathError('file-not-text', canonical, 'is no text', 'search text files')
  const { searchedBytes } = fileLimits
  return pathError('file-too-big', canonical, `is over ${searchedBytes} bytes`, 'read it in parts with read_file')
}

/** The folder of a file, held, when the path is one; nothing for a folder. Throws for whatever is neither. */
function heldFile(path: VirtualPath, options: HoldOptions): { held: HeldFolder; name: string } | undefined {
  const { root, parts, canonical } = path
  const name = parts.at(-1)
  if (root === undefined || name === undefined) return undefined
  const held = holdFolder(root, parts.slice(0, -1), options)
  let kept = false
  try {
    const found = lookAt(held, name)
    if (found === undefined) throw missingEntry(held, name)
    if (found.isDirectory()) return undefined
    refuseUnlessPlain(found, canonical)
    kept = true
    return { held, name }
  } finally {
    if (!kept) held.close()
  }
}
