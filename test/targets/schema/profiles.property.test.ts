import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/core/json.ts'
import { adaptSchema } from '../../../src/targets/schema/adapt-schema.ts'
import { profileNamed, schemaProfiles } from '../../../src/targets/schema/profiles.ts'
import type { SchemaProfile } from '../../../src/targets/schema/schema-rule.ts'
import { geminiLint, strictLint } from './lints.ts'
import { someSchema, someToolSchema } from './some-schema.ts'

const named = (name: string): SchemaProfile => {
  const profile = profileNamed(name)
  if (profile === undefined) throw new Error(`no profile ${name}`)
  return profile
}

const runs = { numRuns: 400 }

describe.each(schemaProfiles)('the schema profile $name, for any JSON [G10]', (profile) => {
  it('adapts or refuses, and never throws', () => {
    fc.assert(
      fc.property(someSchema, (schema) => {
        const adapted = adaptSchema(schema, profile)
        return 'refused' in adapted ? adapted.refused.why.length > 0 : adapted.changes >= adapted.notes.length
      }),
      runs,
    )
  })

  it('changes nothing a second time: adapt(adapt(x)) is adapt(x), the very same object', () => {
    fc.assert(
      fc.property(someToolSchema, (schema) => {
        const once = adaptSchema(schema, profile)
        fc.pre(!('refused' in once))
        const twice = adaptSchema(once.schema, profile)
        expect('refused' in twice ? twice.refused : twice.notes).toEqual([])
        expect('refused' in twice ? undefined : twice.schema).toBe(once.schema)
      }),
      runs,
    )
  })

  it('notes every change, and gives the same object back when there is none', () => {
    fc.assert(
      fc.property(someToolSchema, (schema) => {
        const adapted = adaptSchema(schema, profile)
        fc.pre(!('refused' in adapted))
        expect(adapted.schema === schema).toBe(adapted.changes === 0)
      }),
      runs,
    )
  })

  it('leaves its input and every prototype as they were, and its answer does not depend on what was seen before', () => {
    fc.assert(
      fc.property(someToolSchema, (schema) => {
        const before = canonicalJson(schema)
        const first = adaptSchema(schema, profile)
        expect(canonicalJson(schema)).toBe(before)
        expect(adaptSchema(structuredClone(schema), profile)).toEqual(first)
        expect(Object.keys(Object.prototype)).toEqual([])
        expect(({} as { a?: unknown }).a).toBeUndefined()
      }),
      runs,
    )
  })
})

describe('what comes out is what the API takes [G10]', () => {
  it('for Gemini', () => {
    fc.assert(
      fc.property(someToolSchema, (schema) => {
        const adapted = adaptSchema(schema, named('gemini'))
        fc.pre(!('refused' in adapted))
        expect(geminiLint(adapted.schema)).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  it("for OpenAI's strict mode", () => {
    fc.assert(
      fc.property(someToolSchema, (schema) => {
        const adapted = adaptSchema(schema, named('openai-strict'))
        fc.pre(!('refused' in adapted))
        expect(strictLint(adapted.schema)).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })
})
