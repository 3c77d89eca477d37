import { type Schema, Validator } from '@cfworker/json-schema'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { shadowingFindings } from '../../src/sources/listing-flags.ts'
import { mcpCandidates, type Offered } from '../../src/sources/mcp-candidates.ts'
import { isTooCostly } from '../../src/sources/schema/schema-effort.ts'
import { judgedSchema } from '../../src/sources/schema/schema-faults.ts'
import { uncheckedPatterns } from '../../src/sources/schema/schema-pattern-faults.ts'
import { enforceableSchema } from '../../src/sources/schema/schema-patterns.ts'
import { areRealToolsHere, realServers } from './real-tools.ts'
import { serverConfig } from './scripted.ts'

describe('the tools of real servers [G12]', () => {
  if (!areRealToolsHere) {
    it('are absent here (../shared/data/mcp-catalogs), so that nothing is said of them', () => {
      expect(areRealToolsHere).toBe(false)
    })
    return
  }

  const offered: Offered[] = []
  beforeAll(async () => {
    for (const [name, tools] of realServers())
      offered.push(await mcpCandidates(serverConfig(name, { transport: 'http' }), tools, { state: 'available' }))
  })

  it('are all sound', () => {
    const candidates = offered.flatMap((part) => part.candidates)
    expect(candidates).toHaveLength(2543)
    expect(candidates.filter(({ faults }) => faults !== undefined)).toEqual([])
    expect(offered.flatMap((part) => part.findings).filter(({ code }) => code === 'listing-malformed')).toEqual([])
  })

  it('are flagged rarely, and only told of', async () => {
    const findings = offered.flatMap((part) => part.findings)
    const shadowing = await shadowingFindings(offered.flatMap((part) => part.candidates))
    const counts = new Map<string, number>()
    for (const { code } of [...findings, ...shadowing]) counts.set(code, (counts.get(code) ?? 0) + 1)
    expect(Object.fromEntries(counts)).toEqual({ 'hidden-text': 1, 'pattern-not-checked': 4, shadowing: 6 })
  })

  it('are checked as by the schema that was sent, but for patterns that are not looked for', () => {
    let checked = 0
    let misfits = 0
    const random = randomFrom(7)
    for (const [, tools] of realServers()) {
      for (const { name, inputSchema } of tools) {
        const sent = inputSchema as JsonObject
        const { graph } = judgedSchema(sent, { name: 'schema' })
        const isWhole = graph !== undefined && uncheckedPatterns(graph).length === 0
        const draft = String(sent.$schema).includes('draft-07') ? '7' : '2020-12'
        const given = new Validator(structuredClone(sent) as Schema, draft, false)
        const enforceable = enforceableSchema(sent)
        const written = new Validator(enforceable as Schema, draft, false)
        const args = someValue(sent, sent, random, 0)
        if (isTooCostly(enforceable, args)) continue
        checked += 1
        const [before, now] = [given.validate(args).valid, written.validate(args).valid]
        if (!before) misfits += 1
        if (isWhole || before) expect([name, now]).toEqual([name, before])
      }
    }
    expect(checked).toBeGreaterThan(2500)
    expect(misfits).toBeGreaterThan(300)
  })
})

type Random = () => number

/** A number from 0 to 1, the same row each time (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const texts = ['text', '', '2026-01-02', '2026-01-02T03:04:05Z', 'https://example.com/a', 'a_b-1', '42', '#a1b2c3']

/** A value that is near to what a schema takes: right in most places, wrong in some. */
function someValue(schema: Json | undefined, root: JsonObject, random: Random, depth: number): Json {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema) || random() < 0.03)
    return pick<Json>(['odd', 1, true, null, [], {}]) ?? null
  const node = schema as JsonObject
  const inner = (held: Json | undefined) => someValue(held, root, random, depth + 1)
  if (typeof node.$ref === 'string' && depth < 12) return inner(pointed(node.$ref, root))
  for (const branches of [node.anyOf, node.oneOf, node.allOf]) {
    if (Array.isArray(branches) && branches.length > 0 && depth < 12) return inner(pick(branches))
  }
  if (node.const !== undefined) return node.const
  if (Array.isArray(node.enum)) return pick<Json>(node.enum) ?? null
  const type = Array.isArray(node.type) ? pick<Json>(node.type) : node.type
  if (type === 'array')
    return depth > 8 ? [] : Array.from({ length: Math.floor(random() * 3) }, () => inner(node.items as Json))
  if (type === 'integer' || type === 'number') return Math.floor(random() * 40) - 2
  if (type === 'boolean') return random() < 0.5
  if (type === 'null') return null
  if (type === 'string') return pick(texts) ?? ''
  const properties = Object.entries((node.properties ?? {}) as JsonObject)
  const required = new Set(Array.isArray(node.required) ? node.required : [])
  const kept = properties.filter(([name]) => (required.has(name) ? random() < 0.97 : random() < 0.4 && depth < 8))
  return Object.fromEntries(kept.map(([name, held]) => [name, inner(held)]))
}

function pointed(reference: string, root: JsonObject): Json | undefined {
  let here: Json | undefined = root
  for (const step of reference.split('/').slice(1))
    here = (here as JsonObject | undefined)?.[step.replaceAll('~1', '/')]
  return here
}
