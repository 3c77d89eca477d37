import { describe, expect, it } from 'vitest'
import { ageText } from '../../src/report/age-text.ts'

describe('an age for people', () => {
  it.each([
    [0, '0 s'],
    [999, '0 s'],
    [1000, '1 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [86_399_999, '23 h'],
    [86_400_000, '1 d'],
    [400 * 86_400_000, '400 d'],
  ])('%d ms are %s', (ms, text) => {
    expect(ageText(ms, 'en')).toBe(text)
  })

  it.each([
    ['a clock that was set back', -5000],
    ['a time that cannot be read', Number.NaN],
  ])('is now for %s', (_case, ms) => {
    expect(ageText(ms, 'en')).toBe('0 s')
  })

  it('is told in Chinese too', () => {
    expect([1000, 60_000, 3_600_000, 86_400_000].map((ms) => ageText(ms, 'zh'))).toEqual([
      '1 秒',
      '1 分钟',
      '1 小时',
      '1 天',
    ])
  })
})
