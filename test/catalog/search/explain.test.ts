import { describe, expect, it } from 'vitest'
import type { Explanation } from '../../../src/catalog/search/explain.ts'
import { searchIndex } from '../../../src/catalog/search/search-index.ts'
import { aDocument, shelf } from './documents.ts'

const index = searchIndex(shelf)
const explained = (query: string, name: string): Explanation => {
  const found = index.explain(query, name)
  if (found === undefined) throw new Error(`no document ${name}`)
  return found
}
const matchOf = (query: string, name: string, word: string) =>
  explained(query, name).words.find((each) => each.word === word)?.matches[0]

describe('why a document ranks [C2]', () => {
  it.each([
    ['list issues', 'issues', { text: 'issues', by: 'itself', fields: ['name', 'lead'] }],
    ['listing', 'listing', { text: 'list', by: 'stem', fields: ['name', 'lead'] }],
    ['repo', 'repo', { text: 'repository', by: 'synonym', fields: ['lead'] }],
    ['isues', 'isues', { text: 'issues', by: 'spelling', fields: ['name', 'lead'] }],
    ['lister', 'lister', { text: 'list', by: 'root', fields: ['name', 'lead'] }],
    ['listissues', 'listissues', { text: 'list', by: 'compound', fields: ['name', 'lead'] }],
  ])('tells for %j how %j is answered', (query, word, match) => {
    expect(matchOf(query, 'forge__list_issues', word)).toEqual(match)
  })

  it('tells arguments and their choices apart', () => {
    expect(matchOf('title', 'forge__createIssue', 'title')?.fields).toEqual(['arguments'])
    expect(matchOf('blocker', 'forge__createIssue', 'blocker')?.fields).toEqual(['argumentTexts'])
  })

  it('shares the score among the words', () => {
    const { words } = explained('list repository nonsense', 'forge__list_issues')
    expect(words.map(({ word }) => word)).toEqual(['list', 'repository', 'nonsense'])
    expect(words.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
    expect(words[2]).toEqual({ word: 'nonsense', share: 0, matches: [] })
  })

  it('tells how much of the name is covered, and what that is worth', () => {
    const whole = explained('list of issues', 'forge__list_issues').nameCover
    const half = explained('issues', 'forge__list_issues').nameCover
    expect(whole.share).toBeCloseTo(1)
    expect(half.share).toBeGreaterThan(0)
    expect(half.share).toBeLessThan(1)
    expect(whole.factor).toBeGreaterThan(half.factor)
    expect(explained('repository', 'forge__list_issues').nameCover).toEqual({ share: 0, factor: 1 })
  })

  it('agrees with the ranking', () => {
    for (const query of ['list issues', 'read a file', 'write_file please']) {
      index.rank(query, 20).hits.forEach(({ document, score, exact }, at) => {
        expect(explained(query, document.name)).toMatchObject({ name: document.name, rank: at + 1, score, exact })
      })
    }
  })

  it('tells what was left after better hits with the same words', () => {
    const own = searchIndex([aDocument('bar_chart', 'Bar chart.'), aDocument('bar_chart_old', 'Bar chart of old.')])
    const documents = searchIndex([...own.documents, aDocument('other', 'Bar.')])
    expect(documents.explain('bar chart', 'bar_chart')?.diversity).toBe(1)
    expect(documents.explain('draw a bar chart', 'bar_chart_old')?.diversity).toBeLessThan(1)
  })

  it('has no rank for a document that does not match, and nothing for a name that is not there', () => {
    expect(explained('weather', 'forge__list_issues')).toMatchObject({ rank: undefined, score: 0, exact: false })
    expect(index.explain('weather', 'nope')).toBeUndefined()
  })

  it('names the clause of a long request', () => {
    const filler = 'Tell me something nice about the company wiki and what people write in it every day of the week. '
    const request = `${filler}${filler}${filler}List the issues of the repository.`
    expect(explained(request, 'forge__list_issues').clause).toBe('List the issues of the repository')
    expect(explained('list issues', 'forge__list_issues').clause).toBeUndefined()
  })
})
