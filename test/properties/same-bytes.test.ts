// The same input gives the same bytes: in another process and locale, from its own result, whatever the order of keys.

import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Definition } from '../../src/core/candidate.ts'
import { canonicalJson, type Json, type JsonObject } from '../../src/core/json.ts'
import type { Surface } from '../../src/core/surface.ts'
import { candidateOf } from '../../src/sources/candidate-of.ts'
import { worldText } from '../oracle/world.ts'
import { aWorld } from '../oracle/worlds.ts'
import { decide, exposedIds, holds, nothing, toldAs, withCandidates, withFacts } from './harness.ts'
import { printedSurfaces } from './print-surfaces.ts'

describe('the bytes of a decision [D1]', () => {
  it('[P7] are the same when made twice, and no input is changed', () => {
    holds(aWorld, nothing, (world) => {
      const before = worldText(world)
      const [one, other] = [
        decide(world),
        decide(structuredClone({ facts: world.facts, candidates: world.candidates })),
      ]
      const same =
        one.hash === other.hash &&
        JSON.stringify(one.decisions.map(({ steps }) => steps)) ===
          JSON.stringify(other.decisions.map(({ steps }) => steps))
      return same && worldText(world) === before ? undefined : 'the bytes differ'
    })
  })

  it('[P7] are the same in processes of other languages and time zones', () => {
    const script = resolve(import.meta.dirname, 'print-surfaces.ts')
    const printedBy = (LANG: string, TZ: string): string =>
      execFileSync(process.execPath, ['--import', 'tsx', script], {
        env: { ...process.env, LANG, LC_ALL: LANG, TZ },
        encoding: 'utf8',
      })
    const here = `${printedSurfaces()}\n`
    expect(here.length).toBeGreaterThan(10_000)
    expect(printedBy('tr_TR.UTF-8', 'Asia/Kolkata')).toBe(here)
    expect(printedBy('C', 'America/St_Johns')).toBe(here)
  }, 60_000)

  it('[P8] are the same when only what was exposed is at the door', () => {
    holds(aWorld, nothing, (world) => {
      const before = decide(world)
      const exposed = exposedIds(before)
      const after = decide(
        withCandidates(
          world,
          world.candidates.filter(({ id }) => exposed.has(id)),
        ),
      )
      // An alias keeps clear of names that somebody who is withheld keeps, and may be another without him. A list that
      // pins a tool by its alias then means another tool.
      const pinned = [before, after].some(({ decisions }) =>
        decisions.some(({ name, candidate }) => name !== candidate.name && world.facts.deferral.always.includes(name)),
      )
      if (pinned) return undefined
      // An alias of another length costs other tokens, and what is eager in automatic mode hangs on those.
      const nameIn = ({ decisions }: Surface) => new Map(decisions.map(({ candidate, name }) => [candidate.id, name]))
      const [names, later] = [nameIn(before), nameIn(after)]
      const renamed = [...exposed].some((id) => names.get(id) !== later.get(id))
      if (renamed && world.facts.deferral.mode === 'auto') return undefined
      const lot = ({ decisions }: Surface) => decisions.filter(({ candidate }) => exposed.has(candidate.id)).map(toldAs)
      return lot(before).join() === lot(after).join() ? undefined : [...lot(before), 'became', ...lot(after)]
    })
  })
})

const text = fc.string({ maxLength: 6 })
const schema = fc.dictionary(
  fc.constantFrom('type', 'a', 'b', '__proto__', 'required'),
  fc.oneof(text, fc.boolean(), fc.array(text, { maxLength: 2 })),
  { maxKeys: 4, noNullPrototype: true },
)
const parts = fc.record(
  {
    server: text,
    name: text,
    title: fc.option(text, { nil: undefined }),
    description: text,
    inputSchema: schema,
    outputSchema: fc.option(schema, { nil: undefined }),
  },
  { noNullPrototype: true },
)
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never

