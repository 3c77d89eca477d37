import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyRun, coversAll, globOf, matchesGlob, oneChar, unknownText } from '../../src/permissions/glob.ts'
import { patternSet } from '../../src/permissions/pattern-set.ts'

const pattern = (written: string): string => written.replaceAll('*', anyRun).replaceAll('?', oneChar)

describe('wildcards', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'a_b_b_c', true],
    ['*ab', 'aab', true],
    ['*a?c*', 'xabcx', true],
    ['*a?', 'aab', true],
    ['ab?', 'ab', false],
    ['a**b', 'ab', true],
  ])('%s on %s: %s', (written, text, expected) => {
    expect(matchesGlob(globOf(pattern(written)), text)).toBe(expected)
  })

  it('covers what is not known by a star only', () => {
    expect(matchesGlob(globOf(pattern('a*')), `a${unknownText}`)).toBe(true)
    expect(matchesGlob(globOf(pattern('a?')), `a${unknownText}`)).toBe(false)
    expect([coversAll(pattern('**')), coversAll(pattern('*?')), coversAll('')]).toEqual([true, false, false])
  })

  const letters = (alphabet: string, maxLength: number) =>
    fc.array(fc.constantFrom(...alphabet), { maxLength }).map((parts) => parts.join(''))

  it('agrees with a regular expression', () => {
    fc.assert(
      fc.property(letters('ab*?', 8), letters('ab', 10), (written, text) => {
        const regex = new RegExp(`^${written.replaceAll('*', '.*').replaceAll('?', '.')}$`)
        expect(matchesGlob(globOf(pattern(written)), text)).toBe(regex.test(text))
      }),
      { numRuns: 10_000 },
    )
  })

  it('finds in one walk over a name what trying each pattern finds', () => {
    const names = fc.array(letters('ab_é*?', 10), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(names, letters('ab_é', 14), letters('ab', 3), (written, text, ending) => {
        const patterns = written.map(pattern)
        const found = new Set<number>()
        patternSet(patterns.map((one, item) => ({ pattern: one, item })))(
          `${text}${ending}`,
          (item) => found.add(item),
          ending,
        )
        const each = patterns.flatMap((one, item) =>
          [`${text}${ending}`, ending].some((name) => matchesGlob(globOf(one), name)) ? [item] : [],
        )
        expect([...found].sort((a, b) => a - b)).toEqual(each)
      }),
      { numRuns: 3000 },
    )
  })

  it('takes no longer for patterns that make others go back over every star', () => {
    const glob = globOf(pattern(`${'a*'.repeat(100)}b`))
    const text = 'a'.repeat(20_000)
    const start = performance.now()
    expect(matchesGlob(glob, text)).toBe(false)
    expect(performance.now() - start).toBeLessThan(250)
  })
})
