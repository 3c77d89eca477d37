import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RoutableTool, routingIndex } from '../../src/catalog/routing/routing-index.ts'
import { routingWords } from '../../src/catalog/routing/routing-words.ts'
import { routed } from '../../src/catalog/routing.ts'
import { hostileTexts, oddTexts } from './prompt-hostile.ts'

const tool = (name: string, keywords: readonly string[], priority = 0): RoutableTool => ({
  name,
  originalName: name.split('__').at(-1) ?? name,
  keywords,
  priority,
})

const all = { top: Number.POSITIVE_INFINITY }
const isHit = (keyword: string, message: string): boolean => routed(message, [tool('t', [keyword])], all).length === 1

describe('a keyword in a message [C6]', () => {
  it.each<readonly [keyword: string, message: string]>([
    ['data', 'Show me the data, please.'],
    ['data', 'DATA'],
    ['report', 'two reports'],
    ['reports', 'a report'],
    ['company', 'all companies'],
    ['box', 'boxes'],
    ['résumé', 'my RESUME'],
    ['resume', 'mon résumé'],
    ['đơn đặt hàng', 'tim DON DAT HANG cua khach'],
    ['straße', 'STRASSE'],
    ['отчёт', 'Отчет за май'],
    ['ｐｄｆ', 'export as PDF'],
    ['re\u00adport', 're\u200bport'],
    ['pull request', 'open a Pull-Request now'],
    ['pull request', 'open a pull\nrequest now'],
    ['pull request', 'list pull requests'],
    ['node.js', 'in node.js 22'],
    ['c++', 'write C++, fast'],
    ['c#', 'write C#.'],
    ['user', 'the user’s name'],
    ['ordre', "l'ordre du jour"],
    ['create_report', 'call create report'],
    ['AI', 'what is AI?'],
    ['hello, world', 'say hello, world!'],
    ['.net', 'a .NET program'],
    ['订单', '帮我查询订单状态'],
    ['查询订单', '请帮我查询订单。'],
    ['导出PDF', '把报表导出pdf文件'],
    ['pdf', '把报表导出PDF文件'],
    ['レポート', '月次レポートを作成'],
    ['보고서', '보고서를 작성해 주세요'],
    ['รายงาน', 'ขอดูรายงานยอดขาย'],
  ])('%j is in %j', (keyword, message) => expect(isHit(keyword, message)).toBe(true))

  it.each<readonly [keyword: string, message: string]>([
    ['data', 'the database is down'],
    ['data', 'metadata'],
    ['report', 'a reporter reported'],
    ['news', 'a new file'],
    ['customs', 'a custom field'],
    ['class', 'clas'],
    ['pull request', 'request a pull'],
    ['pull request', 'pull my request'],
    ['pull request', 'I pull. Request it.'],
    ['sales report', 'sales, report and all'],
    ['sales report', 'sales\n\nreport'],
    ['a+b', 'ab'],
    ['c++', 'c'],
    ['c', 'write C now'],
    ['表', '请看代表'],
    ['7', 'the 7 of them'],
    ['!!!', 'help!!!'],
    ['', 'anything'],
    [' ', 'anything at all'],
    ['订单', '订了一单'],
    ['查询订单', '查询。订单'],
    ['销售报表', '销售的报表'],
    ['は', 'ばす'],
    ['はす', 'ばす'],
    ['x'.repeat(201), 'x'.repeat(201)],
  ])('%j is not in %j', (keyword, message) => expect(isHit(keyword, message)).toBe(false))
})

describe('a result of routing [C-141]', () => {
  it('says by which keywords it came, as they are configured, with score and priority', () => {
    const tools = [tool('crm__export', ['Sales Reports', 'weather', 'Report', 'report'], 3)]
    expect(routed('the sales report, the SALES report', tools, all)).toEqual([
      { name: 'crm__export', keywords: ['Sales Reports', 'Report'], priority: 3, score: 3, nameWords: [] },
    ])
  })

  it('stands by priority, then by score, then by the words of its own name, then by name', () => {
    const tools = [
      tool('low', ['sales report', 'quarter'], -1),
      tool('b__list_tickets', ['ticket']),
      tool('b__create_ticket', ['ticket']),
      tool('a__other', ['ticket']),
      tool('two', ['ticket', 'quarter']),
      tool('top', ['ticket'], 10),
    ]
    const message = 'create a ticket about the sales report of the quarter'
    expect(routed(message, tools, all).map(({ name }) => name)).toEqual([
      'top',
      'two',
      'b__create_ticket',
      'b__list_tickets',
      'a__other',
      'low',
    ])
    expect(routed(message, tools, { top: 2 }).map(({ name }) => name)).toEqual(['top', 'two'])
  })

  it('weighs a phrase by its words, two characters of Chinese as one', () => {
    const score = (keyword: string, message: string) => routed(message, [tool('t', [keyword])], all)[0]?.score
    expect(score('pull request review', 'a pull request review')).toBe(3)
    expect(score('销售报表', '看销售报表')).toBe(2)
    expect(score('导出pdf', '导出pdf')).toBe(2)
    expect(score('보고서', '보고서를')).toBe(2)
  })

  it.each([0, -1, Number.NaN])('is none for top %s', (top) => {
    expect(routed('data', [tool('t', ['data'])], { top })).toEqual([])
  })

  it('is none for a message without keywords, and for tools without', () => {
    expect(routed('hello', [tool('t', ['data'])], all)).toEqual([])
    expect(routed('data', [tool('t', [])], all)).toEqual([])
    expect(routed('', [tool('t', ['data'])], all)).toEqual([])
  })
})

