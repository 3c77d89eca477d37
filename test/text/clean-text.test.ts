import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanJson, cleanText } from '../../src/text/clean-text.ts'

describe('clean text', () => {
  it.each([
    'Plain words, with\ttabs\r\nand lines.',
    '查询天气。 Temp in °C — naïve café',
    'שלום עולם, مرحبا, नमस्ते, สวัสดี',
    'a family 👨‍👩‍👧, a heart ❤️, a key 1️⃣, a hand 👍🏽, a rainbow 🏳️‍🌈',
    'the flag of Wales 🏴󠁧󠁢󠁷󠁬󠁳󠁿 and the black one 🏴',
    'می‌خواهم and क्‍ष',
  ])('leaves %j as it is', (text) => {
    expect(cleanText(text)).toEqual({ text, removed: 0 })
  })

  it.each([
    ['Adds.\u{e0020}\u{e0072}\u{e0065}', 'Adds.'],
    ['A\u200bd\u200cd\u200ds\u2060.', 'Adds.'],
    ['\ufeffAdds\u00ad.', 'Adds.'],
    ['Adds \u202eevil\u202c.', 'Adds evil.'],
    ['Adds.\u001b[8m hidden \u001b[0m', 'Adds. hidden '],
    ['a\u001b[38;5;12mb\u009b1mc', 'abc'],
    ['a\u001b]8;;http://x\u0007link\u001b]8;;\u001b\\b', 'alinkb'],
    ['a\u001b]never ends\nnext', 'a\nnext'],
    ['a\u001b', 'a'],
    ['a\u001b[', 'a'],
    ['nul\u0000 bell\u0007 back\b', 'nul bell back'],
    ['half \ud800 pair', 'half  pair'],
    ['not an emoji\u200dat all\ufe0f', 'not an emojiat all'],
    ['👍\ufe0f\ufe0f\ufe0f', '👍\ufe0f'],
    ['🏴\u{e0061}\u{e0062}\u{e0063}\u{e0064}\u{e0065}\u{e007f}', '🏴'],
    ['filler\u3164\u115f\u2800', 'filler\u2800'],
    ['sel\u{e0101}\u{e0102}ector', 'selector'],
  ])('takes out of %j what nobody sees', (text, clean) => {
    const result = cleanText(text)
    expect(result.text).toBe(clean)
    expect(result.removed).toBe(text.length - clean.length)
  })

  it('is clean once it was cleaned, for every text', () => {
    const seasoned = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('\u001b[', '\u001b]', '\u200d', '\ufe0f', '\u{e0041}', '🏴', '\ud800', '👍', '\u0007'),
      ),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(seasoned, (parts) => {
        const { text } = cleanText(parts.join(''))
        expect(cleanText(text)).toEqual({ text, removed: 0 })
      }),
      { numRuns: 5000 },
    )
  })

  it('takes time in proportion to the text', () => {
    for (const piece of ['\u001b[', '\u001b]', '\u200d', '🏴\u{e0061}', '\u001b[0;']) {
      const before = performance.now()
      cleanText(piece.repeat(200_000))
      expect(performance.now() - before).toBeLessThan(1500)
    }
  })
})

describe('clean JSON', () => {
  it('is the very value when there was nothing to clean', () => {
    const value = { a: [{ b: 'x' }], n: null, t: true }
    expect(cleanJson(value)).toEqual({ value, cleaned: [] })
    expect(cleanJson(value).value).toBe(value)
  })

  it('changes strings at any place, names them, and leaves the rest and the input alone', () => {
    const value = { a: ['x', 'y\u200b'], b: { c: 'z\u202e', d: { e: 1 } } }
    const copy = structuredClone(value)
    const result = cleanJson(value)
    expect(result.value).toEqual({ a: ['x', 'y'], b: { c: 'z', d: { e: 1 } } })
    expect(result.cleaned).toEqual(['a[1]', 'b.c'])
    expect((result.value as typeof value).b.d).toBe(value.b.d)
    expect(value).toEqual(copy)
  })

  it('tells of a property name that hides something', () => {
    expect(cleanJson({ a: { 'b\u200b': 1 } }).hiddenKey).toBe('a.b\u200b')
  })
})
