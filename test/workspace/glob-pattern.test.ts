import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globTest } from '../../src/workspace/files/glob-pattern.ts'

describe('a file name pattern [W2]', () => {
  it.each([
    ['*.ts', ['a.ts', '.ts'], ['a.tsx', 'b/a.ts', 'a.TS']],
    ['**/*.ts', ['a.ts', 'b/a.ts', 'b/c/a.ts', '.x/a.ts'], ['a.js', 'a.ts/b']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'b/a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab']],
    ['**', ['a', 'a/b'], ['']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['a*b*c', ['abc', 'axbxc'], ['ab/c', 'acb']],
    ['?.txt', ['a.txt', '🙂.txt'], ['ab.txt', '/.txt']],
    ['[ab].txt', ['a.txt', 'b.txt'], ['c.txt']],
    ['[!ab].txt', ['c.txt'], ['a.txt', '/.txt']],
    ['[a-c]', ['b'], ['d', '-']],
    ['[]]', [']'], ['[']],
    ['[\\^$]x', ['$x', '^x'], ['ax']],
    ['[ab', ['[ab'], ['a']],
    ['{a,b}.{ts,js}', ['a.ts', 'b.js'], ['c.ts', 'a.md']],
    ['{a,{b,c}}', ['a', 'b', 'c'], ['d', '{a,b}']],
    ['{src/**,*.md}', ['src/a/b', 'x.md'], ['docs/x.md']],
    ['{a', ['{a'], ['a']],
    ['a,b', ['a,b'], ['a']],
    ['\\*', ['*'], ['a']],
    ['a+(b)|c.^$', ['a+(b)|c.^$'], ['aab']],
    ['./a', ['a'], ['b']],
    ['a/', ['a'], ['a/b']],
    ['$HOME/~', ['$HOME/~'], ['x']],
  ])('%j', (pattern, covered, others) => {
    const fits = globTest(pattern)
    expect(covered.filter((way) => !fits(way))).toEqual([])
    expect(others.filter(fits)).toEqual([])
  })

  it('without a slash is about the name alone where that is asked', () => {
    const fits = globTest('*.ts', { anywhere: true })
    expect(['a.ts', 'b/a.ts', 'b/c/a.ts', 'b/a.js'].map(fits)).toEqual([true, true, true, false])
    expect(['b/a.ts', 'c/b/a.ts'].map(globTest('b/*.ts', { anywhere: true }))).toEqual([true, false])
  })

  it('of any text is read or refused, and covers itself when it holds no wildcard', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '*', '?', '[', ']', '{', '}', ',', '!', '\\', '/', '.', '-'),
          maxLength: 12,
        }),
        (pattern) => {
          try {
            const fits = globTest(pattern)
            if (/^[a,!-]+$/.test(pattern)) expect(fits(pattern)).toBe(true)
            expect(typeof fits('a/a')).toBe('boolean')
          } catch (error) {
            expect(String(error)).toContain('pattern-invalid')
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('of many stars comes to an end', () => {
    const fits = globTest(`${'*a'.repeat(400)}b`)
    expect(fits('a'.repeat(255))).toBe(false)
    expect(globTest(`${'**/'.repeat(100)}x`)('a/'.repeat(100))).toBe(false)
  })
})
