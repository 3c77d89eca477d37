// The baselines must be what they say, or being ahead of them means nothing.

import { describe, expect, it } from 'vitest'
import { argumentNames } from '../../bench/search/argument-names.ts'
import { bm25f } from '../../bench/search/bm25f.ts'
import type { SearchSystem } from '../../bench/search/system.ts'
import { claw } from '../../bench/search/systems/claw.ts'
import { deerflow, patternOf } from '../../bench/search/systems/deerflow.ts'
import { minisearchTuned } from '../../bench/search/systems/minisearch-tuned.ts'
import { systemOrder } from '../../bench/search/systems/order.ts'
import { queryTerms, stem, words } from '../../bench/search/words.ts'
import type { SearchDocument } from '../../src/catalog/search/search-document.ts'

const tool = (name: string, description: string): SearchDocument => ({
  name,
  originalName: name,
  description,
  inputSchema: { type: 'object' },
  keywords: [],
  priority: 0,
  definitionHash: name,
})
const some = [
  tool('list_channels', 'Lists channels of a chat. Sends nothing.'),
  tool('send_message', 'Sends a message to a channel.'),
  tool('SendMailTool', 'Delivers a letter.'),
  tool('lint_cpp', 'Lints C++ sources.'),
]
const found = ({ build }: SearchSystem, query: string, limit = 20) => build(some)(query, limit)

describe('every system of the list', () => {
  it.each(systemOrder.map((system) => [system.id, system] as const))('%s finds a word, bounded', (_, system) => {
    expect(found(system, 'message')).toContain('send_message')
    expect(found(system, 'channels', 1)).toHaveLength(1)
    expect(found(system, 'zzzz')).toEqual([])
  })

  it('is named once', () => {
    expect(new Set(systemOrder.map(({ id }) => id)).size).toBe(systemOrder.length)
  })
})

describe('the rules of deerflow', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['  ', []],
    ['+', []],
    ['select: SendMailTool ,list_channels,nothing', ['list_channels', 'SendMailTool']],
    ['select:sendmailtool', []],
    // A name hit counts 2, a description hit 1; equal ones keep the order of the tools.
    ['send', ['send_message', 'SendMailTool', 'list_channels']],
    ['SEND_', ['send_message']],
    // The whole query is one pattern: two words that do not stand side by side find nothing.
    ['channel message', []],
    // It may run on from the name into the description.
    ['message send', ['send_message']],
    ['sends a', ['send_message']],
    ['mail|cpp', ['SendMailTool', 'lint_cpp']],
    // Invalid as a pattern, so taken literally.
    ['C++', ['lint_cpp']],
    ['+send', ['send_message', 'SendMailTool']],
    // The rest orders and does not filter: hits of "e" in the text.
    ['+send letter', ['SendMailTool', 'send_message']],
    ['+send LETTER', ['SendMailTool', 'send_message']],
    ['+nothing send', []],
  ])('%j', (query, names) => {
    expect(found(deerflow, query)).toEqual(names)
  })

  it('give at most five', () => {
    const many = Array.from({ length: 9 }, (_, at) => tool(`t${at}`, 'same'))
    expect(deerflow.build(many)('same', 20)).toEqual(['t0', 't1', 't2', 't3', 't4'])
  })

  it.each(['(a+)+$', '(a|a)*$', '(.*a){20}', 'a*a*a*b', 'a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaa'])(
    'take %j, which could run for long here, literally',
    (query) => {
      expect(patternOf(query, 'i').test(query)).toBe(true)
      expect(patternOf(query, 'i').test('aaaaaaaaaaaaaaab')).toBe(false)
    },
  )
})

describe('the scores of claw', () => {
  it.each<[string, readonly string[]]>([
    // 2 in the text, 4 in the name, 3 in the canonical text for the first two; the third has "Sends".
    ['send', ['send_message', 'SendMailTool', 'list_channels']],
    // The canonical name without "tool" is equal: 12 more.
    ['sendmail', ['SendMailTool']],
    ['+letter send', ['SendMailTool']],
    ['select:sendmailtool,List-Channels', ['SendMailTool', 'list_channels']],
    // "a" is a piece of nearly every text.
    ['a', ['list_channels', 'send_message', 'SendMailTool']],
    // Empty in canonical form, which every text contains; in the order of names.
    ['tool', ['SendMailTool', 'lint_cpp', 'list_channels', 'send_message']],
  ])('%j', (query, names) => {
    const answer = found(claw, query)
    expect(answer.slice(0, names.length).sort()).toEqual([...names].sort())
    expect(answer[0]).toBe(names[0])
  })
})

