import { rootCombinators } from '../rules/root-combinators.ts'
import { rootObject } from '../rules/root-object.ts'
import { rootProperties } from '../rules/root-properties.ts'
import type { SchemaProfile } from '../schema-rule.ts'

/** Mistral documents an object in JSON Schema; which keywords it refuses is not known, so nothing else is touched. */
export const mistral: SchemaProfile = {
  name: 'mistral',
  rules: [rootObject, rootCombinators, rootProperties],
}
