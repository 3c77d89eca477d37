import { describe, expect, it } from 'vitest'
import { type Answers, diverse } from '../../../src/catalog/search/diversity.ts'
import { weights } from '../../../src/catalog/search/weights.ts'

/** Two asked words; rows answer them by these parts, and by their names where the part is above 1. */
const answersOf = (rows: readonly (readonly [number, number])[]): Answers => ({
  parts: rows.map((row) => Float64Array.from(row)),
  named: rows.map((row) => Uint8Array.from(row, (part) => (part > 1 ? 1 : 0))),
})
const sums = (rows: readonly (readonly [number, number])[]): Float64Array =>
  Float64Array.from(rows, ([one, other]) => one + other)
const order = (rows: readonly (readonly [number, number])[], count = rows.length): readonly number[] =>
  diverse([...rows.keys()], sums(rows), answersOf(rows), count).map(({ position }) => position)

describe('hits with an eye to one another [C2]', () => {
  it('have the next need before a second answer to the first', () => {
    expect(
      order([
        [5, 0],
        [4.9, 0],
        [4.8, 0],
        [0, 4.7],
      ]),
    ).toEqual([0, 3, 1, 2])
  })

  it('do not put a far worse hit forward', () => {
    expect(
      order([
        [5, 0],
        [4.9, 0],
        [0, 1.5],
      ]),
    ).toEqual([0, 1, 2])
  })

  it('count only what names answer', () => {
    expect(
      order([
        [1, 0],
        [0.99, 0],
        [0, 0.97],
      ]),
    ).toEqual([0, 1, 2])
  })

  it('tell what was left of the score', () => {
    const rows = [
      [5, 0],
      [4.9, 0],
    ] as const
    const [first, second] = diverse([0, 1], sums(rows), answersOf(rows), 2)
    expect(first?.left).toBe(1)
    expect(second?.left).toBeCloseTo(weights.again)
  })

  it('keep the score of what no word accounts for', () => {
    const picked = diverse(
      [0, 1],
      Float64Array.of(2, 1),
      answersOf([
        [0, 0],
        [0, 0],
      ]),
      2,
    )
    expect(picked).toEqual([
      { position: 0, left: 1 },
      { position: 1, left: 1 },
    ])
  })

  it('end when there are enough, and may be none', () => {
    expect(
      order(
        [
          [5, 0],
          [4, 0],
        ],
        1,
      ),
    ).toEqual([0])
    expect(order([])).toEqual([])
  })
})
