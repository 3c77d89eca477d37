import { describe, expect, it } from 'vitest'
import type { SearchDocument } from '../../../src/catalog/search/search-document.ts'
import {
  type SearchIndex,
  type SearchIndexOptions,
  searchIndex,
  searchIndexInSteps,
} from '../../../src/catalog/search/search-index.ts'
import { weights } from '../../../src/catalog/search/weights.ts'
import { aDocument, namesOf, shelf } from './documents.ts'

const index = searchIndex(shelf)
const ranked = (from: SearchIndex, query: string, limit = 5): readonly string[] =>
  namesOf(from.rank(query, limit).hits.map(({ document }) => document))
const first = (query: string): string | undefined => ranked(index, query)[0]
const among = (documents: readonly SearchDocument[], query: string, options?: SearchIndexOptions): readonly string[] =>
  ranked(searchIndex(documents, options), query)

describe('a query in words [C2]', () => {
  it.each([
    ['merge pull request', 'forge__merge_pull_request', 'words of the name'],
    ['listing the directories', 'disk__list_directory', 'other forms of the words'],
    ['createissue', 'forge__createIssue', 'words run together'],
    ['new ticket', 'forge__createIssue', 'words of the same use'],
    ['repo issues', 'forge__list_issues', 'short forms'],
    ['forecsat', 'sky__get_forecast', 'a misspelling'],
    ['severity blocker', 'forge__createIssue', 'arguments and their choices'],
    ['翻译', 'translate_text', 'Chinese'],
    ['how many dollars are ten euros', 'convert_currency', 'kinds of things'],
    ['disk read', 'disk__read_file', 'the server'],
    ['sky', 'sky__get_forecast', 'the server alone'],
    ['work space wiki', 'search', 'a word of the description'],
  ])('%s finds %s by %s', (query, name) => {
    expect(first(query)).toBe(name)
  })

  it.each(['', '   ', '|', '.*', '$$$', 'zzzzqqq', '\ud800'])('%j finds nothing', (query) => {
    expect(index.rank(query, 5)).toEqual({ hits: [], total: 0, strength: 'none' })
  })

  it('may be made of nothing but words without weight', () => {
    expect(among([aDocument('to_do'), aDocument('other')], 'to do')).toEqual(['to_do'])
  })

  it('gives no more than the limit, and tells how many match', () => {
    const { hits, total } = index.rank('file', 2)
    expect(hits).toHaveLength(2)
    expect(total).toBeGreaterThan(2)
    expect(index.rank('file', 0)).toMatchObject({ hits: [], total })
  })

  it('gives for a smaller limit the beginning of what it gives for a larger one', () => {
    const documents = Array.from({ length: 300 }, (_, at) =>
      aDocument(`list_${at % 7}_things_${at}`, 'Lists many things.'),
    )
    const wide = searchIndex(documents)
    const all = ranked(wide, 'list things', 300)
    expect(all).toHaveLength(300)
    for (const limit of [1, 5, 20, 59, 61, 120]) expect(ranked(wide, 'list things', limit)).toEqual(all.slice(0, limit))
  })

  it('stands equal matches by priority, then in the order of documents', () => {
    const documents = ['a', 'b', 'c', 'd'].map((server) =>
      aDocument('ping', 'Pings.', { server, priority: server === 'c' ? 3 : 0 }),
    )
    expect(among(documents, 'ping')).toEqual(['c__ping', 'a__ping', 'b__ping', 'd__ping'])
  })

  it('ranks a name that is covered whole before one that holds more', () => {
    const documents = [aDocument('list_issue_comments_of_user', 'List.'), aDocument('list_issues', 'List.')]
    expect(among(documents, 'please list all issues now')[0]).toBe('list_issues')
  })

  it('finds by configured keywords as by the name', () => {
    const documents = [aDocument('x1', 'Something.'), aDocument('x2', 'Something.', { keywords: ['payroll'] })]
    expect(among(documents, 'payroll')).toEqual(['x2'])
  })

  it('knows configured groups of words', () => {
    const documents = [aDocument('close_sprint'), aDocument('other')]
    expect(among(documents, 'conclude lap')).not.toContain('close_sprint')
    expect(among(documents, 'conclude lap', { synonyms: [['sprint', 'lap']] })[0]).toBe('close_sprint')
  })

  it('prefers what is said to what it stands for', () => {
    const documents = [aDocument('remove_user', 'Removes.'), aDocument('delete_user', 'Deletes.')]
    expect(among(documents, 'delete the user')[0]).toBe('delete_user')
    expect(among(documents, 'remove the user')[0]).toBe('remove_user')
  })

  it('answers several needs before it repeats one', () => {
    const repeats = Array.from({ length: 8 }, (_, at) => aDocument(`chart_bar_${at}`, 'Draws a bar chart of data.'))
    const documents = [...repeats, aDocument('translate', 'Translates a text.')]
    expect(among(documents, 'bar chart and translate').slice(0, 2)).toContain('translate')
  })

  it('searches a long request clause by clause, so that a small need is not drowned', () => {
    const some = (count: number, name: string, description: string): readonly SearchDocument[] =>
      Array.from({ length: count }, (_, at) => aDocument(`${name}_${at}`, description))
    const documents = [
      ...some(2, 'report', 'Writes a report about sales, markets, people, years and regions.'),
      ...some(9, 'keep', 'Keeps books on markets, people, seats and sales.'),
      ...some(60, 'other', 'Does something else.'),
      aDocument('book_seat', 'Reserves a place.'),
    ]
    const long =
      'Write a report about sales in all markets, about the people in these markets, about the years before and the ' +
      'years after, with the sales of all regions, and with all that people in those regions think about the report. '
    const request = `${long}Book a seat for me on a Monday morning in the spring.`
    expect(request.length).toBeGreaterThan(weights.clauseCharsMin + 5)
    const placeOf = (query: string): number => ranked(searchIndex(documents), query, 50).indexOf('book_seat')
    expect(placeOf(request)).toBeLessThan(placeOf(request.replaceAll(/[.,]/g, '')))
  })
})

