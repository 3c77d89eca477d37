// The vector of a query, if it comes in time. A search waits for it, so an embedder that keeps missing its deadline is
// not asked for a while, and one that leaves questions unanswered is not asked more.

import { type Asked, askVectors } from './ask-embedder.ts'
import { cut } from './document-text.ts'
import { type Embedder, embeddedCharsMax } from './embedder.ts'

export interface QueryVectors {
  /** Its vector, of length 1. Never rejects. */
  readonly of: (query: string, signal?: AbortSignal) => Promise<Asked<Float32Array>>
}

/** A model asks the same again when it turns a page or starts over. */
const keptMax = 64
/** So many misses in a row, and the embedder rests. */
const missesMax = 3
const restMs = 30_000
/** So many questions it was to drop and still holds, and it is asked no more until it lets one go. */
const overdueMax = 3

/** `timeoutMs`: how long one search waits. */
export function queryVectors(embedder: Embedder, timeoutMs: number): QueryVectors {
  const kept = new Map<string, Float32Array>()
  let misses = 0
  let restsUntil = 0
  let lastMiss: Asked<never> = { kind: 'slow' }
  let overdue = 0
  return {
    of: async (query, signal) => {
      const text = cut(query.trim(), embeddedCharsMax)
      const known = kept.get(text)
      if (known !== undefined) {
        kept.delete(text)
        kept.set(text, known)
        return { kind: 'answer', value: known }
      }
      if (overdue >= overdueMax || performance.now() < restsUntil) return lastMiss
      let open = true
      let late = false
      const onSettled = () => {
        open = false
        if (late) overdue--
      }
      const asked = await askVectors(embedder, [text], {
        timeoutMs,
        onSettled,
        ...(signal === undefined ? {} : { signal }),
      })
      if (asked.kind !== 'answer' && open) {
        late = true
        overdue++
      }
      if (asked.kind === 'cancelled') return asked
      if (asked.kind !== 'answer') {
        lastMiss = asked
        misses++
        if (misses >= missesMax) restsUntil = performance.now() + restMs
        return asked
      }
      misses = 0
      const [vector = new Float32Array(embedder.dimensions)] = asked.value
      kept.set(text, vector)
      for (const oldest of kept.keys()) {
        if (kept.size <= keptMax) break
        kept.delete(oldest)
      }
      return { kind: 'answer', value: vector }
    },
  }
}
