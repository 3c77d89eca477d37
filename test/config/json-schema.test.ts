import { describe, expect, it } from 'vitest'
import { configJsonSchema, type SchemaNode } from '../../src/config/json-schema.ts'

const schema = configJsonSchema()
const at = (node: SchemaNode, ...keys: readonly string[]): SchemaNode =>
  keys.reduce((inner, key) => (inner[key] ?? {}) as SchemaNode, node)

describe('the schema for editors', () => {
  it('is the file that is shipped; `npx vitest -u` writes it anew', async () => {
    await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot('../../schema/toolgate.schema.json')
  })

  it('is strict, and lets free keys through, at every level with fixed keys', () => {
    for (const node of [
      schema,
      at(schema, 'properties', 'sandbox'),
      at(schema, 'properties', 'mcp_servers', 'additionalProperties'),
    ]) {
      expect(node).toMatchObject({ additionalProperties: false, patternProperties: { '^x-': {} } })
    }
  })

  it('knows the values of a choice', () => {
    expect(at(schema, 'properties', 'sandbox', 'properties', 'kind').enum).toEqual(['auto', 'none', 'namespace'])
  })
})
