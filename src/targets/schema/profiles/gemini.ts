import { allOf } from '../rules/all-of.ts'
import { anyOfAlone } from '../rules/any-of-alone.ts'
import { arrayItems } from '../rules/array-items.ts'
import { booleanSchema } from '../rules/boolean-schema.ts'
import { constToEnum } from '../rules/const-to-enum.ts'
import { depthCap } from '../rules/depth-cap.ts'
import { describeKeywords } from '../rules/describe-keywords.ts'
import { exclusiveBounds } from '../rules/exclusive-bounds.ts'
import { freeNames } from '../rules/free-names.ts'
import { inlineReferences } from '../rules/inline-references.ts'
import { keepKeywords } from '../rules/keep-keywords.ts'
import { nodeType } from '../rules/node-type.ts'
import { nullBranch } from '../rules/null-branch.ts'
import { objectUnions } from '../rules/object-unions.ts'
import { oneOf } from '../rules/one-of.ts'
import { requiredNames } from '../rules/required-names.ts'
import { rootCombinators } from '../rules/root-combinators.ts'
import { rootObject } from '../rules/root-object.ts'
import { rootProperties } from '../rules/root-properties.ts'
import { singleType } from '../rules/single-type.ts'
import { stringEnums } from '../rules/string-enums.ts'
import { tupleItems } from '../rules/tuple-items.ts'
import { typedBranches } from '../rules/typed-branches.ts'
import { wellFormed } from '../rules/well-formed.ts'
import type { SchemaProfile } from '../schema-rule.ts'

/** The depth that is refused is documented nowhere; five levels is the safe common figure (user-needs §5). */
const levels = 5

const numberFormats = new Set(['float', 'double', 'int32', 'int64'])

/**
 * The `parameters` field of Gemini's API and Vertex: a part of OpenAPI 3.0, one type per node, unions alone,
 * nothing unknown. Newer versions take more in `parametersJsonSchema`; this form passes everywhere.
 */
export const gemini: SchemaProfile = {
  name: 'gemini',
  rules: [
    rootObject,
    rootCombinators,
    rootProperties,
    wellFormed,
    inlineReferences,
    booleanSchema({ type: 'string' }),
    allOf,
    nullBranch,
    objectUnions,
    oneOf,
    typedBranches,
    constToEnum,
    tupleItems('merged'),
    singleType({ nullAs: 'nullable', split: true }),
    stringEnums,
    nodeType({ type: 'string' }),
    requiredNames,
    freeNames,
    depthCap(levels),
    arrayItems({ type: 'string' }),
    exclusiveBounds,
    describeKeywords({
      keywords: ['format', 'default', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'not', 'patternProperties'],
      formatsKept: (format, type) =>
        type === 'string' ? format === 'date-time' : typeof format === 'string' && numberFormats.has(format),
    }),
    keepKeywords([
      'type',
      'title',
      'description',
      'nullable',
      'format',
      'enum',
      'properties',
      'required',
      'items',
      'anyOf',
      'minItems',
      'maxItems',
      'minProperties',
      'maxProperties',
      'minLength',
      'maxLength',
      'pattern',
      'minimum',
      'maximum',
    ]),
    anyOfAlone,
  ],
}
