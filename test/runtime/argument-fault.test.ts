// Arguments that do not fit: the words name the argument and what it should be.

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { areRealToolsHere, realServers } from '../sources/real-tools.ts'
import { setting, toolOf } from './a-setting.ts'

const said = async (inputSchema: JsonObject, args: JsonObject): Promise<string> => {
  const outcome = await setting({ tools: [toolOf('t', inputSchema)] }).call({ name: 't', args })
  return outcome.kind === 'refused' ? outcome.message.replace('"t": ', '') : outcome.kind
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })

describe('the words for a misfit', () => {
  const nested = object({ edits: { type: 'array', items: object({ old: { type: 'string' } }, { required: ['old'] }) } })
  const either = object({ at: { anyOf: [{ type: 'string' }, { type: 'null' }] } })
  const referred: JsonObject = {
    ...object({ a: { $ref: '#/$defs/level' } }),
    $defs: { level: { enum: [1, 'two', null] } },
  }
  const strict = object({ path: { type: 'string' }, depth: { type: 'integer' } }, { additionalProperties: false })
  const many = object({ code: { enum: Array.from({ length: 40 }, (_, index) => `code-${index}`) } })
  it.each<readonly [words: string, schema: JsonObject, args: JsonObject]>([
    ['argument "path" is missing', object({ path: {} }, { required: ['path'] }), {}],
    ['arguments "a", "b" are missing', object({ a: {}, b: {} }, { required: ['a', 'b'] }), {}],
    ['argument "edits.1.old" is missing', nested, { edits: [{ old: 'x' }, {}] }],
    ['argument "edits.0.old" must be a text', nested, { edits: [{ old: 7 }] }],
    ['argument "edits" must be a list', nested, { edits: 'x' }],
    ['argument "at" must be a text or null', either, { at: 7 }],
    ['argument "a" must be one of 1, "two", null', referred, { a: 'three' }],
    ['argument "mode" must be one of "x"', object({ mode: { const: 'x' } }), { mode: 'y' }],
    ['there is no argument "pth"; did you mean "path"', strict, { pth: '/x' }],
    ['there is no argument "zzz"; it takes path, depth', strict, { zzz: 1 }],
    ['argument "id" must match the pattern ^[a-z]+$', object({ id: { pattern: '^[a-z]+$' } }), { id: '7' }],
  ])('%s', async (words, schema, args) => {
    expect(await said(schema, args)).toBe(words)
  })

  it('are short, however many values there are, and printable, whatever they hold', async () => {
    const words = await said(many, { code: 'x' })
    expect(words).toContain('"code-11" and 28 more')
    const odd = await said(object({ 'a\u202eb': { type: 'string' } }), { 'a\u202eb': 1 })
    expect(odd).toBe('argument "a\\u202eb" must be a text')
  })
})

describe('arguments of real tools', () => {
  if (!areRealToolsHere) {
    it('are absent here (../shared/data/mcp-catalogs), so that nothing is said of them', () => {
      expect(areRealToolsHere).toBe(false)
    })
    return
  }
  const tools = [...realServers().values()].flat()
  const schemas = tools.map(({ inputSchema }) => inputSchema as JsonObject).filter((schema) => schema?.properties)

  it('that are missing or of a wrong type are told by their names', async () => {
    expect(schemas.length).toBeGreaterThan(100)
    for (const schema of schemas) {
      const properties = schema.properties as { readonly [name: string]: JsonObject }
      const required = (Array.isArray(schema.required) ? schema.required : []) as readonly string[]
      const needed = required.filter(
        (name) => Object.hasOwn(properties, name) && !Object.hasOwn(properties[name] ?? {}, 'default'),
      )
      const words = await said(schema, {})
      if (needed.length > 0 && words !== 'result')
        for (const name of needed.slice(0, 3)) expect(words).toContain(`"${name}"`)
      const [typed] = Object.entries(properties).filter(([, one]) => one.type === 'string' && one.enum === undefined)
      if (typed !== undefined) {
        const [name] = typed
        const full = Object.fromEntries(needed.map((key) => [key, 'x']))
        const wrong = await said(schema, { ...full, [name]: { not: 'a text' } })
        expect(wrong.length).toBeLessThan(600)
        expect(wrong).not.toMatch(/Instance|ubschema|undefined/)
      }
    }
  }, 60_000)
})
