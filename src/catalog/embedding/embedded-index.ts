// An index of words that knows meaning as well, once it does: until the vectors are there, and whenever the embedder is
// slow or fails, a search is by words alone and says so. No search ever fails or waits long because of an embedder.

import type { Finding } from '../../core/finding.ts'
import type { SearchDocument } from '../search/search-document.ts'
import { embedderFinding } from './ask-embedder.ts'
import { documentVectors, type EmbeddingState } from './document-vectors.ts'
import { asEmbedder, type Embedder } from './embedder.ts'
import { type FusedScores, fuseScores } from './fuse-scores.ts'
import { queryVectors } from './query-vectors.ts'
import { memoryVectorCache, type VectorCache } from './vector-cache.ts'

/** What is asked of an index of words. */
export interface ScoredIndex {
  readonly documents: readonly SearchDocument[]
  /** One score a document, in their order, 0 or more; 0: no word found. */
  readonly scores: (query: string) => Float64Array
}

export interface EmbeddingOptions {
  /** Where vectors are kept. Absent: nowhere beyond this index. */
  readonly cache?: VectorCache
  /** What nearness in meaning counts beside words. Default 0.6, the best on the development sets of LiveMCPBench, BFCL and MetaTool. */
  readonly weight?: number
  /** How long one search waits for its query's vector. Default 300. */
  readonly queryTimeoutMs?: number
  /** How long one batch of documents may take, and the loading of a model. Default 60,000. */
  readonly batchTimeoutMs?: number
  /** Documents asked for at once. Default 16. */
  readonly batchSize?: number
  /** Told each kind of trouble once, by its code. */
  readonly onFinding?: (found: Finding) => void
  readonly onProgress?: (state: EmbeddingState) => void
  /** The same as `close`. */
  readonly signal?: AbortSignal
}

export interface EmbeddedScores {
  /** One a document, in the order of documents, and in the scale of the index of words. */
  readonly scores: Float64Array
  /** words: nothing but words counted. both: words and meaning. meaning: no word was found, so whatever is told is weak. */
  readonly by: FusedScores['by']
  /** Why only words counted. Absent: meaning counted too, or the embedder has no notion of this query. */
  readonly because?: 'not-ready' | 'slow' | 'failed' | 'cancelled'
  /** All documents had their vectors. */
  readonly ready: boolean
}

export interface EmbeddedIndex {
  readonly state: () => EmbeddingState
  /** Resolves when the vectors are there or are not coming for now. Never rejects. For one who wants to wait. */
  readonly settled: () => Promise<EmbeddingState>
  /** Never rejects unless the index of words throws. The signal says that nobody waits any more. */
  readonly scores: (query: string, signal?: AbortSignal) => Promise<EmbeddedScores>
  /** Ends the work in the background, not the embedder, which others may use. Safe to call again. */
  readonly close: () => Promise<void>
}

/**
 * Begins to make vectors at once, in the background. Throws a ToolgateError (`embedder-faulty`) when that is no
 * embedder, and a RangeError when an option is no number above 0.
 */
export function embeddedIndex(index: ScoredIndex, given: Embedder, options: EmbeddingOptions = {}): EmbeddedIndex {
  const embedder = asEmbedder(given, 'the embedder of an index')
  const { cache = memoryVectorCache(0), weight = 0.6, queryTimeoutMs = 300, batchTimeoutMs = 60_000 } = options
  const { batchSize = 16, onFinding, onProgress, signal } = options
  positive({ weight, queryTimeoutMs, batchTimeoutMs, batchSize })
  const told = new Set<string>()
  const tell = (found: Finding) => {
    if (told.has(found.code)) return
    told.add(found.code)
    quietly(() => onFinding?.(found))
  }
  const vectors = documentVectors(index.documents, embedder, {
    cache,
    batchSize,
    batchTimeoutMs,
    onFinding: tell,
    onProgress: (state) => quietly(() => onProgress?.(state)),
  })
  const queries = queryVectors(embedder, queryTimeoutMs)
  const close = async (): Promise<void> => {
    signal?.removeEventListener('abort', close)
    await vectors.close()
  }
  if (signal?.aborted) void close()
  else signal?.addEventListener('abort', close, { once: true })

  return {
    state: vectors.state,
    settled: vectors.settled,
    close,
    scores: async (query, searchSignal) => {
      const byWords = (because: EmbeddedScores['because'], ready: boolean): EmbeddedScores => ({
        scores: index.scores(query),
        by: 'words',
        ...(because === undefined ? {} : { because }),
        ready,
      })
      vectors.resume()
      const { phase } = vectors.state()
      if (phase !== 'ready') return byWords(phase === 'failed' ? 'failed' : 'not-ready', false)
      if (index.documents.length === 0 || query.trim() === '') return byWords(undefined, true)
      const asking = queries.of(query, searchSignal)
      // While the embedder is at work, the words are counted.
      const lexical = index.scores(query)
      const asked = await asking
      if (asked.kind === 'failed') tell(asked.error.finding)
      if (asked.kind === 'slow') {
        const what = `it gave no vector of a query within ${queryTimeoutMs} ms`
        tell({ ...embedderFinding('embedder-slow', embedder.id, what), hint: 'give it more time, or use a faster one' })
      }
      if (asked.kind !== 'answer') return { scores: lexical, by: 'words', because: asked.kind, ready: true }
      return { ...fuseScores(lexical, vectors.cosines(asked.value), weight), ready: true }
    },
  }
}

/** What a listener throws is its own affair: it must not end work that nobody waits for. */
function quietly(tell: () => void): void {
  try {
    tell()
  } catch {}
}

function positive(options: { readonly [name: string]: number }): void {
  for (const [name, value] of Object.entries(options))
    if (!Number.isFinite(value) || value <= 0) throw new RangeError(`${name} is no number above 0`)
}
