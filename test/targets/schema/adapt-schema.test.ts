import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { adaptSchema } from '../../../src/targets/schema/adapt-schema.ts'
import { gemini } from '../../../src/targets/schema/profiles/gemini.ts'
import { openai } from '../../../src/targets/schema/profiles/openai.ts'
import { schemaProfiles } from '../../../src/targets/schema/profiles.ts'

/** As it comes over the wire: `__proto__` is an own key. */
const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject

const walking = schemaProfiles.filter((profile) => profile.rules.some((rule) => rule.node !== undefined))

const many = (count: number, schema: (at: number) => Json): { readonly [name: string]: Json } =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema(at)]))

const listOf = (count: number, schema: (at: number) => Json): Json[] =>
  Array.from({ length: count }, (_, at) => schema(at))

const nine = many(9_000, () => ({ type: 'string' }))
const branches = listOf(300, (at) => ({ properties: many(40, () => ({ maxLength: at })), required: ['p1', 'p2'] }))
const having = (a: Json): JsonObject => ({ type: 'object', properties: { a } })

/** As large as a definition may be, each built against one kind of work. */
const heavy: { readonly [what: string]: JsonObject } = {
  'thousands of required properties': { type: 'object', properties: nine, required: Object.keys(nine) },
  'hundreds of branches at the root': { type: 'object', anyOf: branches },
  'hundreds of branches below it': having({ type: 'object', properties: {}, anyOf: branches }),
  'thousands of parts of one whole': having({ allOf: listOf(3_000, (at) => ({ properties: { [`q${at}`]: {} } })) }),
  'thousands of unknown keywords': having(many(20_000, () => 1)),
  'thousands of type lists': {
    type: 'object',
    properties: many(4_000, () => ({ type: ['string', 'array', 'object', 'null'] })),
  },
  'definitions that all refer to many others': {
    ...having({ $ref: '#/$defs/p0' }),
    $defs: many(300, (at) => ({ anyOf: listOf(20, (k) => ({ $ref: `#/$defs/p${(at * 3 + k) % 300}` })) })),
  },
}

