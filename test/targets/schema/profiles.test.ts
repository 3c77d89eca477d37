import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { schemaProfiles } from '../../../src/targets/schema/profiles.ts'
import { adapt, having, idAndName, isOneOf, ofProperty } from './adapting.ts'

describe('the root of a schema, for every profile [G10]', () => {
  const names = schemaProfiles.map((profile) => profile.name).filter((name) => name !== 'openai-strict')

  it.each(names)('%s: an object without properties gets an empty map (C-066)', (name) => {
    expect(adapt({ type: 'object' }, name)).toMatchObject({ schema: { type: 'object', properties: {} }, changes: 1 })
  })

  it.each(names)('%s: a root type that is missing, null or a list with object becomes object', (name) => {
    for (const type of [undefined, null, ['object', 'null']]) {
      expect(adapt(having({ type: 'string' }, { type } as JsonObject), name)).toMatchObject({
        schema: { type: 'object' },
      })
    }
  })

  it.each(schemaProfiles)('$name: what is no object schema is refused at its root (C-067)', ({ name }) => {
    for (const schema of [null, undefined, [], 'text', true, 7]) {
      expect(adapt(schema, name)).toEqual({ refused: { path: '', keyword: 'type', why: 'not-an-object' } })
    }
    expect(adapt({ type: 'array', items: {} }, name)).toEqual({
      refused: { path: '', keyword: 'type', why: 'not-an-object' },
    })
  })

  it.each(schemaProfiles)(
    '$name: a union at the root is told and merged, and no property is lost (C-063)',
    ({ name }) => {
      const adapted = adapt({ type: 'object', properties: idAndName, ...isOneOf }, name)
      if ('refused' in adapted) throw new Error('refused')
      expect(adapted.schema).not.toHaveProperty('anyOf')
      expect(Object.keys(adapted.schema.properties as JsonObject)).toEqual(['id', 'name'])
      expect(adapted.schema.description).toBe('Give at least one of: id; name.')
      expect(adapted.notes).toContainEqual({ path: '', keyword: 'anyOf', what: 'described' })
    },
  )

  it('merges properties of branches, requires what all branches require, and follows references', () => {
    const adapted = adapt(
      {
        type: 'object',
        oneOf: [
          { $ref: '#/$defs/circle' },
          { properties: { kind: { const: 'square' }, side: { type: 'number' } }, required: ['kind', 'side'] },
        ],
        allOf: [{ properties: { unit: { type: 'string' } }, required: ['unit'] }],
        $defs: {
          circle: {
            properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
            required: ['kind', 'radius'],
          },
        },
      },
      'common',
    )
    expect(adapted).toMatchObject({
      schema: {
        properties: {
          unit: { type: 'string' },
          kind: { anyOf: [{ const: 'circle' }, { const: 'square' }] },
          radius: { type: 'number' },
          side: { type: 'number' },
        },
        required: ['unit', 'kind'],
        description: 'Give exactly one of: kind and radius; kind and side.',
      },
    })
  })

  it('follows a reference at the root, and refuses one that leads nowhere, out or in a circle', () => {
    const $defs = { in: having({ type: 'string' }), a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }
    const at = ($ref: string) => adapt({ $ref, $defs }, 'common')
    expect(at('#/$defs/in')).toMatchObject({ schema: { type: 'object', properties: { p: { type: 'string' } } } })
    expect(at('#/$defs/none')).toMatchObject({ refused: { keyword: '$ref', why: 'dangling-reference' } })
    expect(at('https://example.com/a.json')).toMatchObject({ refused: { why: 'remote-reference' } })
    expect(at('#/$defs/a')).toMatchObject({ refused: { why: 'endless-reference' } })
    expect(at('#')).toMatchObject({ refused: { why: 'endless-reference' } })
  })

  it('mends a list in the place of properties, and required that is no list of names', () => {
    expect(adapt({ type: 'object', properties: [], required: true }, 'common')).toMatchObject({
      schema: { type: 'object', properties: {} },
      notes: [
        { keyword: 'properties', what: 'rewritten' },
        { keyword: 'required', what: 'dropped' },
      ],
    })
  })
})

describe('common looks at the root only [G10]', () => {
  it('keeps what only some providers refuse', () => {
    const schema = having({
      type: ['string', 'null'],
      const: 'x',
      format: 'uri',
      default: 1,
      anyOf: [true, { $ref: '#/$defs/none' }],
    })
    expect(adapt(schema, 'common')).toEqual({ schema, notes: [], changes: 0 })
    expect(adapt({ ...schema, properties: { '{{odd}}': true } }, 'common')).toMatchObject({ changes: 0 })
  })
})

