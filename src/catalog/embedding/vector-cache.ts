// Vectors that were made once. A cache may forget whatever it likes and may fail: then a vector is made again.

import type { Embedder } from './embedder.ts'

/** Whose vectors. */
export type VectorOwner = Pick<Embedder, 'id' | 'dimensions'>

export interface VectorCache {
  /** What is there of these keys; the others are left out. Rejects when it cannot be read. */
  readonly get: (owner: VectorOwner, keys: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>
  /** Adds to what is there. Rejects when it cannot be written. */
  readonly put: (owner: VectorOwner, vectors: ReadonlyMap<string, Float32Array>) => Promise<void>
}

const numbersMaxDefault = 16_000_000

/**
 * Keeps vectors while the process runs, for all who share it. What was used least recently goes first.
 * `numbersMax`: how many numbers it holds in all, 4 bytes each.
 */
export function memoryVectorCache(numbersMax = numbersMaxDefault): VectorCache {
  const kept = new Map<string, Float32Array>()
  let numbers = 0
  const forget = (key: string) => {
    numbers -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }
  const keep = (key: string, vector: Float32Array) => {
    forget(key)
    kept.set(key, vector)
    numbers += vector.length
  }
  return {
    get: async (owner, keys) => {
      const found = new Map<string, Float32Array>()
      for (const key of keys) {
        const full = fullKey(owner, key)
        const vector = kept.get(full)
        if (vector === undefined) continue
        keep(full, vector)
        found.set(key, vector)
      }
      return found
    },
    put: async (owner, vectors) => {
      for (const [key, vector] of vectors) keep(fullKey(owner, key), vector)
      for (const oldest of kept.keys()) {
        if (numbers <= numbersMax) break
        forget(oldest)
      }
    },
  }
}

const fullKey = ({ id, dimensions }: VectorOwner, key: string): string => `${dimensions}:${id.length}:${id}${key}`
