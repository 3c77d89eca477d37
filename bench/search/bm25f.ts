// BM25F over a few weighted fields (Robertson, Zaragoza, Taylor 2004): the counts of a term are added over the fields,
// each weighted and measured against the field's usual length, and then saturated once.

import type { SearchDocument } from '../../src/catalog/search/search-document.ts'
import type { Search } from './system.ts'
import { queryTerms, textTerms } from './words.ts'

export interface Bm25Field {
  readonly weight: number
  readonly text: (document: SearchDocument) => string
}

export interface Bm25Settings {
  readonly fields: readonly Bm25Field[]
  /** How soon more of the same term counts no more. */
  readonly k1: number
  /** How much the length of a field counts, 0 to 1. */
  readonly b: number
}

interface Postings {
  readonly at: number[]
  readonly saturated: number[]
}

/** An index of these documents. Equal scores keep the order of the documents. */
export function bm25f(documents: readonly SearchDocument[], { fields, k1, b }: Bm25Settings): Search {
  const counted = documents.map((document) => fields.map((field) => countsOf(textTerms(field.text(document)))))
  const usual = fields.map((_, field) => {
    const sum = counted.reduce((total, of) => total + (of[field]?.length ?? 0), 0)
    return sum / documents.length || 1
  })
  const postings = new Map<string, Postings>()
  for (const [at, ofFields] of counted.entries()) {
    const weights = new Map<string, number>()
    for (const [field, { length, counts }] of ofFields.entries()) {
      const share = (fields[field]?.weight ?? 0) / (1 - b + (b * length) / (usual[field] ?? 1))
      for (const [term, count] of counts) weights.set(term, (weights.get(term) ?? 0) + share * count)
    }
    for (const [term, weight] of weights) {
      const list = postings.get(term) ?? { at: [], saturated: [] }
      list.at.push(at)
      list.saturated.push((weight * (k1 + 1)) / (weight + k1))
      postings.set(term, list)
    }
  }
  const scores = new Float64Array(documents.length)
  return (query, limit) => {
    scores.fill(0)
    for (const term of new Set(queryTerms(query))) {
      const list = postings.get(term)
      if (list === undefined) continue
      const rarity = Math.log(1 + (documents.length - list.at.length + 0.5) / (list.at.length + 0.5))
      for (const [index, at] of list.at.entries()) {
        scores[at] = (scores[at] ?? 0) + rarity * (list.saturated[index] ?? 0)
      }
    }
    return best(scores, limit).map((at) => documents[at]?.name ?? '')
  }
}

function countsOf(terms: readonly string[]): { readonly length: number; readonly counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { length: terms.length, counts }
}

/** Places of the highest scores above 0, highest first. */
function best(scores: Float64Array, limit: number): number[] {
  const kept: number[] = []
  for (const [at, score] of scores.entries()) {
    if (score <= 0) continue
    const last = kept.at(-1)
    if (kept.length >= limit && last !== undefined && score <= (scores[last] ?? 0)) continue
    let place = kept.length
    while (place > 0 && score > (scores[kept[place - 1] ?? 0] ?? 0)) place--
    kept.splice(place, 0, at)
    if (kept.length > limit) kept.pop()
  }
  return kept
}
