import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearPattern } from '../../src/text/linear-pattern.ts'
import { isPlainPattern, patternFault, patternSize } from '../../src/text/pattern-fault.ts'

const a40 = 'a'.repeat(40)

describe('a pattern of a stranger [R5]', () => {
  it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^([a-z]+)*$', '(a*)*b', '^(?:a?){40}a{40}$', '(.*?,){11}P'])(
    '%s is looked for without going back',
    (source) => {
      expect(linearPattern(source)?.found(`${a40}!`)).toBe(false)
      expect(linearPattern(source)?.found('a,'.repeat(20_000))).toBe(false)
    },
  )

  it('is found where JavaScript finds it', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        '.',
        '\\d',
        '\\w',
        '\\s',
        '\\S',
        '\\b',
        '[a-c]',
        '[^a]',
        '(',
        '(?:',
        ')',
        '|',
        '*',
        '+',
        '?',
        '{2}',
      ],
      ...[
        '{1,3}',
        '^',
        '$',
        '\\u0041',
        '\\x41',
        '\\n',
        '\\/',
        '\\.',
        '[\\]x]',
        '(?<n>',
        '\\p{L}',
        '\\u{1F600}',
        'é',
        '😀',
        ' ',
      ],
    )
    const source = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
    const char = fc.constantFrom('a', 'b', 'A', '1', '_', ' ', '\n', '\r', '\u00a0', 'é', '😀', '.', '/')
    const text = fc.array(char, { maxLength: 6 }).map((parts) => parts.join(''))
    let looked = 0
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 1, maxLength: 5 }), (pattern, texts) => {
        let own: RegExp
        try {
          own = new RegExp(pattern, 'u')
        } catch {
          return
        }
        if (patternFault(pattern) !== undefined) return
        const linear = linearPattern(pattern)
        expect(linear, pattern).toBeDefined()
        expect(linear?.size).toBeLessThanOrEqual(patternSize(pattern) + 10)
        looked += 1
        // It may find more in texts with odd blanks, and never less.
        for (const one of texts) {
          if (own.test(one)) expect([pattern, one, linear?.found(one)]).toEqual([pattern, one, true])
          else if (!/[\r\u00a0]/.test(one)) expect([pattern, one, linear?.found(one)]).toEqual([pattern, one, false])
        }
      }),
      { numRuns: 5000 },
    )
    expect(looked).toBeGreaterThan(500)
  })

  it('counts as found in a text that would take too long', () => {
    const source = '^[0-9]{1000}x$'
    expect(linearPattern(source)?.found('a'.repeat(1000))).toBe(false)
    expect(linearPattern(source)?.found('a'.repeat(1_000_000))).toBe(true)
  })

  it('is not compiled when it would be big', () => {
    for (const source of ['a{1000}'.repeat(100), '(?:abcdefghijklmno){500}', '((a{100}){100}){100}', 'x'.repeat(1001)])
      expect(linearPattern(source)).toBeUndefined()
  })
})

describe('a pattern that every engine looks for quickly', () => {
  it.each(['', '.*', '^.*$', '^x-', '^[a-zA-Z_][a-zA-Z0-9_]*$', '^[A-Z]{2}$', '^\\d+$', '^[\\w.-]+$', 'a{2}b+c'])(
    'may be %s',
    (source) => {
      expect(isPlainPattern(source)).toBe(true)
    },
  )

  it.each([
    '(a+)+',
    'a*a*',
    'a?a?a',
    '.{0,50}a',
    '^(a|b)$',
    '(?=a)',
    '(a)\\1',
    '[a',
    'a{2}{3}',
    'a|b',
    'x'.repeat(300),
  ])('is none with repeats that meet, groups or branches, such as %s', (source) => {
    expect(isPlainPattern(source)).toBe(false)
  })
})
