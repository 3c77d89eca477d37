import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definition } from '../../src/gates/definition.ts'
import { aCandidate } from '../../src/testing/index.ts'
import { definitionCases } from './cases/definition.ts'
import { stepOf } from './gate-case.ts'
import { runCases } from './run-cases.ts'

runCases('definition [G12]', definition, definitionCases)

describe('definition [G12]', () => {
  test('admits a name exactly when it is made of 1 to 128 plain characters', () => {
    const plain = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-')
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 140 }), fc.string({ unit: fc.constantFrom(...plain), maxLength: 140 })),
        (name) => {
          const candidate = aCandidate({ server: 'files', originalName: name, name: 'x' })
          const { effect } = stepOf(definition, { name: '', candidate, code: '' })
          const good =
            name.length >= 1 && name.length <= 128 && [...name].every((c) => plain.has(c)) && name !== '__proto__'
          expect(effect === 'admit').toBe(good)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('keeps the name of what was broken or changed, and none for what has no name', () => {
    const reserving = Object.entries(definition.reasons).filter(([, reason]) => reason.reserves === true)
    expect(reserving.map(([code]) => code)).toEqual([
      'invalid-schema',
      'definition-too-big',
      'definition-not-approved',
      'definition-changed',
    ])
  })

  test('does not repeat a name of ten thousand characters', () => {
    const candidate = aCandidate({ server: 'files', originalName: 'z'.repeat(10_000) })
    const { evidence } = stepOf(definition, { name: '', candidate, code: '' })
    expect(definition.reasons['name-too-long'].say.en(evidence as never, candidate)).toBe(
      'its name has 10000 characters, and 128 are allowed',
    )
  })
})
