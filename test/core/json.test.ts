import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, deepFreeze, foldName, type Json } from '../../src/core/json.ts'

describe('canonicalJson', () => {
  test('orders keys by code unit at every depth and leaves absent ones out', () => {
    expect(canonicalJson({ b: [{ z: 1, a: undefined, Z: null }], a: 'ü' })).toBe('{"a":"ü","b":[{"Z":null,"z":1}]}')
  })

  test('does not depend on the order of keys, and reads back as the same value', () => {
    const shuffled = (value: Json): Json => {
      if (value === null || typeof value !== 'object') return value
      if (Array.isArray(value)) return value.map(shuffled)
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, item]) => [key, shuffled(item as Json)]),
      )
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (given) => {
        const value = JSON.parse(JSON.stringify(given)) as Json
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(value)
      }),
      { numRuns: 2000 },
    )
  })

  test('tells apart what looks alike', () => {
    const values: readonly Json[] = [null, 'null', 0, '0', [], {}, [[]], [null], { a: null }, { a: [] }, '', false]
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length)
  })

  test('keeps a key that is named like a prototype', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}') as Json)).toBe('{"__proto__":1,"a":2}')
  })
})

describe('foldName', () => {
  test.each([
    ['BASH', 'bash'],
    ['\uff42\uff41\uff53\uff48', 'bash'],
    ['ba\u200bsh', 'bash'],
    ['ba\u00adsh', 'bash'],
    ['\ufeffbash ', 'bash'],
    ['bash\n', 'bash'],
    ['\u202ebash', 'bash'],
    ['bash\u0301\u0301', 'bash'],
    ['\u212aill', 'kill'],
    ['ba\u017fh', 'bash'],
  ])('reads %j as %j', (written, meant) => expect(foldName(written)).toBe(meant))

  test.each([['b\u0430sh'], ['ba_sh'], ['bash2']])('does not take %j for bash', (other) =>
    expect(foldName(other)).not.toBe('bash'),
  )

  test('folds what is folded to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('deepFreeze', () => {
  test('freezes all that a value holds and gives the value back', () => {
    const value = { a: [{ b: 1 }], c: 'text' }
    expect(deepFreeze(value)).toBe(value)
    expect([value, value.a, value.a[0]].every(Object.isFrozen)).toBe(true)
  })
})
