// Short forms for tests of profiles.

import type { Json, JsonObject } from '../../../src/core/json.ts'
import { adaptSchema } from '../../../src/targets/schema/adapt-schema.ts'
import { profileNamed } from '../../../src/targets/schema/profiles.ts'

/** A schema through the profile of that name. */
export function adapt(schema: Json | undefined, name: string) {
  const profile = profileNamed(name)
  if (profile === undefined) throw new Error(`no profile ${name}`)
  return adaptSchema(schema, profile)
}

/** An object schema with one property `p`. */
export const having = (p: Json, more: JsonObject = {}): JsonObject => ({ type: 'object', properties: { p }, ...more })

/** What becomes of one property. */
export function ofProperty(p: Json, name: string): unknown {
  const adapted = adapt(having(p, { required: ['p'] }), name)
  return 'refused' in adapted ? adapted.refused : (adapted.schema.properties as JsonObject).p
}

/** Notes as short lines. */
export const notesOf = (schema: JsonObject, name: string): string[] => {
  const adapted = adapt(schema, name)
  return 'refused' in adapted ? [] : adapted.notes.map((note) => `${note.path} ${note.keyword} ${note.what}`)
}

/** One of two properties must be given. */
export const isOneOf = { anyOf: [{ required: ['id'] }, { required: ['name'] }] }
export const idAndName = { id: { type: 'string' }, name: { type: 'string' } }
