import { allOf } from '../rules/all-of.ts'
import { booleanSchema } from '../rules/boolean-schema.ts'
import { constToEnum } from '../rules/const-to-enum.ts'
import { describeKeywords } from '../rules/describe-keywords.ts'
import { freeNames } from '../rules/free-names.ts'
import { inlineReferences } from '../rules/inline-references.ts'
import { keepKeywords } from '../rules/keep-keywords.ts'
import { objectUnions } from '../rules/object-unions.ts'
import { oneOf } from '../rules/one-of.ts'
import { requiredNames } from '../rules/required-names.ts'
import { rootCombinators } from '../rules/root-combinators.ts'
import { rootObject } from '../rules/root-object.ts'
import { rootProperties } from '../rules/root-properties.ts'
import { singleType } from '../rules/single-type.ts'
import { tupleItems } from '../rules/tuple-items.ts'
import { wellFormed } from '../rules/well-formed.ts'
import type { SchemaProfile } from '../schema-rule.ts'

/**
 * Ollama reads a schema into fixed fields: other keywords never reach the model (ollama#11444), boolean schemas
 * refuse the request (oh-my-pi#4488), and older versions take one type per node (ollama#10328). So what would be
 * lost is told in the description.
 */
export const ollama: SchemaProfile = {
  name: 'ollama',
  rules: [
    rootObject,
    rootCombinators,
    rootProperties,
    wellFormed,
    inlineReferences,
    booleanSchema({}),
    allOf,
    objectUnions,
    oneOf,
    constToEnum,
    tupleItems('merged'),
    singleType({ nullAs: 'nothing', split: false }),
    requiredNames,
    freeNames,
    describeKeywords({
      keywords: [
        'format',
        'default',
        'pattern',
        'minimum',
        'maximum',
        'exclusiveMinimum',
        'exclusiveMaximum',
        'multipleOf',
        'minLength',
        'maxLength',
        'minItems',
        'maxItems',
        'uniqueItems',
        'patternProperties',
      ],
    }),
    keepKeywords(['type', 'description', 'properties', 'required', 'items', 'anyOf', 'enum']),
  ],
}
