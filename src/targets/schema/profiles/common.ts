import { rootCombinators } from '../rules/root-combinators.ts'
import { rootObject } from '../rules/root-object.ts'
import { rootProperties } from '../rules/root-properties.ts'
import type { SchemaProfile } from '../schema-rule.ts'

/**
 * What the root of a schema must be wherever tools are sent. Nothing below the root is looked at: keywords that
 * only some providers refuse stay, and thousands of tools cost a few milliseconds.
 */
export const common: SchemaProfile = {
  name: 'common',
  rules: [rootObject, rootCombinators, rootProperties],
}
