// A query answered by words and meaning. What ranks is found out first, because an embedder must be waited for and the
// ranking itself waits for nobody.

import { type FindOptions, type Found, findTools } from '../find-tools.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { EmbeddedIndex } from './embedded-index.ts'

/**
 * As `findTools`, with what an embedder adds. Without its vectors, or where it fails or is slow, words alone count.
 * What is found by meaning alone is named and not given: a text that means nothing is near to something as well.
 */
export async function findByMeaning(
  index: SearchIndex,
  embedded: EmbeddedIndex,
  query: unknown,
  options: FindOptions,
): Promise<Found> {
  let ranked: { readonly text: string; readonly scores: Float64Array } | undefined
  const byWords = findTools(index, query, {
    ...options,
    fuse: (text, scores) => {
      ranked = { text, scores }
      return scores
    },
  })
  if (ranked === undefined) return byWords
  const { text, scores } = ranked
  const { scores: fused, by } = await embedded.scores(text)
  if (by === 'words') return byWords
  const factor = by === 'both' ? scaleOf(scores, index.scores(text)) : 1
  const found = findTools(index, query, { ...options, fuse: () => fused.map((score) => score * factor) })
  if (by === 'both' || found.kind !== 'ranked') return found
  const named = [...found.found, ...found.more].slice(0, options.moreMax ?? 15)
  return { ...found, found: [], more: named, strength: 'weak' }
}

/** What the ranking was handed may be in another scale than the index gives; fused scores come in that of the index. */
function scaleOf(given: Float64Array, own: Float64Array): number {
  const most = largest(own)
  return most > 0 ? largest(given) / most : 1
}

const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), 0)
