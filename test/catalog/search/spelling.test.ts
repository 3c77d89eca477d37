import { describe, expect, it } from 'vitest'
import { lexicon } from '../../../src/catalog/search/lexicon.ts'
import { corrections, distance, spellingWorkMax } from '../../../src/catalog/search/spelling.ts'

const known = lexicon()
for (const word of ['statement', 'earnings', 'calendar', 'repository', 'delete', 'deletes', 'rate', 'search'])
  known.add(word)
const correct = (word: string, budget = { left: spellingWorkMax }): readonly string[] =>
  corrections(word, known, () => 1, budget).map((found) => found.word)

describe('slips between two words', () => {
  it.each([
    ['issue', 'issue', 0],
    ['isue', 'issue', 1],
    ['issuee', 'issue', 1],
    ['izsue', 'issue', 1],
    ['isseu', 'issue', 1],
    ['repsoitroy', 'repository', 2],
    ['abcdef', 'uvwxyz', 3],
    ['a', 'abcdef', 3],
  ])('%s and %s: %i', (one, other, slips) => {
    expect(distance(one, other, 2)).toBe(slips)
  })
})

describe('a word that no document holds [C2]', () => {
  it.each([
    ['statment', 'statement'],
    ['earnigns', 'earnings'],
    ['calender', 'calendar'],
    ['repsoitroy', 'repository'],
    ['serach', 'search'],
  ])('%s is taken for %s', (word, meant) => {
    expect(correct(word)).toEqual([meant])
  })

  it.each([
    ['rte', 'it is too short'],
    ['atatement', 'its first letter differs'],
    ['sttemen7', 'it holds more than letters'],
    ['stemen', 'it is short, and two slips away'],
  ])('%s is left alone: %s', (word) => {
    expect(correct(word)).toEqual([])
  })

  it('is told once for words of one stem', () => {
    expect(correct('delette')).toEqual(['delete'])
  })

  it('is not taken for a word that no document of this index holds', () => {
    expect(corrections('statment', known, () => 0, { left: spellingWorkMax })).toEqual([])
  })

  it('costs no more than the work that is left', () => {
    const budget = { left: 0 }
    expect(correct('statment', budget)).toEqual([])
    expect(budget.left).toBe(0)
  })

  it('prefers the word that more documents hold', () => {
    const pair = lexicon()
    const [rare, common] = [pair.add('planner'), pair.add('planned')]
    const found = corrections('planneq', pair, (term) => (term === common ? 9 : 1), { left: spellingWorkMax })
    expect(found.map(({ term }) => term)).toEqual([common, rare])
  })
})
