import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/core/json.ts'
import { adaptSchema } from '../../../src/targets/schema/adapt-schema.ts'
import { schemaProfiles } from '../../../src/targets/schema/profiles.ts'
import { geminiLint, strictLint } from './lints.ts'
import { someSchema, someToolSchema } from './some-schema.ts'

const lints: { readonly [profile: string]: typeof geminiLint } = { gemini: geminiLint, 'openai-strict': strictLint }

describe.each(schemaProfiles)('the schema profile $name, for any schema [G10]', (profile) => {
  it('adapts or refuses any JSON at all, and never throws', () => {
    fc.assert(
      fc.property(someSchema, (schema) => {
        const adapted = adaptSchema(schema, profile)
        return 'refused' in adapted ? adapted.refused.why.length > 0 : adapted.changes >= adapted.notes.length
      }),
      { numRuns: 150 },
    )
  })

  it('changes nothing a second time, notes what it changes, and gives the same object back when it changes nothing', () => {
    fc.assert(
      fc.property(someToolSchema, (schema) => {
        const once = adaptSchema(schema, profile)
        fc.pre(!('refused' in once))
        expect(once.schema === schema).toBe(once.changes === 0)
        const twice = adaptSchema(once.schema, profile)
        expect('refused' in twice ? twice.refused : twice.notes).toEqual([])
        expect('refused' in twice ? undefined : twice.schema).toBe(once.schema)
        expect(lints[profile.name]?.(once.schema) ?? []).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('leaves its input and every prototype as they were, and answers alike for an equal schema', () => {
    fc.assert(
      fc.property(someToolSchema, (schema) => {
        const before = canonicalJson(schema)
        const first = adaptSchema(schema, profile)
        expect(canonicalJson(schema)).toBe(before)
        expect(adaptSchema(structuredClone(schema), profile)).toEqual(first)
        expect(Object.keys(Object.prototype)).toEqual([])
        expect(({} as { readonly a?: unknown }).a).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  })
})
