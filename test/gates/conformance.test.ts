import { describe, expect, test } from 'vitest'
import { gateOrder, presetNames } from '../../src/gates/order.ts'
import { describeGate } from '../../src/testing/index.ts'
import { casebook } from './casebook.ts'
import { stepOf, worldOf } from './gate-case.ts'

describe.each(presetNames)('gates of the preset %s [G14]', (preset) => {
  test('each have cases, and an id of their own', () => {
    const order = gateOrder[preset]
    expect(order.filter((gate) => !casebook.has(gate))).toEqual([])
    expect(new Set(order.map(({ id }) => id)).size).toBe(order.length)
  })
})

describe('every gate conforms [G14] [U5]', () => {
  for (const [gate, cases] of casebook) {
    const checks = describeGate(gate, { worlds: cases.map(worldOf) })
    test.each(checks.map((check) => [check.name, check] as const))('%s', (_name, check) => check.run())
  }
})

describe('every code is reached as its case says', () => {
  for (const [gate, cases] of casebook) {
    test(gate.id, () => {
      for (const row of cases) expect([row.name, stepOf(gate, row).code]).toEqual([row.name, row.code])
    })
  }
})
