import { type Schema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze, type Json, type JsonObject } from '../../src/core/json.ts'
import { isTooCostly } from '../../src/sources/schema/schema-effort.ts'
import { judgedSchema } from '../../src/sources/schema/schema-faults.ts'
import { uncheckedPatterns } from '../../src/sources/schema/schema-pattern-faults.ts'
import { enforceableSchema } from '../../src/sources/schema/schema-patterns.ts'
import { someSchema } from '../targets/schema/some-schema.ts'

type Draft = '7' | '2019-09' | '2020-12'
const fits = (schema: JsonObject, value: Json, draft: Draft = '2020-12') =>
  new Validator(enforceableSchema(schema) as Schema, draft, false).validate(value).valid
const withQ = (q: Json, more: JsonObject = {}): JsonObject => ({ type: 'object', properties: { q }, ...more })
const a40 = 'a'.repeat(40)

describe('a schema that arguments are checked with [R5]', () => {
  it('looks for a pattern that goes back in linear time', () => {
    const schema = withQ({ type: 'string', pattern: '^(a+)+$' })
    expect(fits(schema, { q: `${a40}!` })).toBe(false)
    expect(fits(schema, { q: a40 })).toBe(true)
    expect(fits(schema, { q: 'a'.repeat(100_000) })).toBe(true)
  })

  it('does not look for a pattern that looks around, and for one that names the rest of a name', () => {
    expect(fits(withQ({ type: 'string', pattern: '^(?!a+$)(a|aa)+$' }), { q: a40 })).toBe(true)
    expect(fits({ patternProperties: { '^(a+)+$': false } }, { [`${a40}!`]: 1 })).toBe(true)
  })

  it.each<[string, Json]>([
    ['not', { not: { pattern: '(?=x)y' } }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['if', { if: { pattern: '(?=x)y' }, then: false }],
    ['oneOf', { oneOf: [{ pattern: '(?=x)' }, { pattern: '(?=y)' }, { type: 'string' }] }],
    ['oneOf of formats', { oneOf: [{ format: 'url' }, { format: 'date' }] }],
    ['maxContains', { contains: { pattern: '(?=x)' }, minContains: 0, maxContains: 0 }],
  ])('refuses nothing because less was looked at, as below %s', (_keyword, q) => {
    expect(fits(withQ({ allOf: [q] }), { q: '2026-01-01' })).toBe(true)
    expect(fits(withQ({ allOf: [q] }), { q: ['2026-01-01'] })).toBe(true)
    expect(fits(withQ({ allOf: [q], type: 'string' }), { q: 7 })).toBe(false)
  })

  it('and says no as ever where all is looked at', () => {
    expect(fits(withQ({ not: { pattern: '^x' } }), { q: 'xy' })).toBe(false)
    expect(fits(withQ({ oneOf: [{ pattern: '^x' }, { pattern: 'y$' }] }), { q: 'xy' })).toBe(false)
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    expect(fits(withQ({ if: { pattern: '^x' }, then: { maxLength: 1 } }), { q: 'xy' })).toBe(false)
  })

  it('lets every name pass where one that allows names is not looked for', () => {
    const closed = { patternProperties: { '^(a|b)+$': { type: 'string' } }, additionalProperties: false }
    expect(fits(closed, { ab: 7, c: 1 })).toBe(true)
    expect(fits({ allOf: [closed], unevaluatedProperties: false }, { ab: 'x' })).toBe(true)
  })

  it('looks for a plain pattern of names', () => {
    const closed = { patternProperties: { '^x-[a-z]+$': { type: 'string' } }, additionalProperties: false }
    expect(fits(closed, { 'x-a': 'text' })).toBe(true)
    expect(fits(closed, { 'x-a': 7 })).toBe(false)
    expect(fits(closed, { y: 'text' })).toBe(false)
  })

  it('keeps a pattern beside a format, and within branches', () => {
    const both = withQ({ anyOf: [{ type: 'null' }, { type: 'string', format: 'date', pattern: '^2' }] })
    expect(fits(both, { q: null })).toBe(true)
    expect(fits(both, { q: '2026-01-01' })).toBe(true)
    expect(fits(both, { q: '1999-01-01' })).toBe(false)
    expect(fits(both, { q: '2' })).toBe(false)
  })

  it('looks at no format whose pattern goes back, and at none that is not there', () => {
    for (const format of ['url', '__proto__', 'constructor', 'hasOwnProperty', 'pattern ^z$'])
      expect(fits(withQ({ type: 'string', format }), { q: `http://${a40}!` })).toBe(true)
    expect(fits(withQ({ type: 'string', format: 'uuid' }), { q: 'x' })).toBe(false)
  })

  it('follows references of every kind to the place that was judged', () => {
    const tree = withQ(
      { $ref: '#/$defs/node' },
      {
        $defs: { node: { type: 'object', required: ['n'], properties: { kids: { items: { $ref: '#/$defs/node' } } } } },
      },
    )
    expect(fits(tree, { q: { n: 1, kids: [{ n: 2, kids: [] }] } })).toBe(true)
    expect(fits(tree, { q: { n: 1, kids: [{ n: 2, kids: [{}] }] } })).toBe(false)
    const whole: JsonObject = { type: 'object', required: ['n'], properties: { inner: { $ref: '#' } } }
    expect(fits(whole, { n: 1, inner: { n: 2 } })).toBe(true)
    expect(fits(whole, { n: 1, inner: {} })).toBe(false)
    for (const named of [{ $anchor: 's' }, { $id: '#s' }, { $dynamicAnchor: 's' }]) {
      const schema = withQ({ $ref: '#s' }, { $defs: { a: { ...named, type: 'string' } } })
      expect(fits(schema, { q: 'x' })).toBe(true)
      expect(fits(schema, { q: 1 })).toBe(false)
    }
    expect(fits(withQ({ $ref: '#/c/S' }, { c: { S: { type: 'string' } } }), { q: 1 })).toBe(false)
    expect(fits(withQ({ $recursiveRef: '#' }), { q: { q: 7 } })).toBe(false)
    expect(fits(withQ({ $ref: '#/$defs/no' }, { $defs: { no: false } }), { q: 1 })).toBe(false)
  })

  it('says what stands beside a reference where its draft does', () => {
    const schema = withQ({ $ref: '#/definitions/s', maxLength: 1 }, { definitions: { s: { type: 'string' } } })
    expect(fits(schema, { q: 'long' })).toBe(false)
    expect(fits(schema, { q: 'long' }, '7')).toBe(true)
  })

  it('leaves out what has a wrong form, and keeps the rest', () => {
    const odd = withQ(
      { type: 'number', exclusiveMinimum: true, maximum: 'ten', multipleOf: 0, enum: 'x', minimum: 3 },
      { required: 'q', properties2: 1 },
    )
    expect(fits(odd, {})).toBe(true)
    expect(fits(odd, { q: 4 })).toBe(true)
    expect(fits(odd, { q: 2 })).toBe(false)
    expect(fits({ const: null }, 1)).toBe(false)
  })

  it('holds a property called __proto__ as any other', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}')
    expect(fits(schema, JSON.parse('{"__proto__":"text"}'))).toBe(true)
    expect(fits(schema, JSON.parse('{"__proto__":7}'))).toBe(false)
    expect(fits(schema, { other: 7 })).toBe(false)
  })

  it('lets nothing fit a faulty schema', () => {
    for (const schema of [{ $ref: '#' }, { type: 'strng' }, withQ({ $ref: 'https://example.com/' })])
      expect(fits(schema, {})).toBe(false)
  })

  it('writes each place once, however often it is referred to', () => {
    let inner: Json = { type: 'string' }
    for (let level = 0; level < 50; level += 1) inner = { properties: { a: inner } }
    for (const [place, schema] of [
      ['properties/q', withQ(inner)],
      ['x', { x: inner }],
    ] as const) {
      const refs = Array.from({ length: 50 }, (_, level) => ({ $ref: `#/${place}${'/properties/a'.repeat(level)}` }))
      for (const anyOf of [refs, refs.toReversed()]) {
        const written = JSON.stringify(enforceableSchema({ ...schema, anyOf }))
        expect(written.match(/"string"/g)).toHaveLength(1)
        expect(written.length).toBeLessThan(8000)
      }
    }
  })

  it('is fresh: the given one may be frozen, and stays as it is', () => {
    const schema = deepFreeze(withQ({ $ref: '#/$defs/s' }, { $defs: { s: { type: 'string', enum: ['a'] } } }))
    const before = JSON.stringify(schema)
    expect(fits(schema, { q: 'a' })).toBe(true)
    expect(fits(schema, { q: 'b' })).toBe(false)
    expect(JSON.stringify(schema)).toBe(before)
  })

  it('is one that a validator takes and carries out, whatever was given [Q3]', () => {
    fc.assert(
      fc.property(someSchema, fc.jsonValue() as fc.Arbitrary<Json>, (schema, value) => {
        if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return
        const { fault } = judgedSchema(schema as JsonObject, { name: 'schema' })
        const enforceable = enforceableSchema(schema as JsonObject)
        if (isTooCostly(enforceable, value)) return
        const { valid } = new Validator(enforceable as Schema, '2020-12', false).validate(value)
        if (fault !== undefined) expect(valid).toBe(false)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('a pattern that is not checked is told with its place and the reason [G12]', () => {
  const told = (schema: JsonObject) => {
    const { graph } = judgedSchema(schema, { name: 'inputSchema' })
    return graph === undefined ? [] : uncheckedPatterns(graph).map(({ place, why }) => `${place}: ${why}`)
  }

  it.each<[string, readonly string[]]>([
    ['^(a+)+$', []],
    ['^[a-z]{1,64}$', []],
    ['\\d+(?:,\\d+)*', []],
    ['(?!x)y', ['it looks around']],
    ['(?<=x)y', ['it looks around']],
    ['(a)\\1', ['it refers back to a group']],
    ['(?<n>a)\\k<n>', ['it refers back to a group']],
    ['\\\\1', []],
    ['((a{100}){100}){100}', ['it repeats too much']],
    ['(', ['it is no regular expression of JavaScript']],
    ['a'.repeat(2000), ['it has 2000 characters, and 1000 are allowed']],
    ['[\\b]', ['it looks for a backspace']],
    ['\\p{Script=Greek}', ['it names a property of Unicode by key and value']],
  ])('%s', (pattern, why) => {
    expect(told(withQ({ type: 'string', pattern }))).toEqual(
      why.map((words) => `inputSchema.properties.q.pattern: ${words}`),
    )
  })

  it('once, and for names as well', () => {
    const schema = {
      properties: { a: { pattern: '(?=x)' }, b: { pattern: '(?=x)' } },
      patternProperties: { '(a|b)': {} },
    }
    expect(told(schema)).toHaveLength(2)
    expect(told(schema)).toContain('inputSchema.patternProperties: it is not plain enough')
  })

  it('when the patterns of one schema are too many', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`p${n}`, { pattern: `^x{100}y${n}$` }]),
    )
    const lines = told({ properties })
    expect(lines.length).toBeGreaterThan(50)
    expect(new Set(lines.map((line) => line.split(': ')[1]))).toEqual(
      new Set(['the patterns of its schema are too many']),
    )
  })
})

describe('what a check would cost is known before it is made [R5]', () => {
  const cost = (schema: JsonObject, value: Json) => isTooCostly(enforceableSchema(schema), value)
  const deep = (levels: number, make: (inner: Json) => Json): Json => {
    let value: Json = {}
    for (let level = 0; level < levels; level += 1) value = make(value)
    return value
  }

  it('and honest arguments are cheap', () => {
    const row = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { enum: ['x', 'y'] }, c: { type: 'number' } },
    }
    const schema = withQ({ type: 'array', items: row })
    expect(cost(schema, { q: Array.from({ length: 1000 }, () => ({ a: 'text', b: 'x', c: 1 })) })).toBe(false)
  })

  it('when branches that hold their owner multiply with each level', () => {
    const both = { properties: { a: { $ref: '#' } } }
    const schema: JsonObject = { anyOf: [both, { ...both, title: 'again' }] }
    expect(
      cost(
        schema,
        deep(5, (a) => ({ a })),
      ),
    ).toBe(false)
    expect(
      cost(
        schema,
        deep(40, (a) => ({ a })),
      ),
    ).toBe(true)
  })

  it.each<[string, JsonObject, Json]>([
    [
      'a list in which each is compared with each',
      withQ({ uniqueItems: true }),
      { q: Array.from({ length: 20_000 }, (_, n) => n) },
    ],
    ['more levels than a check can follow', { additionalProperties: { $ref: '#' } }, deep(1000, (a) => ({ a }))],
    ['names that a pattern goes back over', { patternProperties: { 'a*b': {} } }, { ['a'.repeat(100_000)]: 1 }],
    [
      'long texts against a long pattern',
      withQ({ pattern: '^([a-z]{900}|[0-9]{900})$' }),
      { q: 'a'.repeat(1_000_000) },
    ],
    [
      'branches without end',
      withQ({ items: { oneOf: Array.from({ length: 200 }, () => ({ type: 'string' })) } }),
      { q: Array.from({ length: 1000 }, () => 1) },
    ],
  ])('for %s', (_title, schema, value) => {
    expect(cost(schema, value)).toBe(true)
  })
})
