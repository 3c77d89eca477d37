import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { promptTokens } from '../../src/catalog/prompt/prompt-tokens.ts'
import { areRealToolsHere, realServers } from '../sources/real-tools.ts'

const list = (count: number, name: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => name(at)).join('\n')

const lists: readonly (readonly [what: string, text: string])[] = [
  ['numbered', list(500, (at) => `s${at % 100}__tool_${at}`)],
  ['with hashes', list(500, (at) => `crm__export_${((at * 2654435761) >>> 0).toString(16).padStart(8, '0')}`)],
  ['in camel case', list(100, (at) => ['getUserProfile', 'createProjectV2Item', 'SEARCH_ALL_ISSUES'][at % 3] ?? '')],
  [
    'of plain words',
    list(100, (at) => ['files__read_text_file', 'github__create_pull_request', 'web__fetch'][at % 3] ?? ''),
  ],
]

describe('the estimate of a part of a prompt', () => {
  const real = areRealToolsHere
    ? [...realServers()].flatMap(([server, tools]) => tools.map(({ name }) => `${server}__${String(name)}`))
    : []
  it.each([...lists, ...(real.length > 0 ? [['of real servers', real.join('\n')] as const] : [])])(
    'is near to what a tokenizer counts for names %s',
    (_, text) => {
      const ratio = promptTokens(text) / encode(text).length
      expect(ratio).toBeGreaterThan(0.85)
      expect(ratio).toBeLessThan(1.25)
    },
  )

  it(
    areRealToolsHere
      ? 'was held against the names of real servers'
      : 'was held against made names alone: ../shared/data/mcp-catalogs is absent here',
    () => expect(real.length).toBeGreaterThan(areRealToolsHere ? 2000 : -1),
  )

  it('is high for escapes and other scripts', () => {
    for (const text of ['\\u003c\\uff1c'.repeat(20), '查询订单销售报表'.repeat(20), 'отчёт о продажах '.repeat(20)])
      expect(promptTokens(text)).toBeGreaterThan(encode(text).length)
  })

  it('is never less for lines than for the whole, and never negative', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ maxLength: 20 }), (one, two) => {
        expect(promptTokens(`${one}\n`) + promptTokens(two)).toBeGreaterThanOrEqual(
          promptTokens(`${one}\n${two}`) - 1e-9,
        )
        expect(promptTokens(one)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 5000 },
    )
  })
})
