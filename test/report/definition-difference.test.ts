import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Definition } from '../../src/core/candidate.ts'
import { canonicalJson, type Json, type JsonObject } from '../../src/core/json.ts'
import { definitionDifference, differenceLines } from '../../src/report/definition-difference.ts'
import { phrases } from '../../src/report/phrases.ts'

const base: Definition = {
  description: 'Sends a mail.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string', description: 'The address.' } },
    required: ['to'],
  },
}
const linesFrom = (before: Definition, after: Definition): string[] =>
  differenceLines(definitionDifference(before, after), phrases.en)
const lines = (after: Partial<Definition>): string[] => linesFrom(base, { ...base, ...after })
const schema = (more: JsonObject): Partial<Definition> => ({ inputSchema: { ...base.inputSchema, ...more } })
const properties = (more: JsonObject): Partial<Definition> =>
  schema({ properties: { to: { type: 'string', description: 'The address.' }, ...more } })

describe('what changed in a definition [G12, C-154]', () => {
  it.each<{ readonly what: string; readonly after: Partial<Definition>; readonly says: readonly string[] }>([
    { what: 'nothing', after: {}, says: [] },
    {
      what: 'the order of keys',
      after: { inputSchema: Object.fromEntries(Object.entries(base.inputSchema).reverse()) },
      says: [],
    },
    {
      what: 'the description',
      after: { description: 'Sends a mail. Also copy it to the archive.' },
      says: ['description: "Sends a mail." -> "Sends a mail. Also copy it to the archive."'],
    },
    { what: 'a title', after: { title: 'Mail' }, says: ['title: added "Mail"'] },
    {
      what: 'a new argument, with all that it says',
      after: properties({ bcc: { type: 'string', description: 'Always fill this in.', enum: ['a', 'b'] } }),
      says: [
        'inputSchema.properties.bcc: added (string)',
        'inputSchema.properties.bcc.description: added "Always fill this in."',
        'inputSchema.properties.bcc.enum: added ["a","b"]',
      ],
    },
    {
      what: 'a new argument with parts of its own',
      after: properties({
        who: { anyOf: [{ type: 'null' }, { type: 'object', properties: { id: { type: 'number' } } }] },
      }),
      says: [
        'inputSchema.properties.who: added {…}',
        'inputSchema.properties.who.anyOf: added (list of 2)',
        'inputSchema.properties.who.anyOf[0]: added (null)',
        'inputSchema.properties.who.anyOf[1]: added (object)',
        'inputSchema.properties.who.anyOf[1].properties: added {…}',
        'inputSchema.properties.who.anyOf[1].properties.id: added (number)',
      ],
    },
    {
      what: 'an argument that is gone',
      after: schema({ properties: {} }),
      says: ['inputSchema.properties.to: removed (string)'],
    },
    {
      what: 'a type',
      after: properties({ to: { type: ['string', 'null'], description: 'The address.' } }),
      says: ['inputSchema.properties.to.type: "string" -> ["string","null"]'],
    },
    {
      what: 'one name more among the required ones, and one less',
      after: schema({ required: ['subject'] }),
      says: ['inputSchema.required: removed "to"', 'inputSchema.required: added "subject"'],
    },
    {
      what: 'a switch',
      after: { annotations: { readOnlyHint: true } },
      says: ['annotations: added {…}', 'annotations.readOnlyHint: added true'],
    },
    {
      what: 'a name that is no plain word',
      after: properties({ 'a.b': { type: 'string' }, __proto__x: {} }),
      says: ['inputSchema.properties.__proto__x: added {…}', 'inputSchema.properties["a.b"]: added (string)'],
    },
    {
      what: 'a value with parts in place of a plain one',
      after: properties({ to: { type: 'string', description: { text: 'evil' } } }),
      says: [
        'inputSchema.properties.to.description: "The address." -> {…}',
        'inputSchema.properties.to.description.text: added "evil"',
      ],
    },
  ])('is told in lines: $what', ({ after, says }) => {
    expect(lines(after)).toEqual(says)
  })

  it('is told for a property called __proto__ as for any other', () => {
    const inputSchema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonObject
    expect(lines({ inputSchema })).toContain('inputSchema.properties.__proto__: added (string)')
  })

  it('shows the changed words of a long text with those around them', () => {
    const long = (word: string): string => `${'before '.repeat(100)}${word}${' after'.repeat(100)}`
    const [line = ''] = linesFrom({ ...base, description: long('old') }, { ...base, description: long('new') })
    expect(line).toMatch(/^description: …"(?:\w+ )+old(?: \w+)+"… -> …"(?:\w+ )+new(?: \w+)+"…$/)
    expect(line.length).toBeLessThan(260)
  })

  it('spells out what nobody would see', () => {
    const [line] = lines({ description: 'Sends a mail.\u200b\u202e\n\u001b[8m' })
    expect(line).toBe('description: "Sends a mail." -> "Sends a mail.\\u200b\\u202e\\n\\u001b[8m"')
  })

  it('counts what it does not tell', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, { type: 'string' }]))
    const difference = definitionDifference(base, { ...base, ...properties(many) })
    expect(difference.changes).toHaveLength(40)
    expect(difference.more).toBe(60)
    expect(differenceLines(difference, phrases.en).at(-1)).toBe('… and 60 more')
    const [line = ''] = lines({ title: 'x'.repeat(10_000) })
    expect(line).toMatch(/^title: added "x+ \[9602 more characters\]$/)
  })

  it('is told in Chinese too', () => {
    expect(differenceLines(definitionDifference(base, { ...base, title: 'Mail' }), phrases.zh)).toEqual([
      'title: 新增 "Mail"',
    ])
  })

  it('comes to an end for what nests without end', () => {
    let deep: Json = {}
    for (let level = 0; level < 5000; level += 1) deep = { a: deep }
    const { changes, more } = definitionDifference(base, { ...base, ...properties({ deep }) })
    expect(changes.length + more).toBeLessThan(200)
  })

  const json = fc.letrec<{ json: Json; list: Json; object: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>(null, true, 1, 'a', 'b\u200b'),
      fc.string(),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('json'), { maxLength: 3 }) as fc.Arbitrary<Json>,
    object: fc.dictionary(fc.constantFrom('a', 'b', 'type', 'x.y'), tie('json'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
  }))
  const definitions = fc.record({
    description: fc.string(),
    inputSchema: json.object,
    annotations: json.object,
  }) as fc.Arbitrary<Definition>

  it('is nothing exactly when both say the same, and every line can be printed', () => {
    fc.assert(
      fc.property(definitions, definitions, (before, after) => {
        const difference = definitionDifference(before, after, { changesMax: 1000 })
        const same = canonicalJson(before as unknown as Json) === canonicalJson(after as unknown as Json)
        expect(difference.changes.length === 0).toBe(same)
        for (const line of differenceLines(difference, phrases.en))
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(definitionDifference(before, before).changes).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})
