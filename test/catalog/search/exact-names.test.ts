import { describe, expect, it } from 'vitest'
import { exactNames, nameKeys } from '../../../src/catalog/search/exact-names.ts'
import type { SearchDocument } from '../../../src/catalog/search/search-document.ts'
import { aDocument, shelf } from './documents.ts'

const namesOf = (documents: readonly SearchDocument[]) => exactNames(documents, documents.map(nameKeys))
const names = namesOf(shelf)
const found = (text: string, caseCounts = false): string | readonly string[] | undefined => {
  const named = names.find(text, caseCounts)
  if (named.kind === 'one') return shelf[named.position]?.name
  return named.kind === 'several' ? named.positions.map((position) => shelf[position]?.name ?? '') : undefined
}

describe('the tool that a text names [C2]', () => {
  it.each([
    ['disk__write_file', 'disk__write_file'],
    ['write_file', 'disk__write_file'],
    ['disk/write_file', 'disk__write_file'],
    ['mcp__disk__write_file', 'disk__write_file'],
    ['disk.write-file', 'disk__write_file'],
    ['write file', 'disk__write_file'],
    ['WRITE_FILE', 'disk__write_file'],
    ['writeFile', 'disk__write_file'],
    ['Disk/Write-File', 'disk__write_file'],
    ['create_issue', 'forge__createIssue'],
    ['createissue', 'forge__createIssue'],
    ['forge__list_issues', 'forge__list_issues'],
    ['search', 'search'],
  ])('%s is %s', (text, name) => {
    expect(found(text)).toBe(name)
  })

  it.each(['read', 'file', 'disk', 'nope', '', '   ', 'constructor', '__proto__', 'x'.repeat(5000)])(
    '%j names none',
    (text) => {
      expect(found(text)).toBeUndefined()
    },
  )

  it('is none of several that share the name', () => {
    expect(found('read_file')).toEqual(['disk__read_file', 'forge__read_file'])
    expect(found('forge/read_file')).toBe('forge__read_file')
  })

  it('is the one with the same bytes where others differ in case or separators', () => {
    const documents = [aDocument('get_user'), aDocument('getUser'), aDocument('Get_User'), aDocument('get-user')]
    const own = namesOf(documents)
    for (const [position, { name }] of documents.entries())
      expect(own.find(name, false)).toMatchObject({ kind: 'one', position })
    expect(own.find('GET_USER', false)).toMatchObject({ kind: 'several' })
    expect(own.find('get user', true)).toMatchObject({ kind: 'several', positions: [0, 3] })
  })

  it('is the surface name before what another owner calls a tool', () => {
    const documents = [aDocument('run', '', { server: 'a', name: 'b__run' }), aDocument('b__run', '', { name: 'x' })]
    expect(namesOf(documents).find('b__run', true)).toMatchObject({ kind: 'one', position: 0 })
  })

  it('has the case of the text where case counts', () => {
    expect(found('disk/write-file', true)).toBe('disk__write_file')
    expect(found('WRITE_FILE', true)).toBeUndefined()
    expect(found('writeFile', true)).toBeUndefined()
  })
})

describe('tools that a query names', () => {
  const inQuery = (query: string): readonly string[] =>
    names.inQuery(query).map((position) => shelf[position]?.name ?? '')

  it('are those of the whole query or of words that have the form of a name', () => {
    expect(inQuery('search')).toEqual(['search'])
    expect(inQuery('please use write_file and `createIssue`, not read')).toEqual([
      'disk__write_file',
      'forge__createIssue',
    ])
    expect(inQuery('disk/list-directory now')).toEqual(['disk__list_directory'])
  })

  it('are not those that a plain word of a sentence happens to name', () => {
    expect(inQuery('search the wiki for the holiday policy')).toEqual([])
    expect(namesOf([aDocument('github')]).inQuery('open an issue on GitHub for me')).toEqual([])
  })

  it('are not those that hyphens of a sentence make, except in the same bytes', () => {
    const own = namesOf([aDocument('check_in'), aDocument('check-out')])
    expect(own.inQuery('I would like to check-in at the hotel in Paris tomorrow')).toEqual([])
    expect(own.inQuery('I would like to use check-out at the hotel tomorrow')).toEqual([1])
    expect(own.inQuery('use check-in now')).toEqual([0])
  })

  it('stand in the order of how near the text is to the name', () => {
    expect(inQuery('LIST_ISSUES write_file')).toEqual(['disk__write_file', 'forge__list_issues'])
  })

  it('are bounded', () => {
    const many = Array.from({ length: 100 }, (_, at) => aDocument(`tool_${at}`))
    expect(namesOf(many).inQuery(many.map(({ name }) => name).join(' ')).length).toBeLessThanOrEqual(16)
  })
})