describe('adapting a schema [G10]', () => {
  it('has profiles of both kinds to try', () => {
    expect(walking.length).toBeGreaterThan(3)
    expect(walking.length).toBeLessThan(schemaProfiles.length)
  })

  it('gives the very object back when nothing has to change', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    for (const profile of schemaProfiles.filter(({ name }) => name !== 'openai-strict')) {
      expect(adaptSchema(schema, profile)).toMatchObject({ changes: 0, notes: [] })
      expect(adaptSchema(schema, profile)).toHaveProperty('schema', schema)
      const adapted = adaptSchema(schema, profile)
      expect('refused' in adapted ? undefined : adapted.schema).toBe(schema)
    }
  })

  it('looks at one schema object once, and answers with the same object', () => {
    const schema = parsed('{"type":"object","properties":{"a":{"const":"x"}}}')
    expect(adaptSchema(schema, gemini)).toBe(adaptSchema(schema, gemini))
  })

  it.each(walking)('$name: refuses thousands of levels, in time', (profile) => {
    const deep = parsed(
      `{"type":"object","properties":{"a":${'{"type":"array","items":'.repeat(5000)}{}${'}'.repeat(5000)}}}`,
    )
    const adapted = adaptSchema(deep, profile)
    // Gemini's own cap of depth ends the walk before the general one does.
    if (profile.name === 'gemini') expect(adapted).toHaveProperty('schema')
    else expect(adapted).toMatchObject({ refused: { why: 'too-deep' } })
  })

  it.each(walking)('$name: refuses tens of thousands of properties, in time', (profile) => {
    const properties = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, { type: 'string' }]))
    expect(adaptSchema({ type: 'object', properties }, profile)).toMatchObject({ refused: { why: 'too-big' } })
  })

  it.each(Object.entries(heavy))('is done with %s in a second or two, whatever the profile', (_what, schema) => {
    for (const profile of schemaProfiles) {
      const began = performance.now()
      adaptSchema(schema, profile)
      expect(performance.now() - began, profile.name).toBeLessThan(2_500)
    }
  })

  it('refuses references that double at every step, in time', () => {
    const $defs: { [name: string]: JsonObject } = { d0: { type: 'string' } }
    for (let at = 1; at <= 30; at += 1) {
      const half = { $ref: `#/$defs/d${at - 1}` }
      $defs[`d${at}`] = { type: 'object', properties: { l: half, r: half } }
    }
    const schema = { type: 'object', properties: { p: { $ref: '#/$defs/d30' } }, $defs }
    const ollama = schemaProfiles.find(({ name }) => name === 'ollama') ?? gemini
    expect(adaptSchema(schema, ollama)).toMatchObject({ refused: { why: 'too-big' } })
    expect(adaptSchema(schema, gemini)).toHaveProperty('schema')
  })

  it('follows a long chain of references, and gives up on an endless one', () => {
    const chain = (length: number): JsonObject =>
      Object.fromEntries(Array.from({ length }, (_, at) => [`c${at}`, { $ref: `#/$defs/c${at + 1}` }]))
    const schema = (length: number): JsonObject => ({
      type: 'object',
      properties: { p: { $ref: '#/$defs/c0' } },
      $defs: { ...chain(length), [`c${length}`]: { type: 'number' } },
    })
    expect(adaptSchema(schema(50), gemini)).toMatchObject({ schema: { properties: { p: { type: 'number' } } } })
    expect(adaptSchema(schema(5000), gemini)).toMatchObject({ refused: { why: 'too-deep' } })
    const circle = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }
    expect(adaptSchema({ type: 'object', properties: { p: circle.a }, $defs: circle }, gemini)).toHaveProperty('schema')
  })

  it('keeps names like __proto__ and constructor as plain own keys', () => {
    const schema = parsed(
      '{"type":"object","properties":{"__proto__":{"const":"x"},"constructor":{"const":"y"},"toString":{"type":"array"}}}',
    )
    for (const profile of walking) {
      const adapted = adaptSchema(schema, profile)
      if ('refused' in adapted) throw new Error(`${profile.name} refused it`)
      const properties = adapted.schema.properties as JsonObject
      const kept = ['__proto__', 'constructor', 'toString']
      expect(Object.keys(properties).toSorted()).toEqual(kept.toSorted())
      expect(Object.getPrototypeOf(properties)).toBe(Object.prototype)
    }
    expect(({} as { readonly const?: unknown }).const).toBeUndefined()
  })

  it('does not find a reference in what every object inherits', () => {
    const at = ($ref: string) => adaptSchema({ type: 'object', properties: { p: { $ref } } }, gemini)
    for (const name of ['constructor', '__proto__', 'toString', 'properties/p/hasOwnProperty']) {
      expect(at(`#/${name}`)).toMatchObject({ refused: { why: 'dangling-reference' } })
    }
  })

  it('reads pointers with escapes', () => {
    const $defs = { 'a/b': { type: 'number' }, 'c~d': { type: 'boolean' }, 'e f': { type: 'integer' } }
    const at = ($ref: string) => adaptSchema({ type: 'object', properties: { p: { $ref } }, $defs }, gemini)
    expect(at('#/$defs/a~1b')).toMatchObject({ schema: { properties: { p: { type: 'number' } } } })
    expect(at('#/$defs/c~0d')).toMatchObject({ schema: { properties: { p: { type: 'boolean' } } } })
    expect(at('#/$defs/e%20f')).toMatchObject({ schema: { properties: { p: { type: 'integer' } } } })
    expect(at('#/$defs/%E0%A4%A')).toMatchObject({ refused: { why: 'dangling-reference' } })
  })

  it('notes the place of a change as a JSON pointer, and keeps the list of notes short', () => {
    const one = adaptSchema(
      { type: 'object', properties: { 'a/b': { type: 'array', items: { type: 'array' } } } },
      openai,
    )
    expect(one).toMatchObject({ notes: [{ path: '/properties/a~1b/items', keyword: 'items', what: 'added' }] })
    const properties = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`p${at}`, { type: 'array' }]))
    const many = adaptSchema({ type: 'object', properties }, openai)
    expect('refused' in many ? undefined : [many.changes, many.notes.length]).toEqual([900, 200])
  })
})
