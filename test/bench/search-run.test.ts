import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { measureSet } from '../../bench/search/measure.ts'
import { readSet, setNames } from '../../bench/search/read-sets.ts'
import { chosen, searchOptions } from '../../bench/search/search-options.ts'
import { searchText } from '../../bench/search/search-text.ts'
import type { SearchSystem } from '../../bench/search/system.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const tools = [
  { name: 'chat__send_message', tool: 'send_message', server: 'chat', description: 'Sends a message to a channel.' },
  { name: 'chat__list_channels', tool: 'list_channels', server: 'chat', description: 'Lists the channels.' },
  { name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object', properties: { path: {} } } },
]
const queries = [
  { id: 'q1', query: 'send a message', relevant: ['chat__send_message'], kind: 'keyword' },
  { id: 'q2', query: 'read file', relevant: ['read_file', 'x'], groups: [['read_file', 'x']], kind: 'keyword' },
  { id: 'q3', query: 'knitting patterns', relevant: ['chat__list_channels'], kind: 'hopeless' },
  { id: 'q4', query: 'channels', relevant: ['chat__list_channels'] },
]
const lines = (values: readonly unknown[]): string => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`

function aSet(name: string, files: { readonly tools?: string; readonly queries?: string } = {}): void {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'tools.jsonl'), files.tools ?? lines(tools))
  writeFileSync(join(folder, name, 'queries.jsonl'), files.queries ?? lines(queries))
}

const bench = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', resolve(import.meta.dirname, '../../bench/search.ts'), ...args], {
    encoding: 'utf8',
  })

const number = expect.any(Number)
const scored = { recall: { 1: number, 3: number, 5: number, 10: number, 20: number }, ndcg5: number, mrr: number }

describe('the JSON of the search benchmark [C7]', () => {
  it('has a set, its systems and their kinds, and nothing else is on stdout', () => {
    aSet('tiny')
    aSet('other')
    writeFileSync(join(folder, 'README.md'), 'not a set')
    mkdirSync(join(folder, 'empty'))
    const { stdout, stderr, status } = bench('--data', folder, '--json')
    expect(stderr).toContain('tiny')
    expect(status).toBe(0)
    const kind = (queries: number) => ({ ...scored, queries })
    const system = {
      ...kind(4),
      usPerQuery: number,
      buildMs: number,
      kinds: { keyword: kind(2), hopeless: kind(1), all: kind(1) },
    }
    const set = { toolgate: system, 'bm25-plain': system, 'minisearch-tuned': system, deerflow: system, claw: system }
    const printed = JSON.parse(stdout)
    expect(printed).toEqual({ sets: { other: set, tiny: set } })
    const { toolgate, deerflow } = printed.sets.tiny
    expect(toolgate.kinds.keyword.recall['1']).toBe(1)
    expect(toolgate.kinds.hopeless).toMatchObject({ recall: { 20: 0 }, ndcg5: 0, mrr: 0 })
    expect(toolgate.recall['1']).toBe(0.75)
    // "read file" is not side by side in "read_file Reads a file."
    expect(deerflow.recall['1']).toBe(0.25)
    for (const figure of [toolgate.usPerQuery, toolgate.buildMs]) expect(figure).toBeGreaterThan(0)
  })

  it('holds the sets and systems that were asked for', () => {
    aSet('tiny')
    aSet('other')
    const { stdout } = bench('--data', folder, '--sets', 'tiny', '--systems', 'claw,bm25-plain', '--json')
    const { sets } = JSON.parse(stdout)
    expect(Object.keys(sets)).toEqual(['tiny'])
    expect(Object.keys(sets.tiny)).toEqual(['bm25-plain', 'claw'])
  })
})

describe('input of the search benchmark that cannot be used', () => {
  it('ends it with 2 and one line', () => {
    aSet('tiny', { queries: `${JSON.stringify(queries[0])}\n{"query": ` })
    const { stdout, stderr, status } = bench('--data', folder, '--json')
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain(`${join(folder, 'tiny', 'queries.jsonl')}:2: no JSON`)
  })

  it.each<[string, { readonly tools?: string; readonly queries?: string }, RegExp]>([
    ['a line that is no object', { tools: '[]' }, /tools\.jsonl:1: a line must hold one JSON object/],
    [
      'a tool without a name',
      { tools: lines([tools[0], { description: 'x' }]) },
      /tools\.jsonl:2: a tool needs a "name"/,
    ],
    [
      'the same name twice',
      { tools: lines([tools[2], tools[2]]) },
      /tools\.jsonl:2: a second tool of the name "read_file"/,
    ],
    [
      'a query without text',
      { queries: lines([{ relevant: ['a'] }]) },
      /queries\.jsonl:1: a query needs a text "query"/,
    ],
    ['a query that nothing answers', { queries: lines([{ query: 'a', relevant: [] }]) }, /:1: .*"relevant"/],
    ['relevant as a text', { queries: lines([{ query: 'a', relevant: 'a' }]) }, /:1: "relevant" must be a list/],
    ['a need of nothing', { queries: lines([{ query: 'a', relevant: ['a'], groups: [[]] }]) }, /:1: "groups" must be/],
    ['an empty file', { queries: '\n\n' }, /queries\.jsonl: the file holds no line/],
  ])('tells %s with file and line', (_, files, message) => {
    aSet('tiny', files)
    expect(() => readSet(folder, 'tiny')).toThrow(message)
  })

  it('tells a folder that is not there, and one without a set', () => {
    expect(() => setNames(join(folder, 'nowhere'))).toThrow(/there is no folder/)
    mkdirSync(join(folder, 'half'))
    writeFileSync(join(folder, 'half', 'tools.jsonl'), lines(tools))
    expect(() => setNames(folder)).toThrow(/no set in .*: a set is a folder in it with tools\.jsonl and queries\.jsonl/)
  })

  it('tells a set or system of no such name, with the nearest', () => {
    expect(() => chosen('system', ['bm25-plian'], ['bm25-plain', 'claw'])).toThrow(/did you mean "bm25-plain"/)
    expect(() => searchOptions([])).toThrow(/usage/)
    expect(() => searchOptions(['--data', 'x', '--sest', 'a'])).toThrow(/usage/)
    expect(() => searchOptions(['--data', 'x', '--sets', ' , '])).toThrow(/usage/)
  })
})

describe('a set that is read', () => {
  it('may lack what is optional, and may hold blank lines and other line ends', () => {
    const { length } = tools
    aSet('tiny', { tools: `\uFEFF${lines(tools).replaceAll('\n', '\r\n')}\r\n` })
    const { documents, queries: read } = readSet(folder, 'tiny')
    expect(documents).toHaveLength(length)
    expect(documents[0]).toMatchObject({ name: 'chat__send_message', originalName: 'send_message', server: 'chat' })
    expect(documents[2]).toMatchObject({ name: 'read_file', originalName: 'read_file' })
    expect(read.map(({ needs }) => needs)).toEqual([
      [['chat__send_message']],
      [['read_file', 'x']],
      [['chat__list_channels']],
      [['chat__list_channels']],
    ])
    expect(read.map(({ kind }) => kind)).toEqual(['keyword', 'keyword', 'hopeless', 'all'])
  })
})

describe('the rounds of a set', () => {
  it('build each index anew and ask every system the same queries', () => {
    aSet('tiny')
    const asked = new Map<string, string[]>()
    const builds: string[] = []
    const system = (id: string): SearchSystem => ({
      id,
      about: id,
      build: () => {
        builds.push(id)
        return (query) => {
          asked.set(id, [...(asked.get(id) ?? []), query])
          return ['chat__send_message']
        }
      },
    })
    const figures = measureSet(readSet(folder, 'tiny'), [system('a'), system('b')], {
      rounds: 3,
      sampleMax: 2,
      progress: () => {},
    })
    expect(builds).toEqual(['a', 'b', 'a', 'b', 'b', 'a', 'a', 'b'])
    // All once for the scores, then a round of two of the four, evenly spread; the first one twice, since an index is
    // not built before it has answered.
    const sample = ['send a message', 'send a message', 'knitting patterns']
    expect(asked.get('a')).toEqual([...queries.map(({ query }) => query), ...sample, ...sample, ...sample])
    expect(asked.get('b')).toEqual(asked.get('a'))
    expect(figures.get('a')).toMatchObject({ recall: { 1: 0.25, 20: 0.25 }, mrr: 0.25, queries: 4 })
  })
})

describe('the report for people', () => {
  const measured = (recall5: number, usPerQuery: number, ndcg5 = recall5) => {
    const scores = { recall: { 1: 0, 3: 0, 5: recall5, 10: 1, 20: 1 }, ndcg5, mrr: 0, queries: 8 }
    return { ...scores, usPerQuery, buildMs: 2, kinds: new Map([['keyword', scores]]) }
  }
  const last = (ours: ReturnType<typeof measured>) =>
    searchText(
      new Map([
        [
          'tiny',
          new Map([
            ['ours', ours],
            ['mini', measured(0.5, 200)],
            ['other', measured(0.6, 10)],
          ]),
        ],
      ]),
      {
        ours: 'ours',
        timedAgainst: 'mini',
      },
    ).at(-1)

  it.each([
    [
      0.75,
      'tiny: ahead of every baseline in recall@5 (next is other, +15.0 points); behind in no measure; 0.50 × µs of mini',
    ],
    [
      0.6,
      'tiny: level with a baseline in recall@5 (next is other, +0.0 points); behind in no measure; 0.50 × µs of mini',
    ],
  ])('says of a recall@5 of %d where it stands', (recall5, line) => {
    expect(last(measured(recall5, 100))).toBe(line)
  })

  it('names each measure in which we are behind', () => {
    expect(last(measured(0.55, 100, 0.7))).toBe(
      'tiny: BEHIND a baseline in recall@5 (next is other, −5.0 points); behind in recall@5 (other 60.0, ours 55.0); 0.50 × µs of mini',
    )
  })
})
