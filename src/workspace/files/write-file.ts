// Writing a file: beside it under another name, then in its place. Whoever reads it sees the old text or the new one,
// and a link that takes its place meanwhile is replaced, never followed.

import { type BigIntStats, closeSync, constants, fchmodSync, openSync, renameSync, rmSync, write } from 'node:fs'
import { promisify } from 'node:util'
import {
  confirmFolder,
  entryOf,
  type HeldFolder,
  type HoldOptions,
  holdFolder,
  lookAt,
  plainFlags,
  refuseUnlessPlain,
  virtualEntry,
} from '../held-folder.ts'
import { openEntry, placeOf, readWhole } from '../open-file.ts'
import { pathError, systemError } from '../path-error.ts'
import { writablePathIn } from '../path-in.ts'
import { temporaryName } from '../temporary-name.ts'
import { hostPathOf } from '../virtual-path.ts'
import type { Workspace } from '../workspace.ts'
import { inTurn } from './in-turn.ts'
import { fileLimits } from './limits.ts'

export interface WriteOptions extends Pick<HoldOptions, 'reach'> {
  /** Add to what is there. Absent: replace it. */
  readonly append?: boolean
}

export interface Written {
  /** The canonical virtual path. */
  readonly path: string
  /** Bytes that were written. */
  readonly bytes: number
  /** False when there was a file of that name. */
  readonly created: boolean
}

/**
 * Writes a text to a file and makes the folders on its way. The mode of a file that is there is kept. Throws a
 * ToolgateError: one of the `path-` codes, `symlink-escape`, `hardlink`, `special-file`, `is-a-folder`,
 * `not-a-folder`, `file-too-big`, `file-not-text`, `file-io`; what was there before is whole then.
 */
export async function writeText(
  workspace: Workspace,
  given: unknown,
  text: string,
  options: WriteOptions = {},
): Promise<Written> {
  const path = writablePathIn(workspace, given)
  const { root, parts, name } = placeOf(path)
  if (/\p{Cs}/u.test(text)) throw pathError('file-not-text', path.canonical, 'was given half a character to write')
  const bytes = Buffer.from(text)
  refuseOver(fileLimits.writeBytes, bytes.length, path.canonical)
  return inTurn(hostPathOf(root, path.parts), async () => {
    const held = holdFolder(root, parts, { ...options, make: true })
    try {
      const before = lookAt(held, name)
      const old = options.append === true && before !== undefined ? [await contentOf(held, name, bytes.length)] : []
      await replaceEntry(held, name, Buffer.concat([...old, bytes]))
      return { path: path.canonical, bytes: bytes.length, created: before === undefined }
    } finally {
      held.close()
    }
  })
}

/**
 * Puts a file with these bytes at a name in a held folder, in place of the regular file that may be there. Throws a
 * ToolgateError, and leaves what was there as it was.
 */
export async function replaceEntry(held: HeldFolder, name: string, bytes: Buffer): Promise<void> {
  const virtual = virtualEntry(held, name)
  const before = lookAt(held, name)
  if (before !== undefined) refuseUnlessWritable(before, virtual)
  const temporary = entryOf(held, temporaryName())
  let made = false
  try {
    const descriptor = openSync(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | plainFlags,
      0o666,
    )
    made = true
    try {
      if (before !== undefined) fchmodSync(descriptor, Number(before.mode & 0o777n))
      await writeAll(descriptor, bytes)
    } finally {
      closeSync(descriptor)
    }
    confirmFolder(held)
    renameSync(temporary, entryOf(held, name))
    made = false
  } catch (error) {
    throw systemError(error, virtual, 'written')
  } finally {
    if (made) removeQuietly(temporary)
  }
}

/** What is there already, when there is room for so many bytes more. It is copied: nothing is ever written into a file that was there. */
async function contentOf(held: HeldFolder, name: string, bytesMore: number): Promise<Buffer> {
  const file = openEntry(held, name)
  try {
    refuseOver(fileLimits.appendedBytes, file.size + bytesMore, file.virtual)
    return await readWhole(file, fileLimits.appendedBytes)
  } finally {
    file.close()
  }
}

function refuseUnlessWritable(found: BigIntStats, virtual: string): void {
  refuseUnlessPlain(found, virtual)
  // Replacing a file asks for no right on it, so its mark is looked at.
  if ((found.mode & 0o222n) === 0n)
    throw pathError('path-read-only', virtual, 'is marked read-only', 'use another name')
}

function refuseOver(bytesMax: number, bytes: number, virtual: string): void {
  if (bytes <= bytesMax) return
  throw pathError('file-too-big', virtual, `would have ${bytes} bytes, over ${bytesMax}`, 'write it in several files')
}

const writeAsync = promisify(write)

async function writeAll(descriptor: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await writeAsync(descriptor, bytes, at, bytes.length - at, null)).bytesWritten
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The folder may be gone, and the file with it.
  }
}
