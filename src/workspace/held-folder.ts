// A folder that is held while something in it is opened, made or replaced, so that nobody can put another in its
// place meanwhile.
//
// By descriptors (Linux): every folder is opened in the one before it, `/proc/self/fd/<n>/<name>`, and no link is
// taken. What is held is the folder itself, whatever its name comes to mean later. By names (where there is no /proc):
// every part is looked at, and what was opened is compared with what the names lead to afterwards; between the two a
// race remains. INVARIANT: no part below the anchor of a root is ever followed as a link.

import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { ToolgateError } from '../errors.ts'
import { nearest } from '../names/nearest.ts'
import {
  isFolderError,
  linkError,
  notFolderError,
  notFoundError,
  pathError,
  specialFileError,
  systemCode,
  systemError,
} from './path-error.ts'
import { isTemporaryName } from './temporary-name.ts'
import type { VirtualRoot } from './workspace.ts'

export type Reach = 'descriptors' | 'names'

export interface HeldFolder {
  readonly reach: Reach
  /** The virtual path, for errors. */
  readonly virtual: string
  /** Host path by which the held folder itself is listed. */
  readonly path: string
  readonly close: () => void
}

export interface HoldOptions {
  /** Make the folders that are missing. Absent: no. */
  readonly make?: boolean
  /** Absent: the best that the system has. */
  readonly reach?: Reach
}

export const systemReach: Reach =
  process.platform === 'linux' && statSync('/proc/self/fd', { throwIfNoEntry: false })?.isDirectory() === true
    ? 'descriptors'
    : 'names'

/** Flags that open a thing itself, never what a link names, and wait for nobody. Windows has none of them. */
export const plainFlags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | plainFlags

/** Host path of an entry in a held folder. It may be a link: only calls that follow none may get it. */
export const entryOf = (held: HeldFolder, name: string): string =>
  held.reach === 'descriptors' ? `${held.path}/${name}` : join(held.path, name)

export const virtualEntry = (held: HeldFolder, name: string): string => `${held.virtual}/${name}`

/**
 * The folder at these parts of a root, held until it is closed. Throws a ToolgateError: `symlink-escape`,
 * `not-a-folder`, `path-not-found`, `special-file`, `file-io`. Closes what it opened on the way.
 */
export function holdFolder(root: VirtualRoot, parts: readonly string[], options: HoldOptions = {}): HeldFolder {
  const anchor = root.anchor ?? root.host
  const own = relative(anchor, root.host)
    .split(sep)
    .filter((part) => part !== '')
  let held = holdAnchor(anchor, root.virtual, options.reach ?? systemReach)
  try {
    for (const name of own) held = stepped(held, name, root.virtual, options)
    for (const name of parts) held = stepped(held, name, virtualEntry(held, name), options)
    return held
  } catch (error) {
    held.close()
    throw error
  }
}

/** The folder of that name in a held one, held as well; the one that holds it stays open. */
export function holdEntry(held: HeldFolder, name: string, virtual = virtualEntry(held, name)): HeldFolder {
  const path = entryOf(held, name)
  try {
    if (held.reach === 'descriptors') return holding(openSync(path, folderFlags), virtual)
    refuseUnlessFolder(lstatSync(path), virtual)
    return { reach: 'names', virtual, path, close: () => {} }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw missingEntry(held, name, virtual)
    if (systemCode(error) !== 'ENOTDIR') throw systemError(error, virtual, 'opened')
    // A link and a file give the same error when a folder is wanted. This look only chooses the words.
    refuseUnlessFolder(lstatSync(path, { throwIfNoEntry: false }), virtual)
    throw notFolderError(virtual)
  }
}

/**
 * With names alone: throws unless the folder still is where its name says, without a link on the way. To be called
 * after something was opened in it and before something is changed. With descriptors there is nothing to ask.
 */
export function confirmFolder(held: HeldFolder): void {
  if (held.reach === 'descriptors') return
  try {
    if (realpathSync(held.path) === held.path) return
  } catch (error) {
    throw systemError(error, held.virtual, 'opened')
  }
  throw linkError(held.virtual)
}

function holdAnchor(anchor: string, virtual: string, reach: Reach): HeldFolder {
  try {
    if (reach === 'descriptors') return holding(openSync(anchor, folderFlags), virtual)
    refuseUnlessFolder(lstatSync(anchor), virtual)
    return { reach, virtual, path: realpathSync(anchor), close: () => {} }
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') refuseUnlessFolder(lstatSync(anchor, { throwIfNoEntry: false }), virtual)
    throw systemError(error, virtual, 'opened')
  }
}

const holding = (descriptor: number, virtual: string): HeldFolder => ({
  reach: 'descriptors',
  virtual,
  path: `/proc/self/fd/${descriptor}`,
  close: () => closeSync(descriptor),
})

/** Goes on to an entry and lets go of the folder that it came from. */
function stepped(held: HeldFolder, name: string, virtual: string, { make = false }: HoldOptions): HeldFolder {
  if (make) makeEntry(held, name, virtual)
  const next = holdEntry(held, name, virtual)
  held.close()
  return next
}

/** A folder of that name, if there is nothing yet: mkdir follows no link at its end, and what is there is looked at next. */
function makeEntry(held: HeldFolder, name: string, virtual: string): void {
  try {
    mkdirSync(entryOf(held, name))
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw systemError(error, virtual, 'made')
  }
}

function refuseUnlessFolder(found: Stats | undefined, virtual: string): void {
  if (found === undefined || found.isDirectory()) return
  if (found.isSymbolicLink()) throw linkError(virtual)
  if (found.isFile()) throw notFolderError(virtual)
  throw specialFileError(virtual)
}

/** What stands at a name in a held folder, looked at without following it. Absent: nothing. */
export function lookAt(held: HeldFolder, name: string): BigIntStats | undefined {
  try {
    return lstatSync(entryOf(held, name), { throwIfNoEntry: false, bigint: true })
  } catch (error) {
    throw systemError(error, virtualEntry(held, name), 'read')
  }
}

/** The error for a name that is not there, with the names that are most like it. */
export function missingEntry(held: HeldFolder, name: string, virtual = virtualEntry(held, name)): ToolgateError {
  return notFoundError(virtual, nearest(name, someNames(held)))
}

const namesComparedMax = 500

function someNames(held: HeldFolder): readonly string[] {
  const names: string[] = []
  try {
    const folder = opendirSync(held.path)
    try {
      for (let entry = folder.readSync(); entry !== null && names.length < namesComparedMax; entry = folder.readSync())
        if (!isTemporaryName(entry.name)) names.push(entry.name)
    } finally {
      folder.closeSync()
    }
  } catch {
    // The names are a courtesy; the error is told without them.
  }
  return names
}

/** Throws unless it is a regular file with one name: another name may lie outside of the thread. */
export function refuseUnlessPlain(found: BigIntStats, virtual: string): void {
  if (found.isSymbolicLink()) throw linkError(virtual)
  if (found.isDirectory()) throw isFolderError(virtual)
  if (!found.isFile()) throw specialFileError(virtual)
  // None at all: somebody replaced it since it was opened.
  if (found.nlink > 1n) throw pathError('hardlink', virtual, `has ${found.nlink} names`, 'copy it under a new name')
}
