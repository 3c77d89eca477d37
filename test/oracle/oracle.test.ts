// The gates against the oracle, in short; `npm run verify:oracle` tries a hundred thousand worlds and all small ones.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gateOrder } from '../../src/gates/order.ts'
import { differences, differenceText, surfaceOf } from './compare.ts'
import { smallWorld, smallWorldsCount } from './small-worlds.ts'
import { aWorld } from './worlds.ts'

describe('the default order and the oracle [D1, D2, G1, G2, G3, G4, G5, G6, G7, G8, G9, G10, G11, G12, G13, S7]', () => {
  it('agree on random worlds', () => {
    fc.assert(
      fc.property(aWorld, (world) => {
        const lines = differences(world, gateOrder.default)
        if (lines.length > 0) throw new Error(differenceText(world, lines))
      }),
      { numRuns: 5000 },
    )
  })

  it('agree on every 53rd small world', () => {
    const wrong: string[] = []
    // A prime, so that every switch is met in both positions.
    for (let number = 0; number < smallWorldsCount && wrong.length < 3; number += 53) {
      const world = smallWorld(number)
      const lines = differences(world, gateOrder.default)
      if (lines.length > 0) wrong.push(differenceText(world, lines))
    }
    expect(wrong).toEqual([])
  })

  it('are shown worlds in which every gate has its say', () => {
    const settling = new Set<string>()
    for (const world of fc.sample(aWorld, { numRuns: 2000, seed: 3 })) {
      for (const { settledBy } of surfaceOf(world, gateOrder.default).withOutcome('excluded')) settling.add(settledBy)
    }
    expect([...settling].sort()).toEqual(gateOrder.default.map(({ id }) => id).sort())
  })
})
