// Schemas for properties: near enough to JSON Schema to reach every rule, odd enough to reach what rules must survive.

import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/core/json.ts'

const names = ['a', 'b', 'kid', '__proto__', 'constructor', 'toString', 'a b', 'filter[id]', '$and', 'a/b', 'x~y']
const junk = fc.constantFrom<Json>(
  null,
  true,
  false,
  0,
  -1.5,
  '',
  'text',
  [],
  {},
  [null],
  { a: 1 },
  ['a', 'b'],
  [1, 'a', null, true],
)
const reference = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom<Json>('#', '#/$defs/a', '#/$defs/b', '#/properties/a') },
  { weight: 1, arbitrary: fc.constantFrom<Json>('#/nowhere', 'https://example.com/s.json', 'file:///s', 7) },
)
const typeName = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null')
const type = fc.oneof(typeName, fc.uniqueArray(typeName, { maxLength: 3 }), junk)

/** A schema, valid or not. `__proto__` is an own key where it occurs, as it is after `JSON.parse`. */
export const someSchema: fc.Arbitrary<Json> = fc.letrec<{ node: Json; map: Json }>((tie) => ({
  map: fc
    .array(fc.tuple(fc.constantFrom(...names), tie('node')), { maxLength: 3 })
    .map((entries): Json => Object.fromEntries(entries)),
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 1, arbitrary: junk },
    { weight: 1, arbitrary: typeName.map((name): Json => ({ type: name })) },
    {
      weight: 1,
      arbitrary: fc.record({ $ref: reference, description: fc.constant('Beside.') }, { requiredKeys: ['$ref'] }),
    },
    {
      weight: 6,
      arbitrary: fc
        .record(
          {
            type,
            title: fc.constantFrom<Json>('Title', 3),
            description: fc.constantFrom<Json>('Says.', '', 5),
            properties: fc.oneof({ weight: 5, arbitrary: tie('map') }, junk),
            required: fc.oneof({ weight: 5, arbitrary: fc.subarray([...names]) }, junk),
            additionalProperties: fc.oneof(fc.boolean(), tie('node')),
            items: fc.oneof(tie('node'), fc.array(tie('node'), { maxLength: 2 })),
            prefixItems: fc.oneof(fc.array(tie('node'), { maxLength: 2 }), junk),
            anyOf: fc.oneof({ weight: 3, arbitrary: fc.array(tie('node'), { maxLength: 3 }) }, junk),
            oneOf: fc.oneof({ weight: 3, arbitrary: fc.array(tie('node'), { maxLength: 3 }) }, junk),
            allOf: fc.oneof({ weight: 3, arbitrary: fc.array(tie('node'), { maxLength: 2 }) }, junk),
            not: tie('node'),
            enum: fc.oneof(
              fc.array(fc.constantFrom<Json>('x', 'y', '', null, 1, true, { z: 1 }), { maxLength: 4 }),
              junk,
            ),
            const: fc.constantFrom<Json>('x', 1, true, null, { z: 1 }, [1]),
            default: junk,
            format: fc.constantFrom<Json>('date-time', 'uri', 'int32', 1),
            minimum: fc.constantFrom<Json>(0, 5, 'x'),
            exclusiveMinimum: fc.constantFrom<Json>(true, false, 3),
            nullable: fc.boolean(),
            $defs: tie('map'),
            $schema: fc.constant('http://json-schema.org/draft-07/schema#'),
            'x-odd': junk,
          },
          { requiredKeys: [] },
        )
        .map((node): Json => node as JsonObject),
    },
  ),
})).node

/** The same with a root that a tool could have, and with something for its references to find. */
export const someToolSchema: fc.Arbitrary<JsonObject> = fc
  .tuple(someSchema, someSchema, someSchema)
  .map(([schema, a, b]): JsonObject => ({ ...(isObject(schema) ? schema : {}), type: 'object', $defs: { a, b } }))

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
