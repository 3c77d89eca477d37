import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clipped, columnWidths, fitted, grouped, tableLine, widthOf, wrapped } from '../../src/report/layout.ts'

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[一-龥a-z ]{0,40}$/))

describe('layout', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abcdef', 4, 'abc…'],
    ['工具名称', 5, '工具…'],
    ['工具名称', 8, '工具名称'],
    ['ab cd', 4, 'ab…'],
    ['abc', 0, ''],
  ])('clips %j to %i columns', (given, width, expected) => {
    expect(clipped(given, width)).toBe(expected)
  })

  it('fits to the left and to the right', () => {
    expect([fitted('ab', 4), fitted('ab', 4, 'right'), fitted('工', 4)]).toEqual(['ab  ', '  ab', '工  '])
  })

  it('never clips wider than asked', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 60 }), (given, width) => widthOf(clipped(given, width)) <= width),
    )
  })

  it('never wraps wider than asked, and loses nothing but blanks', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 60 }), (given, width) => {
        const lines = wrapped(given, width)
        const bare = (some: string): string => some.replaceAll(' ', '')
        expect(lines.every((line) => widthOf(line) <= width)).toBe(true)
        expect(bare(lines.join(''))).toBe(bare(given))
      }),
    )
  })

  it('breaks Chinese text inside, and fills its lines', () => {
    expect(wrapped('见 每次调用前都要征得人的同意', 12)).toEqual(['见 每次调用', '前都要征得人', '的同意'])
  })

  it('gives the last column what is left, and takes from the first where that is under 16', () => {
    const rows = [['a'.repeat(20), 'b'.repeat(200)]]
    expect(columnWidths([{ head: 'A', max: 10 }, { head: 'B' }], rows, 60)).toEqual([10, 48])
    expect(columnWidths([{ head: 'A' }, { head: 'B' }], rows, 30)).toEqual([12, 16])
  })

  it('paints after fitting, and leaves no blanks at the end', () => {
    const columns = [{ head: 'A' }, { head: 'B' }]
    expect(tableLine(['a', ''], columns, [3, 5], (cell) => `<${cell}>`)).toBe('<a  >')
  })

  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
    [-1200, '-1,200'],
  ])('groups %i as %s in every locale', (count, expected) => {
    expect(grouped(count)).toBe(expected)
  })
})
