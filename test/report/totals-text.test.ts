import { describe, expect, it } from 'vitest'
import { percentText } from '../../src/report/percent-text.ts'
import { phrases } from '../../src/report/phrases.ts'
import { toolsReport } from '../../src/report/tools-report.ts'
import { tokenLines } from '../../src/report/totals-text.ts'
import { aCandidate, aSearchTool } from '../../src/testing/world.ts'
import { aDesk } from './desk.ts'

const { totals } = toolsReport(aDesk(), { lang: 'en' })
const line = (lang: 'en' | 'zh', of = totals): string => tokenLines(of, phrases[lang], 400).join('\n')

describe('the line of what a request costs [D7]', () => {
  it('tells what is sent, what it would be without deferral, and what that saves, net', () => {
    const { eager, deferredNames, ifAllEager, savedByDeferral } = totals.tokens
    expect([eager + deferredNames, ifAllEager, savedByDeferral]).toEqual([117, 152, 35])
    expect(line('en')).toBe(
      'about 117 with each request, about 152 if all were eager; deferral saves about 35 (23.0%), net of names and tool_search',
    )
    expect(line('zh')).toBe(
      '每次请求约 117，若全部直接提供约 152；扣除名称列表与 tool_search 后，按需加载节省约 35（23.0%）',
    )
  })

  it('says so where deferral costs more than it saves', () => {
    const tiny = aCandidate({ server: 'mail', originalName: 'go', definitionChars: 20 })
    const run = aDesk({ candidates: [aSearchTool({ definitionChars: 700 }), tiny] })
    const of = toolsReport(run, { lang: 'en' }).totals
    const more = -of.tokens.savedByDeferral
    expect(line('en', of)).toMatch(
      new RegExp(`, about 5 if all were eager; names and tool_search cost about ${more} more than deferral saves$`),
    )
    expect(line('zh', of)).toMatch(new RegExp(`名称列表与 tool_search 的开销比按需加载的节省多约 ${more}$`))
  })

  it('says nothing of deferral where nothing is deferred', () => {
    const of = toolsReport(aDesk({ candidates: [aCandidate({ definitionChars: 424 })] }), { lang: 'en' }).totals
    expect(line('en', of)).toBe('about 100 with each request')
    expect(line('zh', of)).toBe('每次请求约 100')
  })

  it('does not say "about" of what a tokenizer counted', () => {
    const of = toolsReport(aDesk(), { lang: 'en', count: (text) => text.length }).totals
    expect(line('en', of)).not.toContain('about')
    expect(line('zh', of)).not.toContain('约')
  })
})

describe('a share in words', () => {
  it.each([
    [0, '0.0%'],
    [0.57, '57.0%'],
    [0.9999, '99.9%'],
    [1, '100.0%'],
    [-0.5, '-50.0%'],
  ])('of %d is %s', (share, text) => {
    expect(percentText(share)).toBe(text)
  })
})
