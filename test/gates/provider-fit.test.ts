import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/decision.ts'
import { definitionCharsOf } from '../../src/core/definition-chars.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { deferral } from '../../src/gates/deferral.ts'
import { definition } from '../../src/gates/definition.ts'
import { providerFit } from '../../src/gates/provider-fit.ts'
import { uniqueName } from '../../src/gates/unique-name.ts'
import { targetNamed, targetNames } from '../../src/targets/targets.ts'
import { describeGate, type GateWorld } from '../../src/testing/gate-conformance.ts'
import {
  aCandidate,
  aSearchTool,
  aStandIn,
  aWorld,
  type FactsOverrides,
  sha256,
  someFacts,
} from '../../src/testing/world.ts'

const target = (name: string, origin?: Candidate['origin']) => {
  const facts = targetNamed(name)
  if (facts === undefined) throw new Error(`no target ${name}`)
  return origin === undefined ? facts : { ...facts, origin }
}

const withSchema = (originalName: string, inputSchema: Json, description = 'Says what it does.'): Candidate =>
  aCandidate({ server: 'srv', originalName, definition: { description, inputSchema: inputSchema as JsonObject } })

const many = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, at) => aCandidate({ server: 'srv', originalName: `tool_${at}` }))

function decide(facts: FactsOverrides, candidates: readonly Candidate[]): readonly Decision[] {
  return assemble(someFacts(facts), candidates, [providerFit], { sha256 }).decisions
}

const tuple = { type: 'object', properties: { at: { type: 'array', items: [{ type: 'number' }] } } }

const worlds: readonly GateWorld[] = [
  aWorld({ target: target('common') }, aCandidate(), aStandIn('asleep'), withSchema('repo.read', { type: 'object' })),
  aWorld(
    { target: target('anthropic') },
    withSchema('a.b', { type: 'object', properties: {} }),
    withSchema('a_b', tuple),
  ),
  aWorld({ target: target('common') }, withSchema('bad', { type: 'array' })),
  aWorld(
    { target: target('gemini') },
    withSchema('far', { type: 'object', properties: { p: { $ref: 'https://x.example/s' } } }),
  ),
  aWorld({ target: { ...target('openai'), nameMax: 5 } }, aCandidate({ originalName: 'read_file' })),
  aWorld({ target: { ...target('openai'), toolsMax: 3 }, deferral: { mode: 'off' } }, aSearchTool(), ...many(5)),
  aWorld({ target: { ...target('openai'), toolsMax: 3 }, deferral: { mode: 'on' } }, ...many(5)),
  aWorld(
    { target: { ...target('openai'), toolsMax: 1 } },
    aCandidate({ originalName: 'one' }),
    aCandidate({ originalName: 'two' }),
  ),
]

