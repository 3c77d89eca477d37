import { arrayItems } from '../rules/array-items.ts'
import { booleanSchema } from '../rules/boolean-schema.ts'
import { enumNotEmpty } from '../rules/enum-not-empty.ts'
import { rootCombinators } from '../rules/root-combinators.ts'
import { rootObject } from '../rules/root-object.ts'
import { rootProperties } from '../rules/root-properties.ts'
import { tupleItems } from '../rules/tuple-items.ts'
import { wellFormed } from '../rules/well-formed.ts'
import type { SchemaProfile } from '../schema-rule.ts'

/** OpenAI without strict mode: JSON Schema that is well-formed and says what its lists hold. */
export const openai: SchemaProfile = {
  name: 'openai',
  rules: [
    rootObject,
    rootCombinators,
    rootProperties,
    wellFormed,
    booleanSchema({}),
    tupleItems('merged'),
    arrayItems({}),
    enumNotEmpty,
  ],
}
