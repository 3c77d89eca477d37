import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogOf } from '../../src/catalog/catalog.ts'
import { readDeferredNames } from '../../src/catalog/prompt/deferred-names.ts'
import { type PromptTool, promptParts, promptTools } from '../../src/catalog/prompt/prompt-parts.ts'
import { promptTokens } from '../../src/catalog/prompt/prompt-tokens.ts'
import { readRoutingHints } from '../../src/catalog/prompt/routing-hints.ts'
import { assemble } from '../../src/core/assemble.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { aCandidate, aSearchTool, sha256, someFacts } from '../../src/testing/world.ts'
import { hostileTexts, oddTexts } from './prompt-hostile.ts'

const tool = (name: string, more: Partial<PromptTool> = {}): PromptTool => ({
  name,
  keywords: [],
  priority: 0,
  ...more,
})

const many = (count: number, more: (at: number) => Partial<PromptTool> = () => ({})): readonly PromptTool[] =>
  Array.from({ length: count }, (_, at) =>
    tool(`server${at % 40}__tool_${at}`, { server: `server${at % 40}`, ...more(at) }),
  )

describe('the parts of a prompt [C1]', () => {
  it('are nothing when there is nothing to tell', () => {
    expect(promptParts([])).toEqual({ names: '', hints: '', text: '', namesLeftOut: 0, hintsLeftOut: 0 })
  })

  it('are the names, sorted, and then the hints', () => {
    const tools = [tool('web__fetch', { keywords: ['网页', 'web page'] }), tool('files__read'), tool('Files__list')]
    expect(promptParts(tools).text).toBe(
      [
        '<available-deferred-tools>',
        'Files__list',
        'files__read',
        'web__fetch',
        '</available-deferred-tools>',
        '<tool-routing-hints>',
        'For "网页", "web page": prefer web__fetch; fetch with tool_search first',
        '</tool-routing-hints>',
      ].join('\n'),
    )
  })

  it('hold the hints of eager tools and not their names', () => {
    const { text } = promptParts([tool('forecast', { keywords: ['weather'], eager: true })])
    expect(text).toBe('<tool-routing-hints>\nFor "weather": prefer forecast\n</tool-routing-hints>')
  })

  it('are the same bytes in whatever order servers and tools come', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ maxLength: 6 }), { maxLength: 12 }),
        fc.integer({ min: 0, max: 120 }),
        fc.infiniteStream(fc.nat()),
        (names, limit, random) => {
          const tools = names.map((name, at) =>
            tool(name, { server: `s${at % 3}`, priority: at % 2, keywords: at % 2 === 0 ? ['a b'] : [] }),
          )
          const mixed = tools
            .map((entry) => ({ entry, at: random.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ entry }) => entry)
          const limits = { namesMax: limit, hintsMax: limit }
          expect(promptParts(mixed, limits)).toEqual(promptParts(tools, limits))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('come from a surface without what is excluded, and a catalog tells the same of what is deferred', () => {
    const surface = assemble(
      someFacts({
        deferral: { mode: 'on' },
        permissions: {
          rules: [{ effect: 'deny', text: 'crm__drop', scope: 'config', origin: { in: 'toolgate.yaml' } }],
          otherwise: 'allow',
        },
      }),
      [
        aSearchTool(),
        aCandidate({ originalName: 'forecast', routing: { keywords: ['weather'], priority: 2 } }),
        aCandidate({ originalName: 'plain' }),
        aCandidate({ server: 'crm', originalName: 'export', routing: { keywords: ['sales'], priority: 1 } }),
        aCandidate({ server: 'crm', originalName: 'drop', routing: { keywords: ['sales'], priority: 9 } }),
      ],
      gateOrder.default,
      { sha256 },
    )
    expect(surface.named('crm__drop')[0]?.outcome).toBe('excluded')
    const { names, hints } = promptParts(promptTools(surface))
    expect(readDeferredNames(names)).toEqual(['crm__export'])
    expect(readRoutingHints(hints)).toEqual([
      { name: 'forecast', keywords: ['weather'], eager: true },
      { name: 'crm__export', keywords: ['sales'] },
    ])
    expect(promptParts(catalogOf(surface, sha256).entries).names).toBe(names)
  })
})

