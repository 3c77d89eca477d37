import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/core/json.ts'
import { adaptSchema } from '../../../src/targets/schema/adapt-schema.ts'
import { schemaProfiles } from '../../../src/targets/schema/profiles.ts'
import { geminiLint, strictLint } from './lints.ts'

const folder = resolve(import.meta.dirname, '../../../../shared/data/mcp-catalogs')

interface Tool {
  readonly name: string
  readonly inputSchema: JsonObject
}

function realTools(): Tool[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { tools } = JSON.parse(readFileSync(resolve(folder, file), 'utf8')) as { readonly tools?: unknown }
      return Array.isArray(tools) ? (tools as Tool[]) : []
    })
    .filter((tool) => tool.inputSchema !== undefined)
}

/** Of 2,543 schemas of real servers: how many a profile changes, and how many it refuses. */
const expected = {
  common: [1, 0],
  openai: [4, 0],
  'openai-strict': [2349, 193],
  anthropic: [10, 0],
  gemini: [1652, 0],
  bedrock: [11, 0],
  mistral: [1, 0],
  ollama: [1719, 0],
} as const

describe('the schemas of real servers [G10]', () => {
  if (!existsSync(folder)) {
    it('are absent here (../shared/data/mcp-catalogs), so that only the figures kept for them are checked for shape', () => {
      expect(Object.keys(expected)).toEqual(schemaProfiles.map((profile) => profile.name))
    })
    return
  }
  const tools = realTools()

  it('are 2,543', () => {
    expect(tools.length).toBe(2543)
  })

  it.each(schemaProfiles)('pass through $name: changed and refused as counted, and stable', (profile) => {
    let changed = 0
    let refused = 0
    for (const { name, inputSchema } of tools) {
      const adapted = adaptSchema(inputSchema, profile)
      if ('refused' in adapted) {
        refused += 1
        continue
      }
      if (adapted.schema !== inputSchema) changed += 1
      const again = adaptSchema(adapted.schema, profile)
      expect('refused' in again ? undefined : again.schema, name).toBe(adapted.schema)
      if (profile.name === 'gemini') expect(geminiLint(adapted.schema), name).toEqual([])
      if (profile.name === 'openai-strict') expect(strictLint(adapted.schema), name).toEqual([])
    }
    expect([changed, refused]).toEqual(expected[profile.name as keyof typeof expected])
  })
})
