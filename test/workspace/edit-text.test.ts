import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editText } from '../../src/workspace/files/edit-text.ts'

const edit = (text: string, oldText: string, newText: string, all = false) =>
  editText(text, { oldText, newText, all }, 1_000_000)
const near = (text: string, oldText: string): string | undefined => {
  const outcome = edit(text, oldText, 'x')
  return outcome.kind === 'missing' ? outcome.near : outcome.kind
}

describe('an edit of a text [W2]', () => {
  it('replaces every place as split and join do', () => {
    const small = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$'), maxLength: 30 })
    fc.assert(
      fc.property(
        small,
        fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 3 }),
        small,
        (text, old, fresh) => {
          const outcome = edit(text, old, fresh, true)
          if (text.includes(old)) expect(outcome).toMatchObject({ kind: 'done', text: text.split(old).join(fresh) })
          else expect(outcome.kind).toBe('missing')
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('replaces one place only when there is one, places that overlap counted', () => {
    expect(edit('aab', 'a', 'x')).toMatchObject({ kind: 'ambiguous', count: 2, lines: [1, 1] })
    expect(edit('aaa', 'aa', 'x')).toMatchObject({ kind: 'ambiguous', count: 2 })
    expect(edit('aaa', 'aa', 'x', true)).toMatchObject({ kind: 'done', text: 'xa', count: 1 })
    expect(edit('b\naab', 'aab', 'x')).toMatchObject({ kind: 'done', text: 'b\nx', lines: [2] })
  })

  it('tells the first lines of many places', () => {
    const outcome = edit('x\n'.repeat(50), 'x', 'y')
    expect(outcome).toMatchObject({ kind: 'ambiguous', count: 50 })
    expect(outcome.kind === 'ambiguous' && outcome.lines).toHaveLength(20)
  })

  it('takes line breaks for those of the file, unless the file mixes them', () => {
    expect(edit('a\r\nb\r\n', 'a\nb', 'c\nd')).toMatchObject({ kind: 'done', text: 'c\r\nd\r\n' })
    expect(edit('a\r\nb\r\n', 'a', 'c\nd')).toMatchObject({ kind: 'done', text: 'c\r\nd\r\nb\r\n' })
    expect(edit('a\r\nb\n', 'a\nb', 'c')).toMatchObject({ kind: 'missing' })
    expect(edit('a\nb\n', 'a\nb', 'c\r\nd')).toMatchObject({ kind: 'done', text: 'c\r\nd\n' })
  })

  it.each([
    ['a tab for blanks', 'x\n\tfoo(a)\ny', '    foo(a)', 'line 2 differs from it in blanks only'],
    ['blanks at the end of a line', 'a  \nb\n', 'a\nb', 'lines 1 to 2 differ from it in blanks only'],
    ['empty lines around it', 'q\na\nb\n', '\n\na\nb\n\n\n', 'lines 2 to 3 differ from it in blanks only'],
    ['another letter', 'first\nconst value = 1\n', 'const valeu = 1', 'the nearest is line 2: const value = 1'],
    ['other letter case', 'First Line\n', 'first line', 'the nearest is line 1: First Line'],
    [
      'one line of several',
      'a\nthe long line here\nb',
      'z\nthe long lime here\ny',
      'the nearest is line 2: the long line here',
    ],
    ['nothing like it', 'abc\ndef\n', 'completely different', undefined],
    ['an empty file', '', 'a', undefined],
  ])('tells what was probably meant: %s', (_what, text, old, expected) => {
    expect(near(text, old)).toBe(expected)
  })

  it('tells the nearest line printable and short', () => {
    const said = near(`const a = "\u001b[2J\u202e${'y'.repeat(150)}"`, `const a = "${'y'.repeat(150)}"`)
    expect(said).toMatch(/^the nearest is line 1: const a = "\\u001b\[2J\\u202ey+/)
    expect(said?.length).toBeLessThan(220)
  })

  it('refuses a result that would be too long, and edits of everything', () => {
    expect(editText('ab'.repeat(100), { oldText: 'a', newText: 'c'.repeat(100), all: true }, 5000).kind).toBe('too-big')
    expect(editText('a'.repeat(200_000), { oldText: 'a', newText: 'b', all: true }, 1_000_000).kind).toBe('too-big')
  })
})
