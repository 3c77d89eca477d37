// The vectors of all documents of an index: taken from a cache, and what is new made in the background, a few at a time.
// Nobody waits for it. A pass that fails is taken up again where it ended, when somebody searches later.

import type { Finding } from '../../core/finding.ts'
import { ToolgateError } from '../../errors.ts'
import type { SearchDocument } from '../search/search-document.ts'
import { type Asked, askToPrepare, askVectors, embedderFinding, unitVector, wordsOf } from './ask-embedder.ts'
import { documentKey, documentText } from './document-text.ts'
import type { Embedder } from './embedder.ts'
import type { VectorCache } from './vector-cache.ts'

/** failed: it is tried again on a later search, or never if what the embedder gives cannot be used. */
export interface EmbeddingState {
  readonly phase: 'embedding' | 'ready' | 'failed' | 'closed'
  /** Documents whose vector is there. */
  readonly embedded: number
  readonly documents: number
}

export interface DocumentVectorOptions {
  readonly cache: VectorCache
  /** Texts asked for at once. */
  readonly batchSize: number
  /** How long one batch may take, and the loading of a model before it. */
  readonly batchTimeoutMs: number
  readonly onFinding: (found: Finding) => void
  readonly onProgress: (state: EmbeddingState) => void
}

export interface DocumentVectors {
  readonly state: () => EmbeddingState
  /** Resolves when the pass that runs is over: ready, failed or closed. */
  readonly settled: () => Promise<EmbeddingState>
  /** One number a document, −1 to 1. `query` has length 1; all documents have their vectors. */
  readonly cosines: (query: Float32Array) => Float64Array
  /** Begins anew after a failure, if that was long enough ago. */
  readonly resume: () => void
  /** What is being asked is called off; what was made is kept. Safe to call again. */
  readonly close: () => Promise<void>
}

/** 64 MB, and about 20 ms for one query. */
const numbersMax = 16_000_000
const retryAfterMs = 60_000
/** Cached vectors taken over between two turns of the event loop. */
const sliceSize = 500
/** New vectors that are worth a write; a write puts away at least as many as are there already, so that all cost linear time. */
const writeMin = 64

export function documentVectors(
  documents: readonly SearchDocument[],
  embedder: Embedder,
  options: DocumentVectorOptions,
): DocumentVectors {
  const { cache, batchSize, batchTimeoutMs, onFinding, onProgress } = options
  const { dimensions } = embedder
  const fits = documents.length * dimensions <= numbersMax
  const matrix = new Float32Array(fits ? documents.length * dimensions : 0)
  const missing = new Set(documents.keys())
  const unwritten = new Map<string, Float32Array>()
  const closing = new AbortController()
  let written = 0
  let phase: EmbeddingState['phase'] = 'embedding'
  let retryAt = 0

  const state = (): EmbeddingState => ({
    phase,
    embedded: documents.length - missing.size,
    documents: documents.length,
  })
  const put = (at: number, vector: Float32Array) => {
    matrix.set(vector, at * dimensions)
    missing.delete(at)
  }

  /** A cache that fails costs time, never a vector. */
  async function fromCache(): Promise<void> {
    try {
      const found = await cache.get(embedder, documents.map(documentKey))
      for (const [at, document] of documents.entries()) {
        const vector = found.get(documentKey(document))
        const unit = vector === undefined ? undefined : unitVector(vector, dimensions)
        if (unit instanceof Float32Array) put(at, unit)
        if (at % sliceSize === sliceSize - 1) await turn()
      }
    } catch (error) {
      onFinding(cacheFinding(embedder, 'read', error))
    }
    written = documents.length - missing.size
  }

  async function toCache(least: number): Promise<void> {
    if (unwritten.size < least || unwritten.size === 0) return
    const vectors = new Map(unwritten)
    unwritten.clear()
    written += vectors.size
    try {
      await cache.put(embedder, vectors)
    } catch (error) {
      onFinding(cacheFinding(embedder, 'written', error))
    }
  }

  async function embedMissing(): Promise<Asked<unknown>> {
    const { signal } = closing
    const prepared = await askToPrepare(embedder, { timeoutMs: batchTimeoutMs, signal })
    if (prepared.kind !== 'answer') return prepared
    const positions = [...missing]
    for (let from = 0; from < positions.length; from += batchSize) {
      const batch = positions.slice(from, from + batchSize).flatMap((at) => {
        const document = documents[at]
        return document === undefined ? [] : [{ at, document }]
      })
      const texts = batch.map(({ document }) => documentText(document))
      const asked = await askVectors(embedder, texts, { timeoutMs: batchTimeoutMs, signal })
      if (asked.kind !== 'answer') return asked
      for (const [index, { at, document }] of batch.entries()) {
        const vector = asked.value[index]
        if (vector === undefined) continue
        put(at, vector)
        unwritten.set(documentKey(document), vector)
      }
      if (missing.size > 0) onProgress(state())
      await toCache(Math.max(writeMin, written))
    }
    return prepared
  }

  async function pass(first: boolean): Promise<EmbeddingState> {
    if (first) await fromCache()
    const asked = await embedMissing()
    await toCache(0)
    // Closing has the last word, whatever came in meanwhile.
    if (phase !== 'closed') {
      phase = asked.kind === 'answer' ? 'ready' : 'failed'
      if (asked.kind === 'failed') {
        onFinding(asked.error.finding)
        retryAt = asked.error.finding.code === 'embedder-faulty' ? Infinity : performance.now() + retryAfterMs
      }
      if (asked.kind === 'slow') {
        onFinding(embedderFinding('embedder-slow', embedder.id, `it gave no vectors within ${batchTimeoutMs} ms`))
        retryAt = performance.now() + retryAfterMs
      }
    }
    const now = state()
    onProgress(now)
    return now
  }

  let running: Promise<EmbeddingState>
  if (documents.length > 0 && fits) running = pass(true)
  else {
    phase = fits ? 'ready' : 'failed'
    retryAt = Infinity
    if (!fits) onFinding(embedderFinding('embedder-unavailable', embedder.id, tooMany(documents.length, dimensions)))
    running = Promise.resolve(state())
  }

  return {
    state,
    settled: () => running,
    cosines: (query) => dotProducts(matrix, query, documents.length),
    resume: () => {
      if (phase !== 'failed' || performance.now() < retryAt) return
      phase = 'embedding'
      running = pass(false)
    },
    close: async () => {
      phase = 'closed'
      closing.abort()
      await running
    },
  }
}

/** The matrix holds one row a document. */
function dotProducts(matrix: Float32Array, query: Float32Array, rows: number): Float64Array {
  const products = new Float64Array(rows)
  const columns = query.length
  let from = 0
  for (let row = 0; row < rows; row++) {
    let sum = 0
    for (let at = 0; at < columns; at++) sum += (matrix[from + at] ?? 0) * (query[at] ?? 0)
    products[row] = sum
    from += columns
  }
  return products
}

const tooMany = (documents: number, dimensions: number): string =>
  `${documents} tools of ${dimensions} numbers are over the limit of ${numbersMax} numbers`

const cacheFinding = ({ id }: Embedder, what: string, error: unknown): Finding =>
  error instanceof ToolgateError
    ? error.finding
    : {
        ...embedderFinding('state-file', id, `its vectors could not be ${what}: ${wordsOf(error)}`),
        hint: 'they are made anew each time until this is mended',
      }

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