describe('openai [G10]', () => {
  it.each([
    ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
    ['an empty enum', { type: 'string', enum: [] }, { type: 'string' }],
    ['a boolean schema', true, {}],
    [
      'one schema a place',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    [
      'what it takes',
      { type: ['string', 'null'], const: 'a', format: 'uri', default: 1 },
      { type: ['string', 'null'], const: 'a', format: 'uri', default: 1 },
    ],
  ])('%s', (_name, before, after) => {
    expect(ofProperty(before as Json, 'openai')).toEqual(after)
  })
})

describe('openai-strict [G10]', () => {
  it('C-065: requires everything, lets the optional be null, and tells a default', () => {
    const schema = {
      type: 'object',
      properties: { q: { type: 'string' }, limit: { type: 'integer', default: 20 }, sort: { enum: ['up', 'down'] } },
      required: ['q'],
    }
    expect(adapt(schema, 'openai-strict')).toMatchObject({
      schema: {
        additionalProperties: false,
        required: ['q', 'limit', 'sort'],
        properties: {
          q: { type: 'string' },
          limit: { type: ['integer', 'null'], description: '(default: 20)' },
          sort: { type: ['string', 'null'], enum: ['up', 'down', null] },
        },
      },
    })
  })

  it.each([
    ['C-064: a format', { type: 'string', format: 'uri' }, { type: 'string', description: '(format: uri)' }],
    ['a format that it knows', { type: 'string', format: 'email' }, { type: 'string', format: 'email' }],
    [
      'a reference with a description',
      { $ref: '#/properties/p', description: 'D.' },
      { anyOf: [{ $ref: '#/properties/p' }], description: 'D.' },
    ],
    ['nothing said at all', {}, { type: ['string', 'number', 'boolean', 'null'] }],
    ['oneOf', { oneOf: [{ type: 'string' }, { type: 'number' }] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  ])('%s', (_name, before, after) => {
    expect(ofProperty(before as Json, 'openai-strict')).toEqual(after)
  })

  it('refuses an object with free names, with its place', () => {
    expect(ofProperty({ type: 'object', additionalProperties: { type: 'string' } }, 'openai-strict')).toEqual({
      path: '/properties/p',
      keyword: 'additionalProperties',
      why: 'open-object',
    })
    expect(ofProperty({ type: 'object' }, 'openai-strict')).toMatchObject({ why: 'open-object' })
  })

  it('takes a tool without arguments', () => {
    expect(adapt({ type: 'object' }, 'openai-strict')).toMatchObject({
      schema: { type: 'object', properties: {}, additionalProperties: false, required: [] },
    })
  })

  it('refuses what is larger than strict mode takes', () => {
    const enumOf = (count: number): Json => ({
      type: 'string',
      enum: Array.from({ length: count }, (_, at) => `v${at}`),
    })
    expect(ofProperty(enumOf(1000), 'openai-strict')).toMatchObject({ type: 'string' })
    expect(ofProperty(enumOf(1001), 'openai-strict')).toEqual({ path: '', keyword: 'enum', why: 'too-big' })
    const nested = (levels: number): Json => (levels === 0 ? { type: 'string' } : having(nested(levels - 1)))
    expect(ofProperty(nested(9), 'openai-strict')).toMatchObject({ type: 'object' })
    expect(ofProperty(nested(10), 'openai-strict')).toMatchObject({ why: 'too-deep' })
  })
})

describe('anthropic [G10]', () => {
  it('tells arguments whose names it refuses instead of renaming them', () => {
    const schema = {
      type: 'object',
      properties: { 'StartTime<': { type: 'string' }, $top: { type: 'integer' }, ok: { type: 'string' } },
      required: ['ok', '$top'],
    }
    expect(adapt(schema, 'anthropic')).toMatchObject({
      schema: {
        properties: { ok: { type: 'string' } },
        required: ['ok'],
        description: 'Also takes: "StartTime<" (string), "$top" (integer, required).',
      },
      changes: 2,
    })
  })

  it.each([
    [
      'one schema a place, older form',
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      'a bound of draft 4',
      { type: 'number', minimum: 0, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    [
      'a bound of draft 4 that says nothing',
      { type: 'number', maximum: 1, exclusiveMaximum: false },
      { type: 'number', maximum: 1 },
    ],
    [
      'what it takes',
      { anyOf: [{ type: ['string', 'null'] }, {}], format: 'x', const: 1 },
      { anyOf: [{ type: ['string', 'null'] }, {}], format: 'x', const: 1 },
    ],
  ])('%s', (_name, before, after) => {
    expect(ofProperty(before as Json, 'anthropic')).toEqual(after)
  })
})

describe('ollama [G10]', () => {
  it('keeps one type, writes references out, and tells what would not reach the model', () => {
    const schema = {
      ...having({ $ref: '#/$defs/when', minLength: 2 }),
      $defs: { when: { type: ['string', 'null'], format: 'date', const: 'now' } },
    }
    expect(adapt(schema, 'ollama')).toMatchObject({
      schema: { properties: { p: { type: 'string', enum: ['now'], description: '(format: date; minLength: 2)' } } },
    })
  })
})