describe('a query that names a tool [C2]', () => {
  const documents = [
    aDocument('list_issues', 'Lists issues.', { server: 'forge' }),
    aDocument('list_issue_types', 'Lists issue types, list_issues and issues, issues, issues.', { server: 'forge' }),
    aDocument('issues', 'Issues list of all issues.', { server: 'tracker' }),
  ]
  const own = searchIndex(documents)

  it.each([
    'forge__list_issues',
    'list_issues',
    'List-Issues',
    'listIssues',
    'forge/list_issues',
    'use list_issues now',
  ])('%j has it first, and says that it is exact', (query) => {
    const { hits, strength } = own.rank(query, 3)
    expect(hits[0]).toMatchObject({ exact: true, document: { name: 'forge__list_issues' } })
    expect(hits.slice(1).some(({ exact }) => exact)).toBe(false)
    expect(strength).toBe('exact')
  })

  it('is not one that only holds a word which is also a name', () => {
    const { hits } = own.rank('which issues types are there to list', 3)
    expect(hits.some(({ exact }) => exact)).toBe(false)
  })

  it('finds a tool whose name is made of words without weight', () => {
    const { hits, total } = searchIndex([aDocument('how_to', 'Guide.'), aDocument('x')]).rank('how-to', 5)
    expect(hits.map(({ document }) => document.name)).toEqual(['how_to'])
    expect(total).toBe(1)
  })
})

describe('how strong a match is', () => {
  it.each([
    ['forge__list_issues', 'exact'],
    ['list the issues of a repository', 'good'],
    ['issues with my landlord about heating', 'weak'],
    ['qqq', 'none'],
  ])('%j is %s', (query, strength) => {
    expect(index.rank(query, 5).strength).toBe(strength)
  })

  it('does not depend on the limit', () => {
    expect(index.rank('list the issues', 0).strength).toBe('good')
  })
})

