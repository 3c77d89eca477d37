// Vectors that outlive the process: one file an embedder, read as a whole and replaced as a whole. INVARIANT: whoever
// reads sees the old bytes or the new ones, never a part, whenever a writer is killed. Of two processes that write at
// the same time one may lose what it added; it is made again.
//
//   <folder>/<readable part of the id>-<16 digits of its SHA-256>.vectors

import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { VectorCache, VectorOwner } from '../catalog/embedding/vector-cache.ts'
import { printable } from '../core/printable.ts'
import { finding, ToolgateError } from '../errors.ts'
import { fromBytes, toBytes } from './vector-bytes.ts'

export interface VectorFileOptions {
  /** Of one file. What was added first goes first. Default 64 MiB: about 29,000 vectors of 512 numbers. */
  readonly bytesMax?: number
}

/**
 * A cache in a folder (absolute), which is made when something is written. A file that is torn, too big, of another
 * machine or embedder counts as absent and is replaced by the next write. A folder that cannot be read or written
 * rejects with a ToolgateError (`state-file`).
 */
export function vectorFiles(folder: string, { bytesMax = 64 * 1024 * 1024 }: VectorFileOptions = {}): VectorCache {
  const pathOf = ({ id }: VectorOwner): string => {
    const readable = id.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-/, '')
    return join(
      folder,
      `${readable.slice(0, 40)}-${createHash('sha256').update(id).digest('hex').slice(0, 16)}.vectors`,
    )
  }
  const read = async (owner: VectorOwner): Promise<ReadonlyMap<string, Float32Array>> => {
    const bytes = await readRegular(pathOf(owner), bytesMax)
    const vectors = bytes === undefined ? 'there is none' : await fromBytes(bytes, owner)
    return typeof vectors === 'string' ? new Map() : vectors
  }
  // One write at a time: each adds to what the one before has written.
  let writing: Promise<unknown> = Promise.resolve()
  return {
    get: async (owner, keys) => {
      const stored = await read(owner).catch((error: unknown) => fail(folder, 'read', error))
      return new Map(
        keys.flatMap((key) => {
          const vector = stored.get(key)
          return vector === undefined ? [] : [[key, vector] as const]
        }),
      )
    },
    put: (owner, vectors) => {
      const write = writing.then(async () => {
        const stored = await read(owner).catch(() => new Map<string, Float32Array>())
        const all = new Map([...stored].filter(([key]) => !vectors.has(key)).concat([...vectors]))
        await turn()
        const kept = newest(all, owner, bytesMax)
        await turn()
        const bytes = await toBytes(owner, kept)
        await replace(folder, pathOf(owner), bytes).catch((error: unknown) => fail(folder, 'written', error))
      })
      writing = write.catch(() => {})
      return write
    },
  }
}

/** The newest that fit, in their order. The space of a key is counted generously: its JSON may be longer than it is. */
function newest(
  vectors: ReadonlyMap<string, Float32Array>,
  { id, dimensions }: VectorOwner,
  bytesMax: number,
): ReadonlyMap<string, Float32Array> {
  const kept: [string, Float32Array][] = []
  let bytes = 1024 + Buffer.byteLength(JSON.stringify(id))
  for (const [key, vector] of [...vectors].reverse()) {
    bytes += Buffer.byteLength(JSON.stringify(key)) + 1 + dimensions * 4
    if (bytes > bytesMax) break
    kept.push([key, vector])
  }
  return new Map(kept.reverse())
}

/** The bytes of a regular file. Undefined: there is none, or it is something else, a link included, or too big. */
async function readRegular(path: string, bytesMax: number): Promise<Uint8Array | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ELOOP') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const about = await file.stat()
    return about.isFile() && about.size <= bytesMax ? await file.readFile() : undefined
  } finally {
    await file.close()
  }
}

async function replace(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

function fail(folder: string, what: string, error: unknown): never {
  const said = printable(error instanceof Error ? error.message : String(error), 200)
  const message = `vectors of an embedder could not be ${what} in ${printable(folder, 200)}: ${said}`
  const hint = 'check the folder; until then vectors are made anew each time'
  throw new ToolgateError(finding('state-file', 'warning', message, { subject: printable(folder, 120), hint }))
}