describe('the limits of a prompt', () => {
  it('hold for ten thousand tools, and what is left out is told', () => {
    const tools = many(10_000, (at) => ({ keywords: [`word ${at}`] }))
    const parts = promptParts(tools)
    const listed = readDeferredNames(parts.names)?.length ?? 0
    expect(listed).toBeGreaterThan(500)
    expect(parts.namesLeftOut).toBe(10_000 - listed)
    expect(parts.names.split('\n').at(-2)).toBe(`(${10_000 - listed} more are not listed; tool_search finds them)`)
    expect(parts.hints.split('\n').at(-2)).toBe(`(keywords of ${parts.hintsLeftOut} more tools are not listed)`)
    expect(readRoutingHints(parts.hints)).toHaveLength(10_000 - parts.hintsLeftOut)
    expect(promptTokens(parts.names)).toBeLessThanOrEqual(8000)
    expect(promptTokens(parts.hints)).toBeLessThanOrEqual(2000)
  })

  it('hold for any tools and any limit, but for the frame that tells of it', () => {
    const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom(...oddTexts, ...hostileTexts))
    const one = fc.record({
      name,
      server: fc.constantFrom('a', 'b', '<c>'),
      keywords: fc.array(name, { maxLength: 3 }),
      priority: fc.integer({ min: 0, max: 2 }),
    })
    const limit = fc.integer({ min: -10, max: 400 })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), limit, limit, (tools, namesMax, hintsMax) => {
        const parts = promptParts(tools, { namesMax, hintsMax })
        expect(promptTokens(parts.names)).toBeLessThanOrEqual(Math.max(namesMax, 40))
        expect(promptTokens(parts.hints)).toBeLessThanOrEqual(Math.max(hintsMax, 40))
        const names = readDeferredNames(parts.names) ?? []
        expect(names).toHaveLength(tools.length - parts.namesLeftOut)
        const given = tools.map((entry) => entry.name)
        expect(names.every((entry) => given.includes(entry))).toBe(true)
        const hinted = tools.filter(({ keywords }) => keywords.length > 0)
        expect(readRoutingHints(parts.hints)).toHaveLength(hinted.length - parts.hintsLeftOut)
      }),
      { numRuns: 500 },
    )
  })

  it('leave every server some names, and the tools of higher priority first', () => {
    const small = [tool('tiny__only', { server: 'tiny' })]
    const big = Array.from({ length: 500 }, (_, at) =>
      tool(`big__tool_${at}`, { server: 'big', priority: at === 499 ? 1 : 0 }),
    )
    const names = readDeferredNames(promptParts([...big, ...small], { namesMax: 100 }).names) ?? []
    expect(names).toContain('tiny__only')
    expect(names).toContain('big__tool_499')
    expect(names).toEqual([...names].sort())
    expect(names.length).toBeGreaterThan(3)
    expect(names.length).toBeLessThan(20)
  })

  it('count the words of a server once for all its tools', () => {
    const keywords = Array.from({ length: 40 }, (_, at) => `keyword ${at}`)
    const { hints } = promptParts(
      many(40, () => ({ keywords, server: 'one' })),
      { hintsMax: 800 },
    )
    expect(readRoutingHints(hints)).toHaveLength(40)
  })

  it('leave out one name that is too long and not those behind it', () => {
    const tools = [
      tool('a'.repeat(5000), { server: 'a' }),
      tool('b__one', { server: 'b' }),
      tool('c__one', { server: 'c' }),
    ]
    const parts = promptParts(tools, { namesMax: 100 })
    expect(readDeferredNames(parts.names)).toEqual(['b__one', 'c__one'])
    expect(parts.names).toContain('(1 more is not listed; tool_search finds them)')
  })

  it('list all where they suffice by a hair', () => {
    const tools = many(30)
    const { names } = promptParts(tools)
    const enough = promptTokens(names) + 40
    expect(promptParts(tools, { namesMax: enough }).namesLeftOut).toBe(0)
  })
})
