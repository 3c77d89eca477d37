import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Found, type FoundByRank, type FoundBySelect, findTools } from '../../src/catalog/find-tools.ts'
import { searchIndex } from '../../src/catalog/search/search-index.ts'
import { aDocument, namesOf, shelf } from './search/documents.ts'

const index = searchIndex(shelf)

function selected(text: string, from = index): FoundBySelect {
  const found = findTools(from, text)
  if (found.kind !== 'select') throw new Error(`${found.kind} for ${text}`)
  return found
}

function ranked(text: string, options = {}, from = index): FoundByRank {
  const found = findTools(from, text, options)
  if (found.kind !== 'ranked') throw new Error(`${found.kind} for ${text}`)
  return found
}

describe('select: by name [C2]', () => {
  it.each([
    ['select:disk__read_file', ['disk__read_file']],
    ['select:search,disk__read_file,search', ['search', 'disk__read_file']],
    ['select:write_file', ['disk__write_file']],
    ['select:disk/write_file,disk__write_file,mcp__disk__write_file', ['disk__write_file']],
    ['select:disk-write-file', ['disk__write_file']],
    ['select:list-issues, list_directory', ['forge__list_issues', 'disk__list_directory']],
  ])('%s gives %j', (text, expected) => {
    expect(selected(text)).toMatchObject({ unknown: [], ambiguous: [] })
    expect(namesOf(selected(text).found)).toEqual(expected)
  })

  it('gives all that are asked, however many', () => {
    const many = searchIndex(Array.from({ length: 40 }, (_, at) => aDocument(`t${at}`)))
    expect(selected(`select:${namesOf(many.documents).join(',')}`, many).found).toEqual(many.documents)
  })

  it('says which names are unknown, with the nearest', () => {
    expect(selected('select:list_isues,write_file,qqqqqq')).toMatchObject({
      found: [{ name: 'disk__write_file' }],
      unknown: [
        { asked: 'list_isues', nearest: ['forge__list_issues'] },
        { asked: 'qqqqqq', nearest: [] },
      ],
    })
  })

  it('gives nothing for a name in another letter case, and offers the tool', () => {
    for (const asked of ['DISK__WRITE_FILE', 'Write_File', 'createissue', 'create_issue']) {
      const { found, unknown } = selected(`select:${asked}`)
      expect(found).toEqual([])
      expect(unknown[0]?.nearest[0]).toMatch(/write_file|createIssue/)
    }
  })

  it('gives none of several that share a name, and says which', () => {
    expect(selected('select:read_file')).toEqual({
      kind: 'select',
      found: [],
      unknown: [],
      ambiguous: [{ asked: 'read_file', names: ['disk__read_file', 'forge__read_file'] }],
    })
  })

  it('finds the nearest in a large catalog as well', () => {
    const large = searchIndex([
      ...shelf,
      ...Array.from({ length: 2000 }, (_, at) => aDocument(`tool_${at}`, 'Does things.')),
    ])
    expect(selected('select:list_isues', large).unknown[0]?.nearest).toContain('forge__list_issues')
    expect(selected('select:LIST_ISSUES', large).unknown[0]?.nearest[0]).toBe('forge__list_issues')
  })
})

describe('+word: required words [C2]', () => {
  it.each([
    ['+forge read', 'forge__read_file'],
    ['+disk +file put text', 'disk__write_file'],
    ['+ISSUE open', 'forge__createIssue'],
    ['+issues', 'forge__list_issues'],
    ['+curren', 'convert_currency'],
  ])('%s has %s first', (text, name) => {
    expect(ranked(text)).toMatchObject({ by: 'require', relaxed: false })
    expect(ranked(text).found[0]?.name).toBe(name)
  })

  it('gives only tools whose server or name has all of them, the rest matching or not', () => {
    expect([...namesOf(ranked('+disk weather').found)].sort()).toEqual([
      'disk__list_directory',
      'disk__read_file',
      'disk__write_file',
    ])
    expect(ranked('+disk weather').total).toBe(3)
  })

  it('gives the plain ranking, and says so, when no tool has all of them', () => {
    const { relaxed, found } = ranked('+disk +weather issues')
    expect(relaxed).toBe(true)
    expect(found.length).toBeGreaterThan(0)
    expect(namesOf(found)).toEqual(namesOf(ranked('disk weather issues').found))
  })

  it('does not count words of the description', () => {
    expect(ranked('+wiki').relaxed).toBe(true)
  })
})

