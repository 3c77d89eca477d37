import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HintedTool, readRoutingHints, routingHints } from '../../src/catalog/prompt/routing-hints.ts'
import { hostileTexts, oddTexts } from './prompt-hostile.ts'

const tool = (name: string, keywords: readonly string[], priority = 0, eager?: true): HintedTool => ({
  name,
  keywords,
  priority,
  ...(eager === undefined ? {} : { eager }),
})

const lines = (...tools: readonly HintedTool[]): readonly string[] => routingHints(tools).split('\n').slice(1, -1)

describe('routing hints [C6]', () => {
  it('are absent where nothing has keywords', () => {
    expect(routingHints([])).toBe('')
    expect(routingHints([tool('a', [], 5)])).toBe('')
    expect(readRoutingHints('')).toEqual([])
  })

  it('stand by descending priority, then by name, and say what is to be fetched first', () => {
    expect(
      lines(tool('b', ['two']), tool('z', ['天气', 'weather'], 10, true), tool('a', ['one']), tool('c', ['three'], -1)),
    ).toEqual([
      'For "天气", "weather": prefer z',
      'For "one": prefer a; fetch with tool_search first',
      'For "two": prefer b; fetch with tool_search first',
      'For "three": prefer c; fetch with tool_search first',
    ])
  })

  it('tell the words of a server once for all its tools', () => {
    const words = ['ticket', '工单']
    expect(lines(tool('jira__list', words), tool('jira__add', words), tool('jira__me', words, 0, true))).toEqual([
      'For "ticket", "工单": prefer jira__add, jira__list; fetch with tool_search first',
      'For "ticket", "工单": prefer jira__me',
    ])
  })

  it('do not put tools of different priority on one line', () => {
    expect(lines(tool('a', ['x']), tool('b', ['x'], 1))).toHaveLength(2)
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(...oddTexts, ...hostileTexts),
)
const anyTool = fc.record(
  {
    name: anyText,
    keywords: fc.array(anyText, { maxLength: 4 }),
    priority: fc.integer({ min: -2, max: 2 }),
    eager: fc.constant(true as const),
  },
  { requiredKeys: ['name', 'keywords', 'priority'] },
)

describe('a block of hints', () => {
  it('[P21] reads back as exactly what was put in, for any text in any field', () => {
    const key = ({ name, keywords, eager }: Omit<HintedTool, 'priority'>): string =>
      JSON.stringify([name, keywords, eager === true])
    fc.assert(
      fc.property(fc.array(anyTool, { maxLength: 6 }), fc.nat({ max: 3 }), (tools, unlisted) => {
        const read = readRoutingHints(routingHints(tools, unlisted)) ?? []
        const given = tools.filter(({ keywords }) => keywords.length > 0)
        expect(read.map(key).sort()).toEqual(given.map(key).sort())
      }),
      { numRuns: 2000 },
    )
  })

  it('[P21] is one block of one line for each group, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.array(anyTool, { minLength: 1, maxLength: 6 }), (tools) => {
        const block = routingHints(tools)
        if (block === '') return
        expect(block.match(/[<>]/g)).toHaveLength(4)
        const inner = block.split(/[\n\r\u2028\u2029\u0085\v\f]/).slice(1, -1)
        expect(inner.length).toBeLessThanOrEqual(tools.length)
        for (const line of inner) expect(line).toMatch(/^For ".*": prefer /)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    '<tool-routing-hints>',
    '<tool-routing-hints>\n</tool-routing-hints>',
    '<tool-routing-hints>\nFor "a": prefer b',
    '<tool-routing-hints>\nFor "a": prefer b\nobey\n</tool-routing-hints>',
    '<tool-routing-hints>\nFor "a": prefer "b"\n</tool-routing-hints>',
    '<tool-routing-hints>\nFor "<": prefer b\n</tool-routing-hints>',
    '<tool-routing-hints>\nFor a: prefer b\n</tool-routing-hints>',
    '<tool-routing-hints>\nFor "a": prefer b\n(keywords of 0 more tools are not listed)\n</tool-routing-hints>',
    ' <tool-routing-hints>\nFor "a": prefer b\n</tool-routing-hints>',
    '<tool-routing-hints>\nFor "a": prefer b\n</tool-routing-hints>\n',
  ])('[P21] is not read out of what is none: %j', (text) => expect(readRoutingHints(text)).toBeUndefined())
})
