// Files of the state folder that are read and replaced as a whole. INVARIANT: whoever reads sees the old text or the
// new one, never a part, whenever a writer is killed.

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { printable } from '../../core/printable.ts'

/**
 * The text of a regular file; `undefined` when there is none. Links are not followed, and a pipe is not waited for.
 * Rejects when it is something else, is over `bytesMax`, or cannot be read.
 */
export async function readRegular(path: string, bytesMax: number): Promise<string | undefined> {
  const noFollow = constants.O_NOFOLLOW ?? 0
  const file = await open(path, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  if (file === undefined) return undefined
  try {
    const about = await file.stat()
    if (!about.isFile()) throw new Error('it is no regular file')
    if (about.size > bytesMax) throw new Error('it is too big')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/**
 * Replaces a file at once, readable by its owner alone; its folder is made when it is not there. `durable`: the text
 * is on the disk before it takes the name, so that not even a power cut loses both. Rejects when it cannot be written.
 */
export async function writeWhole(
  path: string,
  text: string,
  { durable = false }: { readonly durable?: boolean } = {},
): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      if (durable) await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

/** What an error of the system says, as one printable line. */
export const saidBy = (error: unknown): string => printable(error instanceof Error ? error.message : String(error), 200)