describe('keywords that are not looked for', () => {
  it('are told, each once, with its tools', () => {
    const { notes } = routingIndex([
      tool('a', ['R', '表', '표', 'が', 'data', '…']),
      tool('b', ['R', 'R', 'x'.repeat(201), `${'a '.repeat(40)}`]),
    ])
    expect(notes).toEqual([
      { keyword: 'R', why: 'one-character', tools: ['a', 'b'] },
      { keyword: '表', why: 'one-character', tools: ['a'] },
      { keyword: '표', why: 'one-character', tools: ['a'] },
      { keyword: 'が', why: 'one-character', tools: ['a'] },
      { keyword: '…', why: 'no-word', tools: ['a'] },
      { keyword: 'x'.repeat(201), why: 'too-long', tools: ['b'] },
      { keyword: 'a '.repeat(40), why: 'too-long', tools: ['b'] },
    ])
  })
})

describe('a very long message', () => {
  const middle = ' filler'.repeat(10_000)

  it('is read at its beginning and its end', () => {
    expect(isHit('first', `first${middle}`)).toBe(true)
    expect(isHit('last', `${middle} last`)).toBe(true)
    expect(isHit('hidden', `${middle} hidden${middle}`)).toBe(false)
  })

  it('has no word where it is cut, and no phrase over the cut', () => {
    const front = 'x '.repeat(4998)
    const back = ' x'.repeat(4998)
    expect(isHit('data', `${front}database${middle}`)).toBe(false)
    expect(isHit('data', `${front}data and more${middle}`)).toBe(false)
    expect(isHit('base', `${middle} database${back}`)).toBe(false)
    expect(isHit('data', `${'x '.repeat(4990)}data and much more${middle}`)).toBe(true)
    const end = `zz two${' x'.repeat(4997)}`
    expect(isHit('one two', `${'x '.repeat(4996)}one zzzz${middle} zzzz${end}`)).toBe(false)
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(...oddTexts, ...hostileTexts, 'sales report', 'report', 'data', '销售报表', '报表', 'a'),
)
const anyTools = fc.uniqueArray(
  fc.record({
    name: anyText,
    originalName: anyText,
    keywords: fc.array(anyText, { maxLength: 4 }),
    priority: fc.integer({ min: -2, max: 2 }),
  }),
  { maxLength: 8, selector: ({ name }) => name },
)
const anyMessage = fc.array(anyText, { maxLength: 6 }).map((parts) => parts.join(' '))

describe('routing of any message to any tools', () => {
  it('gives tools of the list with keywords of theirs, at most as many as asked, and does not change them', () => {
    fc.assert(
      fc.property(anyMessage, anyTools, fc.integer({ min: 0, max: 5 }), (message, tools, top) => {
        const before = structuredClone(tools)
        const results = routed(message, tools, { top })
        expect(results.length).toBeLessThanOrEqual(top)
        expect(new Set(results.map(({ name }) => name)).size).toBe(results.length)
        for (const { name, keywords, priority, score } of results) {
          const own = tools.find((entry) => entry.name === name)
          expect(own?.priority).toBe(priority)
          expect(keywords.length).toBeGreaterThan(0)
          expect(keywords.every((keyword) => own?.keywords.includes(keyword))).toBe(true)
          expect(score).toBeGreaterThanOrEqual(keywords.length)
        }
        expect(tools).toEqual(before)
      }),
      { numRuns: 1000 },
    )
  })

  it('does not depend on the order of the tools, nor on a tool that nothing is said of', () => {
    fc.assert(
      fc.property(anyMessage, anyTools, fc.integer({ min: 0, max: 5 }), (message, tools, top) => {
        const results = routed(message, tools, { top })
        expect(routed(message, [...tools].reverse(), { top })).toEqual(results)
        const stranger = tool('~stranger', ['quetzalcoatl expedition'], 9)
        expect(routed(message, [stranger, ...tools], { top })).toEqual(results)
      }),
      { numRuns: 1000 },
    )
  })

  it('finds every keyword of two letters or more that stands alone in a message', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.array(word),
        fc.array(word),
        (phrase, front, back) => {
          expect(isHit(phrase.join(' '), [...front, ...phrase, ...back].join(' '))).toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('reads ASCII alone as it reads it beside other scripts', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect([...routingWords(text), '。']).toEqual([...routingWords(`${text}。é`).slice(0, -2), '。'])
      }),
      { numRuns: 2000 },
    )
  })
})
