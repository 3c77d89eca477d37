import { describe, expect, it } from 'vitest'
import { type CatalogEntry, catalogOf, makeCatalog } from '../../src/catalog/catalog.ts'
import { autoPromotions, autoRouted } from '../../src/catalog/routing/auto-promotions.ts'
import { latestUserMessage, type RoutingMessage } from '../../src/catalog/routing/latest-user-message.ts'
import { assemble } from '../../src/core/assemble.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { aCandidate, aSearchTool, sha256, someFacts } from '../../src/testing/world.ts'

const user = (text: string, more: Partial<RoutingMessage> = {}): RoutingMessage => ({ role: 'user', text, ...more })

describe('the latest message of the person [C6]', () => {
  it.each<readonly [why: string, messages: readonly RoutingMessage[], expected: string | undefined]>([
    ['the last of several', [user('one'), { role: 'assistant', text: 'yes' }, user('two')], 'two'],
    [
      'behind what tools and others said since',
      [user('one'), { role: 'assistant', text: 'x' }, { role: 'tool', text: 'y' }, { role: 'system', text: 'z' }],
      'one',
    ],
    ['behind what only stands in its place', [user('one'), user('reminder', { synthetic: true })], 'one'],
    ['as it was written, not as it was wrapped', [user('<context>…</context> 天气', { originalText: '天气' })], '天气'],
    ['empty when nothing was written beside a picture', [user('one'), user('', {})], ''],
    ['empty when nothing was written and a lot was put around it', [user('wrapped', { originalText: '' })], ''],
    ['real when it says so', [user('one', { synthetic: false })], 'one'],
    ['absent in an empty conversation', [], undefined],
    ['absent where no person spoke', [{ role: 'system', text: 'a' }, user('b', { synthetic: true })], undefined],
  ])('is %s', (_, messages, expected) => expect(latestUserMessage(messages)).toBe(expected))
})

const entry = (name: string, keywords: readonly string[], more: Partial<CatalogEntry> = {}): CatalogEntry => ({
  name,
  id: `mcp:s/${name}`,
  originalName: name,
  definition: { description: '', inputSchema: { type: 'object' } },
  definitionChars: 424,
  definitionHash: sha256(name),
  keywords,
  priority: 0,
  ...more,
})

describe('automatic promotion [C6] [C-141]', () => {
  const catalog = makeCatalog(
    [
      entry('export', ['sales', '销售']),
      entry('forecast', ['weather', '天气'], { priority: 5 }),
      entry('silent', ['sales'], { priority: 99, autoPromote: false }),
    ],
    sha256,
  )
  const names = (text: string, top = 3) => autoPromotions([user(text)], catalog, { top }).map(({ name }) => name)

  it('opens the definition that is in the catalog now, and says who opened it and what it costs', () => {
    expect(autoPromotions([user('sales of May')], catalog, { top: 3 })).toEqual([
      { name: 'export', definitionHash: sha256('export'), by: 'routing', tokens: estimateTokens(424) },
    ])
  })

  it('takes the best, and no place is taken by a tool that opted out', () => {
    expect(names('今天的天气和销售')).toEqual(['forecast', 'export'])
    expect(names('sales in this weather', 1)).toEqual(['forecast'])
    expect(names('sales', 1)).toEqual(['export'])
    expect(names('sales', 0)).toEqual([])
  })

  it('is silent where nothing matches', () => {
    expect(names('hello')).toEqual([])
    expect(autoPromotions([], catalog, { top: 3 })).toEqual([])
    expect(names('wholesales')).toEqual([])
  })

  it('looks at the latest message alone', () => {
    const messages = [user('sales'), { role: 'assistant', text: 'weather' } as const, user('thanks')]
    expect(autoPromotions(messages, catalog, { top: 3 })).toEqual([])
  })

  it('can be shown: keyword, score, priority', () => {
    expect(autoRouted([user('天气')], catalog, { top: 3 })).toEqual([
      { name: 'forecast', keywords: ['天气'], priority: 5, score: 1, nameWords: [] },
    ])
  })

  it('says the same when it is asked again', () => {
    const ask = () => autoPromotions([user('sales and weather')], catalog, { top: 3 })
    expect(ask()).toEqual(ask())
  })

  it('never lifts a deny, however high the priority', () => {
    const routing = { keywords: ['sales'], priority: 1000 }
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
        aCandidate({ server: 'crm', originalName: 'drop', routing }),
        aCandidate({ server: 'crm', originalName: 'export', routing: { ...routing, priority: 0 } }),
      ],
      gateOrder.default,
      { sha256 },
    )
    const promoted = autoPromotions([user('sales')], catalogOf(surface, sha256), { top: 5 })
    expect(promoted.map(({ name }) => name)).toEqual(['crm__export'])
  })
})
