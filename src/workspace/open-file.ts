// Opening one regular file in a held folder, and reading a bounded number of its bytes. INVARIANT: what is judged (a
// regular file, one name) is what was opened, and whoever opens it closes it.

import { type BigIntStats, closeSync, constants, fstatSync, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import {
  confirmFolder,
  entryOf,
  type HeldFolder,
  type HoldOptions,
  holdFolder,
  lookAt,
  missingEntry,
  plainFlags,
  refuseUnlessPlain,
  virtualEntry,
} from './held-folder.ts'
import { isFolderError, pathError, systemCode, systemError } from './path-error.ts'
import type { VirtualPath } from './virtual-path.ts'
import type { VirtualRoot } from './workspace.ts'

export interface OpenFile {
  readonly virtual: string
  readonly descriptor: number
  /** Bytes when it was opened; it may grow. */
  readonly size: number
  readonly close: () => void
}

/**
 * Opens a file in a held folder for reading. Throws a ToolgateError: `path-not-found`, `symlink-escape`, `hardlink`,
 * `special-file`, `is-a-folder`, `file-io`. Waits for no pipe.
 */
export function openEntry(held: HeldFolder, name: string): OpenFile {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const file = openedOnce(held, name)
    if (file !== undefined) return file
  }
  throw pathError('file-io', virtualEntry(held, name), 'is replaced again and again', 'try again later')
}

const triesMax = 10

/**
 * Nothing when another file took its place meanwhile. The name is looked at before and after, because the number of
 * names of an opened file alone tells little: whoever gave a file outside a second name here may take it away between
 * the opening and the look, and one name is left.
 */
function openedOnce(held: HeldFolder, name: string): OpenFile | undefined {
  const virtual = virtualEntry(held, name)
  let descriptor: number | undefined
  try {
    const before = lookAt(held, name)
    if (before === undefined) throw missingEntry(held, name)
    refuseUnlessPlain(before, virtual)
    descriptor = openSync(entryOf(held, name), constants.O_RDONLY | plainFlags)
    const found = fstatSync(descriptor, { bigint: true })
    refuseUnlessPlain(found, virtual)
    confirmFolder(held)
    const after = lookAt(held, name)
    if (after !== undefined) refuseUnlessPlain(after, virtual)
    if (isSame(before, found) && isSame(found, after)) {
      const opened = descriptor
      descriptor = undefined
      return { virtual, descriptor: opened, size: Number(found.size), close: () => closeSync(opened) }
    }
    return undefined
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw systemError(error, virtual, 'opened')
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const isSame = (one: BigIntStats, other: BigIntStats | undefined): boolean =>
  one.dev === other?.dev && one.ino === other.ino

/** The same by its path; a root or a folder above the roots is no file. */
export function openFile(path: VirtualPath, options: HoldOptions = {}): OpenFile {
  const { root, parts, name } = placeOf(path)
  const held = holdFolder(root, parts, options)
  try {
    return openEntry(held, name)
  } finally {
    held.close()
  }
}

export interface FilePlace {
  readonly root: VirtualRoot
  /** Of the folder that holds it, below the root. */
  readonly parts: readonly string[]
  readonly name: string
}

/** Where a file is to be opened. Throws `is-a-folder` for a root and for what is above the roots. */
export function placeOf({ root, parts, canonical }: VirtualPath): FilePlace {
  const name = parts.at(-1)
  if (root === undefined || name === undefined) throw isFolderError(canonical)
  return { root, parts: parts.slice(0, -1), name }
}

const readAsync = promisify(read)

/** The next bytes of a file from a place on, into a buffer; 0 at its end. */
export async function readInto(file: OpenFile, buffer: Buffer, position: number): Promise<number> {
  try {
    const { bytesRead } = await readAsync(file.descriptor, buffer, 0, buffer.length, position)
    return bytesRead
  } catch (error) {
    throw systemError(error, file.virtual, 'read')
  }
}

/** All bytes of a file that has at most so many; `file-too-big` otherwise, also when it grows meanwhile. */
export async function readWhole(file: OpenFile, bytesMax: number): Promise<Buffer> {
  const tooBig = (): Error =>
    pathError('file-too-big', file.virtual, `is over ${bytesMax} bytes`, 'read it in parts, or make it smaller')
  if (file.size > bytesMax) throw tooBig()
  const chunks: Buffer[] = []
  let length = 0
  for (;;) {
    // One byte more than is there, so that one read tells the end as well.
    const chunk = Buffer.allocUnsafe(length === 0 ? file.size + 1 : chunkBytes)
    const count = await readInto(file, chunk, length)
    chunks.push(chunk.subarray(0, count))
    length += count
    if (length > bytesMax) throw tooBig()
    if (count < chunk.length) return chunks.length === 1 ? chunk.subarray(0, count) : Buffer.concat(chunks)
  }
}

export const chunkBytes = 65_536