/** The hash of the one maker of candidates. */
function hashOf({ server, name, title, description, inputSchema, outputSchema }: Parts): string {
  const definition: Definition = {
    description,
    inputSchema: inputSchema as JsonObject,
    ...(title === undefined ? {} : { title }),
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonObject }),
  }
  return candidateOf({
    id: `mcp:${server}/${name}`,
    source: 'mcp',
    protocol: 'mcp',
    server,
    originalName: name,
    name,
    form: 'executes',
    needs: [],
    effects: [],
    effectsBy: 'assumed',
    availability: { state: 'available' },
    definition,
    origin: { in: 'test' },
    owner: { server },
  }).definitionHash
}

/** The same value with its keys the other way round, at every depth. */
function turned<T extends Json | undefined>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item: Json) => turned(item)) as unknown as T
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item as Json)]),
  ) as T
}

describe('the hash of a definition [D1, G12]', () => {
  it('[P15] changes with its server, its name, its description and its schemas', () => {
    fc.assert(
      fc.property(
        parts,
        parts,
        fc.constantFrom('server', 'name', 'title', 'description', 'inputSchema', 'outputSchema'),
        (one, other, key) => {
          fc.pre(
            canonicalJson(one[key] as Json) !== canonicalJson(other[key] as Json) ||
              (one[key] === undefined) !== (other[key] === undefined),
          )
          expect(hashOf({ ...one, [key]: other[key] })).not.toBe(hashOf(one))
        },
      ),
      { numRuns: 10_000 },
    )
  })

  it('[P15] does not change with the order of keys', () => {
    fc.assert(
      fc.property(parts, (one) => {
        expect(hashOf(turned(one as unknown as JsonObject) as unknown as Parts)).toBe(hashOf(one))
      }),
      { numRuns: 10_000 },
    )
  })

  it('[P15] once changed, voids what was approved', () => {
    let voided = 0
    holds(aWorld, fc.nat(), (world, which) => {
      const exposed = [...exposedIds(decide(withFacts(world, { pins: pinsOf(world.candidates) })))]
      const id = exposed[which % Math.max(1, exposed.length)]
      const changed = world.candidates.find((one) => one.id === id)
      if (changed === undefined || (changed.protocol !== 'mcp' && changed.protocol !== 'acp')) return undefined
      voided += 1
      const after = decide(
        withCandidates(
          withFacts(world, { pins: pinsOf(world.candidates) }),
          world.candidates.map((one) => (one === changed ? { ...one, definitionHash: 'e'.repeat(64) } : one)),
        ),
      )
      return after.decisions.find(({ candidate }) => candidate.id === id)?.code === 'definition-changed'
        ? undefined
        : `${id} is still approved`
    })
    expect(voided).toBeGreaterThan(500)
  })

  it('[P19] is different for 100,000 definitions that differ', () => {
    const seen = new Set<string>()
    let made = 0
    for (const server of ['a', 'a/b', 'b'])
      for (const name of numbered(20))
        for (const description of numbered(40))
          for (const key of numbered(42)) {
            made += 1
            seen.add(
              hashOf({
                server,
                name,
                title: undefined,
                description,
                inputSchema: { type: 'object', [key]: name },
                outputSchema: undefined,
              }),
            )
          }
    expect(made).toBeGreaterThan(100_000)
    expect(seen.size).toBe(made)
    for (const hash of seen) expect(hash.length).toBe(64)
  })

  it('[P19] tells apart texts that only join to the same', () => {
    const base = { title: undefined, inputSchema: {}, outputSchema: undefined }
    const texts = [
      ['ab', 'c', ''],
      ['a', 'bc', ''],
      ['a', 'b', 'c'],
      ['', 'abc', ''],
      ['abc', '', ''],
      ['a"', ',"b', 'c'],
    ]
    const hashes = texts.map(([server = '', name = '', description = '']) =>
      hashOf({ ...base, server, name, description }),
    )
    expect(new Set(hashes).size).toBe(texts.length)
  })
})

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at}`)
const pinsOf = (candidates: Parameters<typeof withCandidates>[1]) =>
  candidates.map(({ id, definitionHash }) => ({ id, definitionHash, approvedAt: '2026-01-01T00:00:00Z' }))