describe('the names that claw knows', () => {
  it('are equal in canonical form before they are pieces of another', () => {
    const answer = claw.build([tool('a_list', 'list'), tool('ListTool', 'nothing')])('list', 5)
    expect(answer).toEqual(['ListTool', 'a_list'])
  })
})

describe('BM25F', () => {
  const fields = [{ weight: 1, text: (document: SearchDocument) => document.description }]
  const rank = (texts: readonly string[], query: string, b = 0.75) =>
    bm25f(
      texts.map((text, at) => tool(`t${at}`, text)),
      { fields, k1: 1.2, b },
    )(query, 10)

  it('puts a rare word above a frequent one', () => {
    expect(rank(['red', 'red blue', 'red', 'blue'], 'blue')).toEqual(['t3', 't1'])
    expect(rank(['red green', 'red blue', 'red white', 'red'], 'red blue')[0]).toBe('t1')
  })

  it('puts a short text above a long one, unless length counts nothing', () => {
    expect(rank(['cat dog fish bird', 'cat'], 'cat')).toEqual(['t1', 't0'])
    expect(rank(['cat dog fish bird', 'cat'], 'cat', 0)).toEqual(['t0', 't1'])
  })

  it('counts a weighted field more', () => {
    const index = bm25f([tool('other', 'cat dog'), tool('cat', 'dog dog')], {
      fields: [{ weight: 3, text: (document) => document.name }, ...fields],
      k1: 1.2,
      b: 0.75,
    })
    expect(index('cat', 10)).toEqual(['cat', 'other'])
  })

  it('keeps the best of many and the order of equal ones', () => {
    const many = Array.from({ length: 50 }, (_, at) => (at === 40 ? 'cat cat' : 'cat dog'))
    expect(rank(many, 'cat').slice(0, 3)).toEqual(['t40', 't0', 't1'])
  })
})

describe('the words of the baselines', () => {
  it.each<[string, readonly string[]]>([
    ['getHTTPResponse_code', ['get', 'http', 'response', 'code']],
    ['s3-upload v2beta', ['s3', 'upload', 'v2beta', 'beta']],
    ['ＰＤＦ', ['pdf']],
    ['翻译文本 now', ['翻译', '译文', '文本', 'now']],
    ['译', ['译']],
    ['+/()', []],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it.each<[string, string]>([
    ['files', 'file'],
    ['queries', 'query'],
    ['searches', 'searching'],
    ['running', 'run'],
    ['create', 'creation'],
    ['translated', 'translation'],
    ['listing', 'lists'],
  ])('%s and %s have one stem', (one, other) => {
    expect(stem(one)).toBe(stem(other))
  })

  it.each(['bus', 'this', 'class', 'ring', 'red', '翻译文本', 's3'])('%s keeps its own', (word) => {
    expect(stem(word)).toBe(word)
  })

  it('keep a query of stop-words alone', () => {
    expect(queryTerms('please find the file')).toEqual(['find', 'file'])
    expect(queryTerms('what is this')).toEqual(['what', 'is', 'this'])
  })

  it('hold the names of inner arguments, not of what is too deep', () => {
    const schema = {
      properties: { path: {}, filter: { properties: { owner: {} } }, rows: { items: { properties: { cell: {} } } } },
    }
    expect(argumentNames(schema)).toEqual(['path', 'filter', 'owner', 'rows', 'cell'])
    const deep = JSON.parse(`${'{"properties":{"in":'.repeat(3000)}{}${'}}'.repeat(3000)}`)
    expect(argumentNames(deep)).toEqual(['in', 'in', 'in', 'in'])
  })
})

describe('minisearch', () => {
  it('is tuned: typos and beginnings of words find', () => {
    expect(found(minisearchTuned, 'mesage')).toContain('send_message')
    expect(found(minisearchTuned, 'chann')).toContain('list_channels')
  })
})
