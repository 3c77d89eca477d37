// Results that are too long for a model are kept whole in a folder of the thread, where the file tools read them. The
// name follows from the content, so one result is kept once; of many the oldest make room.

import { rmSync } from 'node:fs'
import { confirmFolder, entryOf, type HeldFolder, type HoldOptions, holdFolder, lookAt } from '../held-folder.ts'
import { pathError } from '../path-error.ts'
import type { Workspace } from '../workspace.ts'
import { inTurn } from './in-turn.ts'
import { listNames } from './list-names.ts'
import { resultsFolder } from './results-folder.ts'
import { replaceEntry } from './write-file.ts'

export interface KeepLimits {
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Files of one thread, and bytes of all of them. */
  readonly files: number
  readonly bytes: number
}

export const keepLimits: KeepLimits = { fileBytes: 64 * 1024 * 1024, files: 200, bytes: 256 * 1024 * 1024 }

export interface KeepOptions extends Pick<HoldOptions, 'reach'> {
  /** Absent: `keepLimits`. */
  readonly limits?: KeepLimits
}

export interface Kept {
  /** The canonical virtual path. */
  readonly path: string
  /** Older results that were removed to make room. */
  readonly removed: number
}

const root = '/mnt/user-data/workspace'
/** Whose file is not of this form was put there by somebody else, and is never removed. */
const ownName = /^[A-Za-z0-9_-]{1,40}-[0-9a-f]{16}\.[a-z0-9]{1,8}$/

/**
 * Keeps bytes under `<label>-<hash>.<ending>`; what is not allowed in a name is taken out of the label. `hash`: at
 * least 16 hex digits over the bytes. Throws a ToolgateError, and has removed nothing then but what made room.
 */
export async function keepResult(
  workspace: Workspace,
  { label, hash, ending, bytes }: { label: string; hash: string; ending: string; bytes: Buffer },
  { limits = keepLimits, ...options }: KeepOptions = {},
): Promise<Kept> {
  const folder = workspace.roots.find(({ virtual }) => virtual === root)
  const name = `${label.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40) || 'result'}-${hash.slice(0, 16)}.${ending}`
  const path = `${root}/${resultsFolder}/${name}`
  if (folder === undefined) throw pathError('path-outside', path, 'leads to no folder of this thread')
  if (bytes.length > Math.min(limits.fileBytes, limits.bytes))
    throw pathError('file-too-big', path, `would have ${bytes.length} bytes, over ${limits.fileBytes}`)
  return inTurn(`${folder.host}/${resultsFolder}`, async () => {
    const held = holdFolder(folder, [resultsFolder], { ...options, make: true })
    try {
      const removed = await makeRoom(held, name, bytes.length, limits)
      await replaceEntry(held, name, bytes)
      return { path, removed }
    } finally {
      held.close()
    }
  })
}

interface Found {
  readonly name: string
  readonly bytes: number
  readonly changed: bigint
}

/** Removes the oldest results until another of so many bytes fits; how many. */
async function makeRoom(held: HeldFolder, name: string, bytes: number, limits: KeepLimits): Promise<number> {
  const { entries } = await listNames(held)
  const others = entries
    .filter((entry) => entry.kind === 'file' && entry.name !== name && ownName.test(entry.name))
    .flatMap((entry): readonly Found[] => {
      const file = lookAt(held, entry.name)
      return file === undefined ? [] : [{ name: entry.name, bytes: Number(file.size), changed: file.mtimeNs }]
    })
    .sort((one, other) =>
      one.changed === other.changed ? (one.name < other.name ? -1 : 1) : one.changed < other.changed ? -1 : 1,
    )
  let files = others.length + 1
  let total = others.reduce((sum, other) => sum + other.bytes, bytes)
  let removed = 0
  for (const oldest of others) {
    if (files <= limits.files && total <= limits.bytes) break
    confirmFolder(held)
    // A name is taken out of the held folder; whatever it has come to mean is not followed.
    rmSync(entryOf(held, oldest.name), { force: true })
    files -= 1
    total -= oldest.bytes
    removed += 1
  }
  return removed
}
