import { describe, expect, it } from 'vitest'
import { patternOf, patternSearch } from '../../../src/catalog/search/pattern-search.ts'
import { aDocument, shelf } from './documents.ts'

function found(source: string, documents = shelf): readonly string[] {
  const pattern = patternOf(source)
  if (typeof pattern === 'string') throw new Error(pattern)
  return patternSearch(documents, pattern).positions.map((position) => documents[position]?.name ?? '')
}

describe('a pattern [C2]', () => {
  it.each([
    ['^list_', ['disk__list_directory', 'forge__list_issues']],
    ['LIST_ISSUES', ['forge__list_issues']],
    ['[C-D]reateissue$', ['forge__createIssue']],
    ['_p..l_', ['forge__merge_pull_request']],
    ['^sky$', ['sky__get_forecast']],
    ['翻译', ['translate_text']],
    ['wiki\\.$', ['search']],
    ['re{1,2}ad_', ['disk__read_file', 'forge__read_file']],
    ['e{7}', []],
    ['\\D{200}', []],
    ['\\Sissue', ['forge__list_issues', 'forge__createIssue']],
  ])('/%s/ finds %j', (source, expected) => {
    expect([...found(source)].sort()).toEqual([...expected].sort())
  })

  it('puts names before servers before descriptions, and short names before long ones', () => {
    const documents = [
      aDocument('a', 'about mail'),
      aDocument('b', '', { server: 'mail', name: 'b' }),
      aDocument('send_mail_to_many'),
      aDocument('mail'),
    ]
    expect(found('mail', documents)).toEqual(['mail', 'send_mail_to_many', 'b', 'a'])
  })

  it('counts every kind of blank as a blank, so that no text matches for its characters alone', () => {
    const documents = [aDocument('one', 'two\u00a0words'), aDocument('other', 'no\u2003match')]
    expect(found('two.words$', documents)).toEqual(['one'])
  })

  it.each([
    ['(?=x)y', 'looks around'],
    ['(a)\\1', 'refers back'],
    ['a{99999}', 'repeats too much'],
    ['((a{1,100}){1,100}){1,100}', 'repeats too much'],
    ['(', 'no regular expression'],
    ['[z-a]', 'no regular expression'],
    ['x'.repeat(2000), 'characters'],
  ])('%s is refused: it %s', (source, why) => {
    expect(patternOf(source)).toContain(why)
  })

  it.each([
    '(a+)+$',
    '(a|a)*$',
    '(.*a){20}',
    '[ab]*a[ab]{14}c',
    'a..........[cd]',
    '(?:a?){30}a{30}',
    '(.{0,50}a){9}[cd]',
  ])('/%s/ ends after a bounded amount of work, and says whether all was looked through', (source) => {
    const letters = (seed: number): string =>
      Array.from({ length: 300 }, (_, at) => ((seed * 7919 + at * at * 31 + at) % 7 < 3 ? 'a' : 'b')).join('')
    const documents = Array.from({ length: 3000 }, (_, at) => aDocument(`bulk_${at}`, letters(at)))
    const pattern = patternOf(source)
    if (typeof pattern === 'string') throw new Error(pattern)
    const once = patternSearch(documents, pattern)
    expect(patternSearch(documents, pattern)).toEqual(once)
    expect(typeof once.incomplete).toBe('boolean')
  })

  it('says that it is incomplete when the work is spent', () => {
    const documents = Array.from({ length: 20_000 }, (_, at) => aDocument(`bulk_${at}`, 'word '.repeat(100)))
    const pattern = patternOf('zzz')
    if (typeof pattern === 'string') throw new Error(pattern)
    expect(patternSearch(documents, pattern)).toEqual({ positions: [], incomplete: true })
    expect(patternSearch(documents.slice(0, 1000), pattern)).toEqual({ positions: [], incomplete: false })
  })
})