describe('the gate provider-fit [G10, G14]', () => {
  it.each(describeGate(providerFit, { worlds }))('$name', ({ run }) => run())

  it('leaves a tool alone that fits, and says so', () => {
    const [decision] = decide({ target: target('common') }, [aCandidate()])
    expect(decision).toMatchObject({ outcome: 'eager', name: 'read_file', code: 'fits' })
    expect(decision?.definition).toBe(decision?.candidate.definition)
  })

  it('C-023, C-044: offers an alias and keeps the original name for the wire', () => {
    const origin = { in: 'command line', key: '--target openai' }
    const [decision] = decide({ target: target('openai', origin) }, [
      aCandidate({ server: 'r', originalName: 'repo.search' }),
    ])
    expect(decision).toMatchObject({
      name: 'r__repo_search',
      code: 'aliased',
      candidate: { originalName: 'repo.search' },
      steps: [{ evidence: { from: 'r__repo.search', to: 'r__repo_search', why: ['characters'] }, origin }],
    })
  })

  it('counts the characters of what is sent, after the alias and after the adaptation', () => {
    const candidates = [
      withSchema('plain', { type: 'object', properties: {} }),
      withSchema('with.dot', { type: 'object', properties: {} }),
      withSchema('odd', { type: 'object', properties: { p: { const: 1, format: 'uri' } } }),
      withSchema('odd.dot', { type: 'object' }, ''),
    ].map((candidate) => ({ ...candidate, definitionChars: definitionCharsOf(candidate.name, candidate.definition) }))
    for (const name of targetNames) {
      for (const decision of decide({ target: target(name) }, candidates)) {
        expect(decision.definitionChars, name).toBe(definitionCharsOf(decision.name, decision.definition))
      }
    }
  })

  it('C-070, C-071: fills or cuts a description and notes it', () => {
    const tools = [
      withSchema('a', { type: 'object', properties: {} }, ''),
      withSchema('b', { type: 'object', properties: {} }, 'x'.repeat(3900)),
    ]
    const [filled] = decide({ target: target('bedrock') }, tools)
    expect(filled?.definition.description).toBe('srv a')
    expect(filled?.steps[0]?.evidence).toMatchObject({
      changes: 1,
      notes: [{ path: '', keyword: 'description', what: 'filled' }],
    })
    const cut = decide({ target: target('claude-code') }, tools)[1]
    expect(cut?.definition.description).toHaveLength(2048)
    expect(cut?.steps[0]?.evidence).toMatchObject({ notes: [{ keyword: 'description', what: 'cut' }] })
  })

  it('C-063, C-069: one odd tool of 40 costs nobody anything, and one that is refused only itself, by name and place', () => {
    const odd = withSchema('odd', { type: 'object', properties: {}, anyOf: [{ required: ['id'] }] })
    const refused = withSchema('refused', { type: 'object', properties: { p: { items: { $ref: '#/nowhere' } } } })
    const decisions = decide({ target: target('gemini') }, [...many(38), odd, refused])
    expect(decisions.filter(({ outcome }) => outcome === 'eager')).toHaveLength(39)
    expect(decisions.at(-1)).toMatchObject({
      outcome: 'excluded',
      code: 'schema-refused',
      steps: [
        { evidence: { path: '/properties/p/items', keyword: '$ref', why: 'dangling-reference', target: 'gemini' } },
      ],
    })
    expect(decisions.slice(0, 38).every(({ code }) => code === 'fits')).toBe(true)
  })

  it('keeps everything of a definition but what it changes', () => {
    const candidate = withSchema('odd', { type: 'object' })
    const more = {
      ...candidate.definition,
      title: 'T',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object' },
    }
    const [decision] = decide({ target: target('common') }, [{ ...candidate, definition: more }])
    expect(decision?.definition).toEqual({ ...more, inputSchema: { type: 'object', properties: {} } })
    expect(decision?.candidate.definition).toEqual(more)
  })

  it('does not hand out the name of a tool that was taken away for safety', () => {
    const bash = aCandidate({ source: 'builtin', originalName: 'my_shell', definitionChars: 10 ** 9 })
    const other = aCandidate({ server: 'r', originalName: 'my.shell', name: 'my.shell' })
    const decisions = assemble(someFacts(), [bash, other], [definition, uniqueName, providerFit], { sha256 }).decisions
    expect(decisions[0]).toMatchObject({ outcome: 'excluded', code: 'definition-too-big' })
    expect(decisions[1]?.name).toMatch(/^my_shell_[0-9a-f]{8}$/)
  })

  it('C-047: meets a cap by deferral where it can, and otherwise by rank, and the deferral gate then agrees', () => {
    const capped = { ...target('openai'), toolsMax: 10 }
    const outcomes = (mode: 'off' | 'on' | 'auto', always: readonly string[] = []) => {
      const facts = someFacts({ target: capped, deferral: { mode, always, budgetTokens: 1_000_000 } })
      const { totals, decisions } = assemble(facts, [aSearchTool(), ...many(14)], [providerFit, deferral], { sha256 })
      expect(decisions.filter(({ code }) => code === 'cap-not-met')).toEqual([])
      return [totals.eager, totals.deferred, totals.excluded]
    }
    expect(outcomes('off')).toEqual([10, 0, 5])
    expect(outcomes('on')).toEqual([1, 14, 0])
    expect(outcomes('auto')).toEqual([10, 5, 0])
    expect(outcomes('on', ['srv__tool_1'])).toEqual([2, 13, 0])
    const pins = Array.from({ length: 12 }, (_, at) => `srv__tool_${at}`)
    expect(outcomes('on', pins)).toEqual([10, 2, 3])
  })

  it('C-072: counts only what can be sent against the cap', () => {
    const open = { type: 'object', properties: { free: { type: 'object' } } }
    const decisions = decide({ target: { ...target('openai-strict'), toolsMax: 2 }, deferral: { mode: 'off' } }, [
      withSchema('a', open),
      ...many(2),
    ])
    expect(decisions.map(({ code }) => code)).toEqual(['schema-refused', 'adapted', 'adapted'])
  })

  it('fails closed on a profile that nobody knows', () => {
    const decisions = decide({ target: { ...target('openai'), schemaProfile: 'opnai' } }, [aCandidate()])
    expect(decisions[0]).toMatchObject({ outcome: 'excluded', code: 'gate-failed' })
  })

  it('P20: exposes names of the target, one for each tool, after unique-name has run', () => {
    const names = fc.constantFrom('a', 'A', 'a_b', 'a.b', 'a-b', 'toString', '9a', 'x'.repeat(60), 'x'.repeat(128))
    const tools = fc.uniqueArray(fc.tuple(fc.constantFrom('s', 't', 's__a'), names), {
      maxLength: 10,
      selector: String,
    })
    fc.assert(
      fc.property(tools, fc.constantFrom(...targetNames), (pairs, name) => {
        const candidates = pairs.map(([server, originalName]) => aCandidate({ server, originalName }))
        const facts = someFacts({ target: target(name), deferral: { mode: 'on' } })
        const surface = assemble(facts, candidates, [definition, uniqueName, providerFit], { sha256 })
        const exposed = surface.decisions.filter(({ outcome }) => outcome !== 'excluded')
        for (const decision of exposed) {
          expect(decision.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
          expect(surface.find(decision.name)).toBe(decision)
        }
        expect(new Set(exposed.map((decision) => decision.name.toLowerCase())).size).toBe(exposed.length)
      }),
      { numRuns: 2_000 },
    )
  })
})
