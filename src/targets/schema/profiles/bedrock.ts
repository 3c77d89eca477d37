import { enumNotEmpty } from '../rules/enum-not-empty.ts'
import { exclusiveBounds } from '../rules/exclusive-bounds.ts'
import { propertyKeys } from '../rules/property-keys.ts'
import { rootCombinators } from '../rules/root-combinators.ts'
import { rootObject } from '../rules/root-object.ts'
import { rootProperties } from '../rules/root-properties.ts'
import { tupleItems } from '../rules/tuple-items.ts'
import { wellFormed } from '../rules/well-formed.ts'
import type { SchemaProfile } from '../schema-rule.ts'

/** Bedrock's Converse route checks the root (Kiro#11026) and hands the rest to the model: Anthropic's rules and one more. */
export const bedrock: SchemaProfile = {
  name: 'bedrock',
  rules: [
    rootObject,
    rootCombinators,
    rootProperties,
    wellFormed,
    propertyKeys,
    tupleItems('prefix'),
    exclusiveBounds,
    enumNotEmpty,
  ],
}
