// The compiled form of an index: which documents hold a term, and how much it counts in each, in typed arrays. Both ways
// round: by term for ranking, by document for telling documents apart.

import type { DocumentTerms } from './document-terms.ts'
import { searchFields, weights } from './weights.ts'

/** Where a term stands in a document, as bits. */
export const inName = 1
export const inServer = 2

/** Terms and documents that belong together: `gains` says how much the term counts in the document, `places` where it stands. */
interface Pairs {
  /** Of item `i`: entries `starts[i] … starts[i + 1]` of the other arrays. */
  readonly starts: Int32Array
  readonly others: Int32Array
  readonly gains: Float32Array
  readonly places: Uint8Array
}

export interface Postings {
  /** Number of documents. */
  readonly size: number
  /** Of each term its documents, ascending. */
  readonly byTerm: Pairs
  /** Of each document its terms. */
  readonly byDocument: Pairs
  /** How telling a term is: high for few documents. */
  readonly idf: Float64Array
  /** What a word that is in no document would have. */
  readonly idfMax: number
  /** Of each document the sum of the idf of the terms of its name. */
  readonly nameIdf: Float64Array
}

const fieldCount = searchFields.length
const nameField = searchFields.indexOf('name')
const serverField = searchFields.indexOf('server')

/** Lays the terms of documents into arrays. `termCount`: size of the lexicon that their ids belong to. */
export function postings(documents: readonly DocumentTerms[], termCount: number): Postings {
  const size = documents.length
  const frequency = new Int32Array(termCount)
  const ownCount = new Int32Array(size)
  documents.forEach(({ terms }, document) => {
    ownCount[document] = terms.length
    for (const term of terms) frequency[term] = (frequency[term] ?? 0) + 1
  })
  const byTerm = emptyPairs(frequency)
  const byDocument = emptyPairs(ownCount)
  const idf = Float64Array.from(frequency, (count) => (count === 0 ? 0 : idfOf(size, count)))
  const nameIdf = new Float64Array(size)
  const averages = averageLengths(documents)
  const next = byTerm.starts.slice()
  let own = 0
  documents.forEach(({ terms, counts, lengths }, document) => {
    const scales = scalesOf(lengths, averages)
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] ?? 0
      const offset = at * fieldCount
      let heavy = 0
      for (let field = 0; field < fieldCount; field++) heavy += (counts[offset + field] ?? 0) * (scales[field] ?? 0)
      const gain = (heavy * (weights.saturation + 1)) / (heavy + weights.saturation)
      const isInName = (counts[offset + nameField] ?? 0) > 0
      const place = (isInName ? inName : 0) | ((counts[offset + serverField] ?? 0) > 0 ? inServer : 0)
      if (isInName) nameIdf[document] = (nameIdf[document] ?? 0) + (idf[term] ?? 0)
      const to = next[term] ?? 0
      next[term] = to + 1
      put(byTerm, to, document, gain, place)
      put(byDocument, own, term, gain, place)
      own += 1
    }
  })
  return { size, byTerm, byDocument, idf, idfMax: idfOf(size, 0), nameIdf }
}

/** The idf of BM25: never negative. */
const idfOf = (size: number, count: number): number => Math.log(1 + (size - count + 0.5) / (count + 0.5))

/** Words of each field in a document, on average. */
function averageLengths(documents: readonly DocumentTerms[]): Float64Array {
  const averages = new Float64Array(fieldCount)
  for (const { lengths } of documents)
    for (let field = 0; field < fieldCount; field++) averages[field] = (averages[field] ?? 0) + (lengths[field] ?? 0)
  return averages.map((sum) => sum / Math.max(1, documents.length))
}

/** What one word of each field counts in a document with fields of these lengths. */
const scalesOf = (lengths: Int32Array, averages: Float64Array): readonly number[] =>
  searchFields.map((name, field) => {
    const { weight, byLength } = weights.fields[name]
    return weight / (1 - byLength + (byLength * (lengths[field] ?? 0)) / (averages[field] || 1))
  })

function emptyPairs(counts: Int32Array): Pairs {
  const starts = new Int32Array(counts.length + 1)
  for (let at = 0; at < counts.length; at++) starts[at + 1] = (starts[at] ?? 0) + (counts[at] ?? 0)
  const total = starts[counts.length] ?? 0
  return { starts, others: new Int32Array(total), gains: new Float32Array(total), places: new Uint8Array(total) }
}

function put({ others, gains, places }: Pairs, at: number, other: number, gain: number, place: number): void {
  others[at] = other
  gains[at] = gain
  places[at] = place
}