describe('scores', () => {
  it('are one for each document, above 0 for those that match', () => {
    const scores = index.scores('list issues')
    expect(scores).toHaveLength(shelf.length)
    expect([...scores].filter((score) => score > 0)).toHaveLength(index.rank('list issues', 5).total)
  })

  it('may be changed by whoever asked, without effect on the index', () => {
    const before = ranked(index, 'list issues')
    index.scores('list issues').fill(0)
    expect(ranked(index, 'list issues')).toEqual(before)
  })

  it('of somebody else go through exact names and ties as well', () => {
    const scores = new Float64Array(shelf.length)
    scores[8] = 2
    scores[2] = 1
    scores[0] = Number.NaN
    const { hits, total } = index.rankScores('list_directory', scores, 5)
    expect(hits.map(({ document, exact }) => [document.name, exact])).toEqual([
      ['disk__list_directory', true],
      ['convert_currency', false],
    ])
    expect(total).toBe(2)
  })

  it('of somebody else leave out what they leave at 0, named or not', () => {
    const scores = new Float64Array(shelf.length)
    scores[8] = 1
    expect(index.rankScores('list_directory', scores, 5).hits.map(({ document }) => document.name)).toEqual([
      'convert_currency',
    ])
  })
})

describe('the index of a changed catalog [C1]', () => {
  const changed = [
    ...shelf.slice(0, 4),
    aDocument('createIssue', 'Files a defect.', { server: 'forge', definitionHash: 'changed' }),
    ...shelf.slice(5, 9),
    aDocument('send_mail', 'Sends mail to somebody.'),
  ]
  const queries = [
    'list issues',
    'file a defect',
    'send email',
    'translate',
    'read_file',
    'reed',
    'headline',
    'wiki serch',
  ]

  it('answers as one that was made anew', () => {
    const anew = searchIndex(changed)
    const after = searchIndex(changed, { previous: index })
    for (const query of queries) {
      expect(after.rank(query, 10)).toEqual(anew.rank(query, 10))
      expect(after.scores(query)).toEqual(anew.scores(query))
    }
  })

  it('leaves the one before as it was', () => {
    const before = queries.map((query) => index.rank(query, 10))
    searchIndex(changed, { previous: index })
    expect(queries.map((query) => index.rank(query, 10))).toEqual(before)
  })

  it('knows nothing of documents that are gone', () => {
    const after = searchIndex(shelf.slice(0, 4), { previous: index })
    expect(after.rank('forecast', 5).total).toBe(0)
    expect(after.rank('forecsat', 5).total).toBe(0)
  })

  it('may be empty, and may follow an empty one', () => {
    const empty = searchIndex([], { previous: index })
    expect(empty.rank('list', 5)).toEqual({ hits: [], total: 0, strength: 'none' })
    expect(searchIndex(shelf, { previous: empty }).rank('list issues', 5)).toEqual(index.rank('list issues', 5))
  })
})

describe('an index that is made in steps [C3]', () => {
  it('is the same index, and lets others work in between', async () => {
    const many = Array.from(
      { length: 300 },
      (_, at) => ({ ...shelf[at % shelf.length], name: `t_${at}` }) as SearchDocument,
    )
    let turns = 0
    const pause = async () => {
      turns += 1
    }
    const made = await searchIndexInSteps(many, {}, pause)
    expect(turns).toBeGreaterThan(10)
    expect(made.rank('list issues', 20)).toEqual(searchIndex(many).rank('list issues', 20))
    turns = 0
    const again = await searchIndexInSteps(many.slice(1), { previous: made }, pause)
    expect(again.rank('list issues', 20)).toEqual(searchIndex(many.slice(1)).rank('list issues', 20))
  })
})

describe('words that the names hold', () => {
  const holding = (...required: readonly string[]): readonly string[] => {
    const held = index.holding(required)
    return namesOf(shelf.filter((_, at) => held[at] === true))
  }

  it.each([
    ['disk', ['disk__read_file', 'disk__write_file', 'disk__list_directory']],
    ['DISK', ['disk__read_file', 'disk__write_file', 'disk__list_directory']],
    ['issue', ['forge__createIssue', 'forge__list_issues']],
    ['create-issue', ['forge__createIssue']],
    ['urren', ['convert_currency']],
    ['merging', ['forge__merge_pull_request']],
    ['repository', []],
    ['+', []],
  ])('%s: %j', (word, expected) => {
    expect(holding(word)).toEqual(expected)
  })

  it('are all of those that are required', () => {
    expect(holding('forge', 'issue')).toEqual(['forge__createIssue', 'forge__list_issues'])
    expect(holding('forge', 'issue', 'lists')).toEqual(['forge__list_issues'])
    expect(holding('forge', 'disk')).toEqual([])
    expect(holding()).toHaveLength(shelf.length)
  })
})