describe('words [C2]', () => {
  it('gives the best, then what comes after them, each once', () => {
    const { found, more, total, hits } = ranked('file', { maxResults: 2, moreMax: 2 })
    expect(found).toHaveLength(2)
    expect(more.length).toBeLessThanOrEqual(2)
    expect(new Set([...found, ...more]).size).toBe(found.length + more.length)
    expect(hits.map(({ document }) => document)).toEqual([...found, ...more])
    expect(total).toBeGreaterThanOrEqual(hits.length)
  })

  it('gives five and fifteen when nobody says', () => {
    const many = searchIndex(Array.from({ length: 50 }, (_, at) => aDocument(`list_${at}`)))
    const { found, more, total } = ranked('list', {}, many)
    expect([found.length, more.length, total]).toEqual([5, 15, 50])
  })

  it('takes what is no pattern as words, whatever it holds', () => {
    const own = searchIndex([aDocument('cpp_lint', 'Lint C++ code.'), aDocument('pay', 'Costs $5 (usd).')])
    expect(namesOf(ranked('c++', {}, own).found)).toEqual(['cpp_lint'])
    expect(namesOf(ranked('$5 (usd)', {}, own).found)).toEqual(['pay'])
    for (const text of ['(', '[', '*', '\\', '.*', '|', '^$']) expect(ranked(text, {}, own)).toMatchObject({ total: 0 })
  })

  it('lets other evidence be added to the scores', () => {
    const asked: string[] = []
    const fuse = (text: string, scores: Float64Array): Float64Array => {
      asked.push(text)
      return scores.map((score, at) => score + (at === 9 ? 1000 : 0))
    }
    expect(ranked('list of issues', { fuse }).found[0]?.name).toBe('translate_text')
    expect(namesOf(ranked('+forge list', { fuse }).found)).not.toContain('translate_text')
    expect(asked).toEqual(['list of issues', 'list'])
  })
})

describe('/pattern/ [C2]', () => {
  it('gives tools in which it is found, and is capped like any ranking', () => {
    expect(ranked('/^list_/', {})).toMatchObject({
      by: 'pattern',
      total: 2,
      strength: 'good',
      found: [{ originalName: 'list_issues' }, { originalName: 'list_directory' }],
    })
    expect(ranked('/./').found).toHaveLength(5)
    expect(ranked('/zzz/')).toMatchObject({ total: 0, strength: 'none', found: [], more: [], incomplete: false })
  })

  it('is refused when it cannot be carried out in linear time', () => {
    expect(findTools(index, '/(a)\\1/')).toMatchObject({ kind: 'fault', code: 'query-syntax' })
  })
})

describe('nothing asked', () => {
  it.each(['', '  ', '+', 'select:', 'select:,,,'])('%j finds nothing', (text) => {
    expect(findTools(index, text)).toEqual({ kind: 'empty', found: [] })
  })
})

const hostile = resolve(import.meta.dirname, '../fixtures/hostile')
const json = (file: string) => JSON.parse(readFileSync(resolve(hostile, file), 'utf8'))

describe('hostile queries [C2]', () => {
  const catalog = json('search/catalog.json')
  const queries = json('search/queries.json')
  const cases: readonly Case[] = json('manifest.json').cases.filter(({ kind }: Case) => kind === 'search-query')
  const given = catalog.deferred.map((tool: { name: string }) => ({ ...aDocument(tool.name), ...tool }))
  const bulk = Array.from({ length: catalog.bulk.count }, (_, at) =>
    aDocument(`bulk_${at}`, catalog.bulk.description.replace('{i}', String(at))),
  )
  const small = searchIndex(given)
  const large = searchIndex([...given, ...bulk])

  it('are all there', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40)
  })

  it.each(cases.map((one) => [one.id, one] as const))('%s', (_id, one) => {
    const { query, bulk: isBulk } = queries[Number(one.at.slice(1))]
    const { outcome, or = [], names = [], yields = {} } = one.expect
    const found = findTools(isBulk === true ? large : small, query)
    if (found.kind === 'fault') {
      expect([outcome, ...or]).toContain('reject')
      const line = `${found.code} ${found.message}`
      for (const words of names) expect(words.some((word) => line.includes(word))).toBe(true)
      expect(line.length).toBeLessThan(400)
      return
    }
    expect([outcome, ...or]).toContain('accept')
    const matched = namesOf(found.found)
    if (yields.matches !== undefined) expect(matched).toEqual(yields.matches)
    expect(matched).toEqual(expect.arrayContaining([...(yields.matches_include ?? [])]))
    for (const name of yields.matches_exclude ?? []) expect(allNames(found)).not.toContain(name)
    if (found.kind === 'ranked') expect(matched.length).toBeLessThanOrEqual(5)
  })
})

interface Case {
  readonly id: string
  readonly kind: string
  /** JSON pointer of the query. */
  readonly at: string
  readonly expect: Expected
}

interface Expected {
  readonly outcome: string
  readonly or?: readonly string[]
  readonly names?: readonly (readonly string[])[]
  readonly yields?: {
    readonly matches?: readonly string[]
    readonly matches_include?: readonly string[]
    readonly matches_exclude?: readonly string[]
  }
}

const allNames = (found: Found): readonly string[] =>
  found.kind === 'ranked'
    ? namesOf([...found.found, ...found.more])
    : found.kind === 'fault'
      ? []
      : namesOf(found.found)
