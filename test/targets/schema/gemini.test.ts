import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { adapt, having, idAndName, isOneOf, notesOf, ofProperty } from './adapting.ts'

describe('gemini [G10]', () => {
  it.each([
    [
      'C-056: a type list with null',
      { type: ['array', 'null'], items: { type: 'string' } },
      { type: 'array', nullable: true, items: { type: 'string' } },
    ],
    ['C-058: a boolean schema', true, { type: 'string' }],
    [
      'C-058: a type list in items',
      { type: 'array', items: { type: ['object', 'null'] } },
      { type: 'array', items: { type: 'object', nullable: true } },
    ],
    [
      'C-059: an enum with null',
      { type: ['string', 'null'], enum: ['day', 'week', null] },
      { type: 'string', nullable: true, enum: ['day', 'week'] },
    ],
    ['C-059: an empty string in an enum', { type: 'string', enum: ['', 'a'] }, { type: 'string', enum: ['a'] }],
    ['C-060: const', { const: 'note' }, { type: 'string', enum: ['note'] }],
    ['C-060: a number as const keeps its type', { const: 3 }, { type: 'number', description: 'One of: [3].' }],
    [
      'an enum of numbers keeps its type',
      { type: 'integer', enum: [1, 2] },
      { type: 'integer', description: 'One of: [1,2].' },
    ],
    [
      'C-064: a format',
      { type: 'string', format: 'uri', description: 'Where.' },
      { type: 'string', description: 'Where. (format: uri)' },
    ],
    ['a format that it knows', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    ['a list without items', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    [
      'a list with one schema a place',
      { type: 'array', items: [{ type: 'string' }, { type: 'string' }] },
      { type: 'array', items: { type: 'string' } },
    ],
    [
      'this or null',
      { anyOf: [{ type: 'number', minimum: 1 }, { type: 'null' }], description: 'N.' },
      { type: 'number', minimum: 1, description: 'N.', nullable: true },
    ],
    [
      'several types',
      { type: ['string', 'array', 'null'], items: { type: 'number' }, maxLength: 4 },
      {
        anyOf: [
          { type: 'string', maxLength: 4, nullable: true },
          { type: 'array', items: { type: 'number' } },
        ],
      },
    ],
    [
      'a union with a description',
      { description: 'D.', anyOf: [{ type: 'string' }, { type: 'number' }] },
      {
        anyOf: [
          { type: 'string', description: 'D.' },
          { type: 'number', description: 'D.' },
        ],
      },
    ],
    [
      'a union beside a type',
      { type: 'number', oneOf: [{ minimum: 1 }, { maximum: 0 }] },
      {
        anyOf: [
          { type: 'number', minimum: 1 },
          { type: 'number', maximum: 0 },
        ],
      },
    ],
    ['allOf', { allOf: [{ type: 'string' }, { maxLength: 3 }] }, { type: 'string', maxLength: 3 }],
    ['required on no object', { type: 'string', required: ['a'], properties: {} }, { type: 'string' }],
    [
      'an exclusive bound',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', description: '(exclusiveMinimum: 0)' },
    ],
    [
      'an object with free names',
      { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
      { type: 'object', properties: {}, description: 'Takes any names with values of type string.' },
    ],
    [
      'required that is not there',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
  ])('%s', (_name, before, after) => {
    expect(ofProperty(before as Json, 'gemini')).toEqual(after)
  })

  it('C-055: drops $schema and additionalProperties and says so', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...having({ type: 'string' }),
      additionalProperties: false,
    }
    expect(adapt(schema, 'gemini')).toMatchObject({ schema: having({ type: 'string' }), changes: 2 })
    expect(notesOf(schema, 'gemini')).toEqual([' $schema dropped', ' additionalProperties dropped'])
  })

  it('keeps the properties of an object with "one of these is required" beside them', () => {
    expect(ofProperty({ type: 'object', properties: idAndName, ...isOneOf }, 'gemini')).toEqual({
      type: 'object',
      properties: idAndName,
      description: 'Give at least one of: id; name.',
    })
  })

  it('C-062: tells what is nested too deep instead of showing it, and only there', () => {
    const nested = (levels: number): JsonObject =>
      levels === 0 ? { type: 'string' } : having(nested(levels - 1), { description: `level ${levels}` })
    expect(notesOf(nested(5), 'gemini')).toEqual([])
    expect(notesOf(nested(9), 'gemini')).toEqual([
      '/properties/p/properties/p/properties/p/properties/p/properties/p properties cut',
    ])
    expect(JSON.stringify(adapt(nested(9), 'gemini'))).toContain('{"type":"object","description":"level 4 Fields: p."}')
  })

  it('inlines references, shows a shape that holds itself once, and refuses what leads out', () => {
    const tree = having({ type: 'array', items: { $ref: '#/$defs/node' } })
    const schema = { ...having({ $ref: '#/$defs/node', description: 'Root.' }), $defs: { node: tree } }
    expect(adapt(schema, 'gemini')).toMatchObject({
      schema: {
        properties: {
          p: {
            description: 'Root.',
            type: 'object',
            properties: { p: { items: { type: 'object', description: 'Nested further in the same form.' } } },
          },
        },
      },
    })
    const at = ($ref: string) => ofProperty({ type: 'array', items: { $ref } }, 'gemini')
    expect(at('https://example.com/s')).toEqual({
      path: '/properties/p/items',
      keyword: '$ref',
      why: 'remote-reference',
    })
    expect(at('file:///etc/passwd')).toMatchObject({ why: 'remote-reference' })
    expect(at('#/$defs/none')).toMatchObject({ why: 'dangling-reference' })
  })
})
