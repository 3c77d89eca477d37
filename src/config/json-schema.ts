// The same keys for editors, which complete and check while somebody types.

import * as z from 'zod'
import { freePrefix, wholeSchema } from './schema.ts'

export interface SchemaNode {
  readonly [key: string]: unknown
}

/** The JSON Schema (draft 2020-12) of `toolgate.yaml`. Free keys are allowed wherever keys are fixed. */
export function configJsonSchema(): SchemaNode {
  const schema = z.toJSONSchema(wholeSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) jsonSchema.patternProperties = { [`^${freePrefix}`]: {} }
    },
  })
  return { ...schema, title: 'toolgate.yaml', $comment: 'made from src/config/schema.ts' }
}
