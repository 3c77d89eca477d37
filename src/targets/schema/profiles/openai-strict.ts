import { allOf } from '../rules/all-of.ts'
import { allRequired } from '../rules/all-required.ts'
import { arrayItems } from '../rules/array-items.ts'
import { bareReferences } from '../rules/bare-references.ts'
import { booleanSchema } from '../rules/boolean-schema.ts'
import { closedObjects } from '../rules/closed-objects.ts'
import { describeKeywords } from '../rules/describe-keywords.ts'
import { enumNotEmpty } from '../rules/enum-not-empty.ts'
import { exclusiveBounds } from '../rules/exclusive-bounds.ts'
import { keepKeywords } from '../rules/keep-keywords.ts'
import { nodeType } from '../rules/node-type.ts'
import { objectUnions } from '../rules/object-unions.ts'
import { oneOf } from '../rules/one-of.ts'
import { rootCombinators } from '../rules/root-combinators.ts'
import { rootObject } from '../rules/root-object.ts'
import { rootProperties } from '../rules/root-properties.ts'
import { strictLimits } from '../rules/strict-limits.ts'
import { tupleItems } from '../rules/tuple-items.ts'
import { typedBranches } from '../rules/typed-branches.ts'
import { wellFormed } from '../rules/well-formed.ts'
import type { SchemaProfile } from '../schema-rule.ts'

/** Where nothing is said, any plain value. */
const anyValue = { type: ['string', 'number', 'boolean', 'null'] }

const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

/**
 * OpenAI's strict mode, which compiles a grammar: closed objects, every property required, few keywords
 * (user-needs §5; chatlas PR#255, dotnet/extensions#6266). Lengths are among the keywords that not every model
 * takes, so they are told instead.
 */
export const openaiStrict: SchemaProfile = {
  name: 'openai-strict',
  rules: [
    rootObject,
    rootCombinators,
    rootProperties,
    wellFormed,
    booleanSchema(anyValue),
    allOf,
    objectUnions,
    oneOf,
    typedBranches,
    tupleItems('merged'),
    arrayItems(anyValue),
    enumNotEmpty,
    exclusiveBounds,
    describeKeywords({
      keywords: ['default', 'format', 'minLength', 'maxLength', 'not', 'propertyNames', 'patternProperties'],
      formatsKept: (format) => typeof format === 'string' && formats.has(format),
    }),
    bareReferences,
    nodeType(anyValue),
    closedObjects,
    keepKeywords([
      'type',
      'title',
      'description',
      'properties',
      'required',
      'additionalProperties',
      'items',
      'anyOf',
      'enum',
      'const',
      '$ref',
      '$defs',
      'definitions',
      'format',
      'pattern',
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'multipleOf',
      'minItems',
      'maxItems',
    ]),
    allRequired,
    strictLimits,
  ],
}
