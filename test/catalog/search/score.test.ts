import { describe, expect, it } from 'vitest'
import { postings } from '../../../src/catalog/search/postings.ts'
import type { MatchedBy, Way } from '../../../src/catalog/search/query-terms.ts'
import { readDocuments } from '../../../src/catalog/search/read-documents.ts'
import { nameBonus, scorer, together, worthOf } from '../../../src/catalog/search/score.ts'
import { weights } from '../../../src/catalog/search/weights.ts'
import { aDocument } from './documents.ts'

const documents = [
  aDocument('alpha', 'common words rare'),
  aDocument('beta', 'common words'),
  aDocument('gamma', 'common'),
  aDocument('delta', 'other'),
]
const { lexicon, terms } = readDocuments(documents)
const table = postings(terms, lexicon.size())
const way = (word: string, by: MatchedBy, weight = 1): Way => ({ term: lexicon.find(word), weight, by })
const one = (...ways: readonly Way[]) => ({ word: 'w', weight: 1, isWord: true, ways })
const score = scorer(table)

describe('the score of a document [C2]', () => {
  it('is higher for telling words, and 0 for a document that holds none', () => {
    const common = score([one(way('common', 'itself'))])
    const rare = score([one(way('rare', 'itself'))])
    expect(rare[0]).toBeGreaterThan(common[0] ?? 0)
    expect(common[3]).toBe(0)
  })

  it('counts a word that is answered in two ways less than twice', () => {
    const [both = 0] = score([one(way('words', 'spelling'), way('common', 'spelling'))])
    const [first = 0] = score([one(way('words', 'spelling'))])
    const [second = 0] = score([one(way('common', 'spelling'))])
    expect(both).toBeGreaterThan(Math.max(first, second))
    expect(both).toBeCloseTo(together(first, second))
    expect(together(first, second)).toBeLessThan(first + second)
  })

  it('does not take a rare synonym for more telling than the word that was asked', () => {
    const asked = one(way('common', 'itself'), way('rare', 'synonym', 0.5))
    const synonym = asked.ways[1] as Way
    expect(worthOf(asked, synonym, table)).toBe(0.5 * (table.idf[lexicon.find('common')] ?? 0))
    expect(worthOf(one(synonym), synonym, table)).toBe(0.5 * (table.idf[lexicon.find('rare')] ?? 0))
  })

  it('has a bonus for a name that is covered, of a bounded size', () => {
    expect(nameBonus(0)).toBe(1)
    expect(nameBonus(0.5)).toBeGreaterThan(1)
    expect(nameBonus(7)).toBe(1 + weights.nameCover)
  })

  it('starts anew for each query', () => {
    const before = score([one(way('words', 'itself'))])
    score([one(way('common', 'itself')), one(way('rare', 'itself'))])
    expect(score([one(way('words', 'itself'))])).toEqual(before)
  })
})
