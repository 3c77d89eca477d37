// What ls shows: a folder and the folders in it, two levels, links as links.

import { type HeldFolder, type HoldOptions, holdEntry, holdFolder } from '../held-folder.ts'
import { pathIn } from '../path-in.ts'
import { rootsBelow } from '../virtual-path.ts'
import type { Workspace } from '../workspace.ts'
import { fileLimits } from './limits.ts'
import { type Entry, isLeftOut, listNames, type Names } from './list-names.ts'

export interface ListedEntry extends Entry {
  /** Of a folder. Absent: it was not entered, because of what it is or because it is closed. */
  readonly inner?: ListedFolder
  /** A folder that is not entered by itself, such as one of dependencies. */
  readonly leftOut?: boolean
}

export interface ListedFolder {
  /** In code unit order. */
  readonly entries: readonly ListedEntry[]
  /** Entries that are not shown. */
  readonly more: number
  /** True when not even all of its names were read. */
  readonly tooMany: boolean
}

export interface Listed extends ListedFolder {
  /** The canonical virtual path. */
  readonly path: string
}

/**
 * Lists a folder, or the roots below a folder above them. Throws a ToolgateError: one of the `path-` codes,
 * `symlink-escape`, `not-a-folder`, `special-file`, `file-io`.
 */
export async function listFolder(
  workspace: Workspace,
  given: unknown,
  options: Pick<HoldOptions, 'reach'> = {},
): Promise<Listed> {
  const { root, parts, canonical } = pathIn(workspace, given)
  if (root === undefined) return { path: canonical, ...namesBelow(canonical, workspace) }
  const held = holdFolder(root, parts, options)
  try {
    const names = await listNames(held)
    const shown = names.entries.slice(0, fileLimits.listedEntries)
    let room = fileLimits.listedEntries - shown.length
    const entries: ListedEntry[] = []
    for (const entry of shown) {
      const listed: ListedEntry = entry.kind === 'folder' ? await listedInner(held, entry, room) : entry
      room -= listed.inner?.entries.length ?? 0
      entries.push(listed)
    }
    return { path: canonical, entries, more: names.entries.length - shown.length, tooMany: names.tooMany }
  } finally {
    held.close()
  }
}

async function listedInner(held: HeldFolder, entry: Entry, room: number): Promise<ListedEntry> {
  if (isLeftOut(entry.name)) return { ...entry, leftOut: true }
  let inner: HeldFolder | undefined
  try {
    inner = holdEntry(held, entry.name)
    return { ...entry, inner: firstOf(await listNames(inner), Math.min(room, fileLimits.listedInner)) }
  } catch {
    // Gone, swapped for a link, or closed to us since it was seen; its name stands.
    return entry
  } finally {
    inner?.close()
  }
}

const firstOf = ({ entries, tooMany }: Names, count: number): ListedFolder => ({
  entries: entries.slice(0, count),
  more: Math.max(0, entries.length - count),
  tooMany,
})

/** The next parts on the way to the roots, such as `workspace` and `uploads` below `/mnt/user-data`. */
function namesBelow(canonical: string, { roots }: Workspace): ListedFolder {
  const above = canonical === '/' ? 1 : canonical.length + 1
  const names = new Set(rootsBelow(canonical, roots).map(({ virtual }) => virtual.slice(above).split('/')[0] ?? ''))
  const entries = [...names].sort().map((name): ListedEntry => ({ name, kind: 'folder' }))
  const shown = entries.slice(0, fileLimits.listedEntries)
  return { entries: shown, more: entries.length - shown.length, tooMany: false }
}
