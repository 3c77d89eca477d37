import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { judgedSchema } from '../../src/sources/schema/schema-faults.ts'
import { someSchema } from '../targets/schema/some-schema.ts'

const faultOf = (schema: JsonObject, headersSent = false) =>
  judgedSchema(schema, { name: 'inputSchema', headersSent }).fault
const withQ = (q: Json, more: JsonObject = {}): JsonObject => ({ type: 'object', properties: { q }, ...more })

/** Each names the next one twice. */
const doubling = (levels: number): JsonObject => {
  const defs: { [name: string]: Json } = { a0: { type: 'string' } }
  for (let level = 1; level <= levels; level += 1) {
    const $ref = `#/$defs/a${level - 1}`
    defs[`a${level}`] = { anyOf: [{ $ref }, { $ref }] }
  }
  return withQ({ $ref: `#/$defs/a${levels}` }, { $defs: defs })
}

const nested = (levels: number): Json => {
  let schema: Json = {}
  for (let level = 0; level < levels; level += 1) schema = { items: schema }
  return schema
}

describe('a schema that cannot be carried out is told by a word and a place [G12, S4]', () => {
  const faulty: readonly (readonly [string, JsonObject, string, RegExp])[] = [
    ['a type that is none', withQ({ type: 'strng' }), 'schema-invalid', /^inputSchema\.properties\.q: type "strng"/],
    ['a type that is none among others', withQ({ type: ['string', 'nil'] }), 'schema-invalid', /type "nil"/],
    ['a type that is no word', withQ({ type: {} }), 'schema-invalid', /type an object/],
    ['no type in a list', withQ({ type: [] }), 'schema-invalid', /type a list/],
    ['a word in the place of a schema', withQ('string'), 'schema-invalid', /properties q is a string, not a schema/],
    ['a list of properties', { properties: [{ q: {} }] }, 'schema-invalid', /properties is a list, not an object/],
    ['a branch that is no schema', { anyOf: [{}, null] }, 'schema-invalid', /anyOf 1 is null, not a schema/],
    ['branches that are no list', { anyOf: {} }, 'schema-invalid', /anyOf is an object, not a list/],
    ['a reference that is no text', withQ({ $ref: 7 }), 'schema-invalid', /\$ref is a number, not text/],
    ['a reference to nothing', withQ({ $ref: '#/$defs/none' }), 'schema-invalid', /"#\/\$defs\/none", where no schema/],
    ['a reference to a word', withQ({ $ref: '#/type' }), 'schema-invalid', /where no schema is/],
    ['a reference to the prototype', withQ({ $ref: '#/__proto__' }), 'schema-invalid', /where no schema is/],
    ['an anchor that is nowhere', withQ({ $ref: '#there' }), 'schema-invalid', /where no schema is/],
    ['a reference to the network', withQ({ $ref: 'https://example.com/s' }), 'schema-remote-ref', /fetched or read/],
    ['a reference to a file', withQ({ $ref: 'file:///etc/passwd' }), 'schema-remote-ref', /"file:\/\/\/etc\/passwd"/],
    ['a reference beside it', withQ({ $ref: 'other.json#/a' }), 'schema-remote-ref', /"other\.json#\/a"/],
    ['a recursive reference outside', withQ({ $dynamicRef: 'x:y#z' }), 'schema-remote-ref', /"x:y#z"/],
    ['a schema that is itself', { $ref: '#' }, 'schema-cycle', /^inputSchema leads back to itself/],
    [
      'two that are each other',
      withQ({ $ref: '#/$defs/a' }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
      'schema-cycle',
      /\$defs\.[ab] leads back/,
    ],
    [
      'a circle through a branch',
      withQ({ $ref: '#/$defs/a' }, { $defs: { a: { anyOf: [{ type: 'null' }, { not: { $ref: '#/$defs/a' } }] } } }),
      'schema-cycle',
      /leads back/,
    ],
    ['a circle of a recursive reference', withQ({}, { $recursiveRef: '#' }), 'schema-cycle', /leads back/],
    [
      'an unread dialect',
      withQ({}, { $schema: 'https://example.com/mine' }),
      'schema-dialect',
      /"https:\/\/example\.com/,
    ],
    ['a dialect that is no address', withQ({}, { $schema: 7 }), 'schema-dialect', /written in 7/],
    [
      'a bound of draft 4',
      withQ({ minimum: 0, exclusiveMinimum: true }, { $schema: 'http://json-schema.org/draft-04/schema#' }),
      'schema-dialect',
      /properties\.q: exclusiveMinimum is true/,
    ],
    ['thirty doublings', doubling(30), 'schema-cost', /unroll to 4\.3e\+9 schemas/],
    ['more doublings than can be counted', doubling(2000), 'schema-cost', /unroll to countless schemas/],
    ['five thousand levels', withQ(nested(5000)), 'schema-too-deep', /is too deep/],
    ['too many values', withQ({ enum: Array.from({ length: 30_000 }, () => 1) }), 'schema-too-big', /is too big/],
    ['too long a text', withQ({ description: 'd'.repeat(600_000) }), 'schema-too-big', /is too big/],
  ]
  it.each(faulty)('%s', (_title, schema, word, detail) => {
    expect(faultOf(schema)).toMatchObject({ word, detail: expect.stringMatching(detail) })
  })

  it('with a place that is printable and short, whatever it is called', () => {
    const name = `\u001b[2J${'n'.repeat(10_000)}`
    const { detail = '' } = faultOf({ properties: { [name]: { type: 'x' } } }) ?? {}
    expect(detail).toMatch(/^inputSchema\.properties\.\\u001b\[2Jn+…: type "x"/)
    expect(detail.length).toBeLessThan(300)
  })
})

describe('a schema is sound [G12, C-008]', () => {
  const node = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/node' } } } }
  const sound: readonly (readonly [string, JsonObject])[] = [
    ['that says nothing', {}],
    ['that holds itself through items', withQ({ $ref: '#/$defs/node' }, { $defs: { node } })],
    ['that holds itself through properties', { type: 'object', properties: { inner: { $ref: '#' } } }],
    ['that refers by anchor', withQ({ $ref: '#here' }, { $defs: { a: { $anchor: 'here', type: 'string' } } })],
    ['that refers by an anchor of draft 6', withQ({ $ref: '#here' }, { definitions: { a: { $id: '#here' } } })],
    ['that refers to an address of its own', withQ({ $ref: 'node' }, { $defs: { a: { $id: 'node' } } })],
    [
      'that refers to its own address in full',
      withQ({ $ref: 'https://example.com/a.json#/$defs/s' }, { $id: 'https://example.com/a.json', $defs: { s: {} } }),
    ],
    ['that refers to where no keyword holds schemas', withQ({ $ref: '#/components/S' }, { components: { S: {} } })],
    ['that refers to true', withQ({ $ref: '#/$defs/any' }, { $defs: { any: true } })],
    ['that refers with escapes', withQ({ $ref: '#/$defs/a~1b%20c' }, { $defs: { 'a/b c': {} } })],
    ['that was pasted with its address', withQ({ $id: 'pasted', $ref: '#/$defs/s' }, { $defs: { s: {} } })],
    ['with a property called __proto__', JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{}}}')],
    ['with a property called $ref', { properties: { $ref: { type: 'string' }, type: { type: 'string' } } }],
    ['with an empty list of properties', { type: 'object', properties: [] }],
    ['with null for what is absent', withQ({ type: 'string', properties: null, items: null, $ref: null, type2: null })],
    ['with the dependencies of older drafts', { dependencies: { a: ['b'], c: { required: ['d'] } } }],
    ['with a list of items', withQ({ items: [{ type: 'string' }, true], additionalItems: false })],
    ['with a reference in a value', withQ({ default: { $ref: 'https://example.com/' }, enum: [{ type: 'strng' }] })],
    ['of draft 4 that means what later ones mean', withQ({}, { $schema: 'http://json-schema.org/draft-04/schema#' })],
    ['of draft 6', withQ({}, { $schema: 'http://json-schema.org/draft-06/schema#' })],
    ['of draft 7', withQ({}, { $schema: 'https://json-schema.org/draft-07/schema' })],
    ['of 2019-09', withQ({}, { $schema: 'https://json-schema.org/draft/2019-09/schema' })],
    ['of 2020-12', withQ({}, { $schema: 'https://json-schema.org/draft/2020-12/schema#' })],
    ['of twelve doublings', doubling(12)],
    ['of a hundred levels', withQ(nested(100))],
  ]
  it.each(sound)('%s', (_title, schema) => {
    expect(faultOf(schema)).toBeUndefined()
  })
})

describe('a header that an argument is repeated in [S4]', () => {
  const withHeader = (name: Json, more: JsonObject = {}) => withQ({ type: 'string', 'x-mcp-header': name, ...more })
  const twice = {
    properties: { a: { type: 'string', 'x-mcp-header': 'R' }, b: { type: 'string', 'x-mcp-header': 'r' } },
  }

  it.each<[string, JsonObject]>([
    ['a line break', withHeader('Region\r\nAuthorization')],
    ['a colon', withHeader('Region:')],
    ['nothing', withHeader('')],
    ['no text', withHeader(7)],
  ])('has a name that holds %s, and costs the tool wherever it is listed', (_title, schema) => {
    for (const sent of [true, false]) expect(faultOf(schema, sent)?.word).toBe('x-mcp-header')
  })

  it.each<[string, JsonObject]>([
    ['a number', withHeader('Region', { type: 'number' })],
    ['an argument of no type', withQ({ 'x-mcp-header': 'Region' })],
    ['two arguments', twice],
    ['what stands in a list', withQ({ type: 'array', items: { type: 'string', 'x-mcp-header': 'Region' } })],
  ])('belongs to %s, and costs the tool where headers are sent', (_title, schema) => {
    expect(faultOf(schema, true)?.word).toBe('x-mcp-header')
    expect(faultOf(schema, false)).toBeUndefined()
  })

  it('is sound for a text inside of an object', () => {
    const inner = { type: 'object', properties: { r: { type: 'string', 'x-mcp-header': 'Region' } } }
    expect(faultOf(withQ(inner), true)).toBeUndefined()
  })
})

/** The value with every reading of it counted. The same part is the same object each time. */
function counted(value: JsonObject): { readonly value: JsonObject; readonly reads: () => number } {
  const known = new WeakMap<object, object>()
  let reads = 0
  const wrap = <T>(item: T): T => {
    if (item === null || typeof item !== 'object') return item
    const seen = known.get(item)
    if (seen !== undefined) return seen as T
    const proxy = new Proxy(item, {
      get: (target, key, receiver) => {
        reads += 1
        return wrap(Reflect.get(target, key, receiver))
      },
      ownKeys: (target) => {
        reads += 1
        return Reflect.ownKeys(target)
      },
    })
    known.set(item, proxy)
    return proxy
  }
  return { value: wrap(value), reads: () => reads }
}

const sizeOf = (value: Json | undefined): number =>
  value === null || typeof value !== 'object'
    ? 1
    : Object.values(value).reduce((sum: number, item) => sum + sizeOf(item as Json), 1)

describe('judging a schema [Q3]', () => {
  it('ends, throws nothing and changes nothing, whatever the schema', () => {
    fc.assert(
      fc.property(fc.oneof(someSchema, fc.jsonValue() as fc.Arbitrary<Json>), (schema) => {
        if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return
        const before = JSON.stringify(schema)
        const { fault, steps } = judgedSchema(schema as JsonObject, { name: 'inputSchema', headersSent: true })
        expect(JSON.stringify(schema)).toBe(before)
        expect(steps).toBeGreaterThan(0)
        if (fault !== undefined) expect(fault.detail).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,400}$/u)
        expect(({} as { readonly type?: unknown }).type).toBeUndefined()
      }),
      { numRuns: 3000 },
    )
  })

  it('reads each place a bounded number of times, whatever refers to it', () => {
    fc.assert(
      fc.property(someSchema, (schema) => {
        if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return
        const { value, reads } = counted(schema as JsonObject)
        judgedSchema(value, { name: 'inputSchema' })
        expect(reads()).toBeLessThan(40 * sizeOf(schema) + 100)
      }),
      { numRuns: 1000 },
    )
  })

  it.each<[string, (n: number) => JsonObject]>([
    ['doublings', doubling],
    ['properties', (n) => ({ properties: Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, {}])) })],
    [
      'references to one place',
      (n) => withQ({ anyOf: Array.from({ length: n }, () => ({ $ref: '#/$defs/a' })) }, { $defs: { a: {} } }),
    ],
    [
      'references in a row',
      (n) =>
        withQ(
          { $ref: '#/$defs/a0' },
          {
            $defs: Object.fromEntries(
              Array.from({ length: n }, (_, i) => [`a${i}`, i + 1 < n ? { $ref: `#/$defs/a${i + 1}` } : {}]),
            ),
          },
        ),
    ],
    ['long references', (n) => withQ({ $ref: `#${'/a'.repeat(n)}` })],
  ])('costs no more than in proportion to the text, for %s', (_title, make) => {
    const readsFor = (n: number) => {
      const { value, reads } = counted(make(n))
      judgedSchema(value, { name: 'inputSchema' })
      return reads()
    }
    const longer = JSON.stringify(make(1600)).length / JSON.stringify(make(800)).length
    expect(readsFor(1600) / readsFor(800)).toBeLessThan(1.1 * longer)
  })
})
