import { exclusiveBounds } from '../rules/exclusive-bounds.ts'
import { propertyKeys } from '../rules/property-keys.ts'
import { rootCombinators } from '../rules/root-combinators.ts'
import { rootObject } from '../rules/root-object.ts'
import { rootProperties } from '../rules/root-properties.ts'
import { tupleItems } from '../rules/tuple-items.ts'
import { wellFormed } from '../rules/well-formed.ts'
import type { SchemaProfile } from '../schema-rule.ts'

/**
 * Anthropic without strict mode: JSON Schema of draft 2020-12 with a plain root. Tried against the API by others
 * and accepted: type lists, `const`, `format`, `anyOf` with null, empty sub-schemas, references (openclaw#98588).
 */
export const anthropic: SchemaProfile = {
  name: 'anthropic',
  rules: [rootObject, rootCombinators, rootProperties, wellFormed, propertyKeys, tupleItems('prefix'), exclusiveBounds],
}
