import { describe, expect, it } from 'vitest'
import { lexicon } from '../../../src/catalog/search/lexicon.ts'
import { type Asked, queryTerms, weightyWords } from '../../../src/catalog/search/query-terms.ts'
import { synonyms } from '../../../src/catalog/search/synonyms.ts'

const known = lexicon()
for (const word of ['repository', 'delete', 'remove', 'files', 'calculator', 'spread', 'sheet', 'workbook', 'github'])
  known.add(word)
const setting = { lexicon: known, synonyms: synonyms(), frequency: () => 10, postingsMax: 1_000_000 }
const asked = (text: string, more = {}): readonly Asked[] => queryTerms(text, { ...setting, ...more })
const waysOf = (text: string, word = text) =>
  asked(text)
    .find((one) => one.word === word)
    ?.ways.map(({ term, by }) => [known.stem(term), by])

describe('what a query asks for [C2]', () => {
  it('is its words without those that carry no weight, and all of them when none does', () => {
    expect(weightyWords('please show me the files of a repository')).toEqual(['files', 'repository'])
    expect(weightyWords('how to do it')).toEqual(['how', 'to', 'do', 'it'])
  })

  it.each([
    ['file', [['file', 'itself']]],
    ['calculate', [['calculator', 'root']]],
    ['repo', [['repositori', 'synonym']]],
    ['repositroy', [['repositori', 'spelling']]],
    [
      'spreadsheet',
      [
        ['spread', 'compound'],
        ['sheet', 'compound'],
        ['workbook', 'synonym'],
      ],
    ],
    ['zzzz', []],
  ])('%s is answered by %j', (word, ways) => {
    expect([...(waysOf(word) ?? [])].sort()).toEqual([...ways].sort())
  })

  it('has the word itself as the first way', () => {
    expect(waysOf('delete')?.[0]).toEqual(['delet', 'itself'])
    expect(waysOf('delete')).toContainEqual(['remov', 'synonym'])
  })

  it('may be two words that documents write as one, or one that they take apart', () => {
    expect(asked('work book').at(-1)).toMatchObject({ word: 'work book', isWord: false, ways: [{ by: 'compound' }] })
    expect(asked('GitHub').map(({ word }) => word)).toEqual(['git', 'hub', 'github', 'git hub'])
  })

  it('counts a repeated word more, but once', () => {
    const [one, ...others] = asked('delete deleted deletes')
    expect(one?.weight).toBeGreaterThan(1)
    expect(one?.weight).toBeLessThan(3)
    expect(others).toEqual([])
  })

  it('lets a word stand for another less when the query says that one anyway', () => {
    const weightIn = (text: string): number | undefined =>
      asked(text)[0]?.ways.find(({ term }) => known.stem(term) === 'remov')?.weight
    expect(weightIn('delete')).toBeGreaterThan(weightIn('delete remove') ?? 1)
  })

  it('knows nothing of terms that no document holds', () => {
    expect(asked('delete files', { frequency: () => 0 }).flatMap(({ ways }) => ways)).toEqual([])
  })

  it('is bounded in words', () => {
    const many = Array.from({ length: 3000 }, (_, at) => `w${at}`).join(' ')
    expect(asked(many).length).toBeLessThanOrEqual(256)
  })

  it('drops other ways before words when they are too costly, and words from the end', () => {
    const costly = asked('delete files repository', { postingsMax: 30 })
    expect(costly.map(({ ways }) => ways.map(({ by }) => by))).toEqual([['itself'], ['itself'], ['itself']])
    expect(asked('delete files repository', { postingsMax: 15 }).map(({ ways }) => ways.length)).toEqual([1, 0, 0])
  })
})
