// Going through the folders below a path: in a fixed order, within bounds, and never through a link. Each folder is
// held while it is gone through, so nothing that happens meanwhile leads out of it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type HeldFolder, type HoldOptions, holdEntry, holdFolder } from '../held-folder.ts'
import { rootsBelow, type VirtualPath } from '../virtual-path.ts'
import type { VirtualRoot, Workspace } from '../workspace.ts'
import { fileLimits } from './limits.ts'
import { type Entry, isLeftOut, listNames, type Names } from './list-names.ts'

export interface Visited extends Entry {
  /** The folder that holds it; held until the visit is over. */
  readonly held: HeldFolder
  /** Relative to where the walk began, with `/`. */
  readonly way: string
  /** The canonical virtual path. */
  readonly virtual: string
}

/** What a visit says: go on, or the walk is over. */
export type Next = 'on' | 'end'

export interface WalkOptions extends Pick<HoldOptions, 'reach'> {
  readonly visit: (entry: Visited) => Next | Promise<Next>
  readonly signal?: AbortSignal
  /** Monotonic milliseconds; tests bring their own. */
  readonly now?: () => number
}

export interface Walked {
  /** Names of folders that were not entered for what they are, in code unit order. */
  readonly leftOut: readonly string[]
  /** Folders that could not be entered or were too big or too deep, by virtual path; the first ones. */
  readonly missed: readonly string[]
  /** The bound that ended the walk before everything was seen. Absent: it was seen, or a visit ended it. */
  readonly stopped?: 'entries' | 'time'
}

const missedMax = 5
/** Entries after which others get their turn. */
const entriesPerTurn = 500

/**
 * Visits everything below a folder, each folder before what is in it, names in code unit order. Of a folder above the
 * roots it visits the roots. Throws a ToolgateError when the folder itself cannot be opened, and whatever a visit or
 * the signal throws; closes what it holds in every case.
 */
export async function walk({ roots }: Workspace, path: VirtualPath, options: WalkOptions): Promise<Walked> {
  const { visit, signal, now = () => performance.now() } = options
  const leftOut = new Set<string>()
  const missed: string[] = []
  const until = now() + fileLimits.walkMs
  let looked = 0
  let stopped: Walked['stopped']

  /** Goes through a folder and closes it. False: the walk is over. */
  const through = async ({ held, names }: ListedFolder, before: string, depth: number): Promise<boolean> => {
    try {
      if (names.tooMany) miss(held.virtual)
      for (const entry of names.entries) {
        signal?.throwIfAborted()
        looked += 1
        if (looked > fileLimits.walkEntries) stopped = 'entries'
        else if (now() > until) stopped = 'time'
        if (stopped !== undefined) return false
        if (looked % entriesPerTurn === 0) await nextTurn()
        const visited = { ...entry, held, way: `${before}${entry.name}`, virtual: `${held.virtual}/${entry.name}` }
        if ((await visit(visited)) === 'end') return false
        if (entry.kind === 'folder' && !(await enter(visited, depth))) return false
      }
      return true
    } finally {
      held.close()
    }
  }
  const enter = async (folder: Visited, depth: number): Promise<boolean> => {
    if (isLeftOut(folder.name)) {
      leftOut.add(folder.name)
      return true
    }
    if (depth >= fileLimits.walkDepth) return miss(folder.virtual)
    // Gone, swapped for a link or closed to us since it was seen: it is told, and the rest goes on.
    const inner = await listedQuietly(() => holdEntry(folder.held, folder.name))
    return inner === undefined ? miss(folder.virtual) : through(inner, `${folder.way}/`, depth + 1)
  }
  const miss = (virtual: string): true => {
    if (missed.length < missedMax && !missed.includes(virtual)) missed.push(virtual)
    return true
  }

  for (const start of startsOf(path, roots)) {
    // Of several roots one that cannot be opened costs only itself.
    const open = (): HeldFolder => holdFolder(start.root, start.parts, options)
    const begun = path.root === undefined ? await listedQuietly(open) : await listed(open())
    if (begun === undefined) miss(start.root.virtual)
    else if (!(await through(begun, start.before, 1))) break
  }
  return { leftOut: [...leftOut].sort(), missed, ...(stopped === undefined ? {} : { stopped }) }
}

interface ListedFolder {
  readonly held: HeldFolder
  readonly names: Names
}

/** A held folder with its names; closed when they cannot be had. */
async function listed(held: HeldFolder): Promise<ListedFolder> {
  try {
    return { held, names: await listNames(held) }
  } catch (error) {
    held.close()
    throw error
  }
}

/** Nothing when it cannot be opened or listed. */
async function listedQuietly(open: () => HeldFolder): Promise<ListedFolder | undefined> {
  try {
    return await listed(open())
  } catch {
    return undefined
  }
}

interface Start {
  readonly root: VirtualRoot
  readonly parts: readonly string[]
  /** What the ways of its entries begin with. */
  readonly before: string
}

function startsOf({ root, parts, canonical }: VirtualPath, roots: readonly VirtualRoot[]): readonly Start[] {
  if (root !== undefined) return [{ root, parts, before: '' }]
  const above = canonical === '/' ? 1 : canonical.length + 1
  return rootsBelow(canonical, roots).map((below) => ({
    root: below,
    parts: [],
    before: `${below.virtual.slice(above)}/`,
  }))
}
