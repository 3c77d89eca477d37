// Random configurations in service: surfaces that hold one after the other, of the same tools in other versions and
// under other rules, and what a child asks for under them.

import fc from 'fast-check'
import type { Candidate } from '../../src/core/candidate.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { RunFacts } from '../../src/core/run-facts.ts'
import { sha256 } from '../../src/testing/world.ts'
import { type CandidatePlan, type World, type WorldPlan, worldOf, worldText } from '../oracle/world.ts'
import { aRule, aWorld, exactForm, names } from '../oracle/worlds.ts'

export interface Plan {
  /** The first holds at the beginning. */
  readonly worlds: readonly World[]
  /** Of a child, and of a child's child. */
  readonly wishes: RunFacts
}

const schema: JsonObject = { type: 'object', properties: { key: { type: 'string' }, path: { type: 'string' } } }

/** Conditions speak of an argument that is compared as text, so that the judge of the properties can read them. */
const onKey = (rule: string): string => rule.replace('(path:x)', '(key:x)')

const withKeys = ({ delegation, permissions, ...facts }: RunFacts): RunFacts => ({
  ...facts,
  permissions: { ...permissions, rules: permissions.rules.map((rule) => ({ ...rule, text: onKey(rule.text) })) },
  delegation: { ...delegation, ...(delegation.deny === undefined ? {} : { deny: delegation.deny.map(onKey) }) },
})

/** A run that a person starts, with room for a child and a child of that. */
function factsOfRoot(facts: RunFacts): RunFacts {
  const { parent: _, ...delegation } = facts.delegation
  return withKeys({ ...facts, delegation: { ...delegation, enabled: true, depth: 0, depthMax: 2 } })
}

const callable = (candidate: Candidate): Candidate => ({
  ...candidate,
  definition: { ...candidate.definition, inputSchema: schema },
  ...(candidate.protocol === 'mcp' ? { routing: { keywords: [keywordOf(candidate)], priority: 0 } } : {}),
})

/** A word of a message that routes to the tool, and to no other. */
export const keywordOf = ({ id }: Pick<Candidate, 'id'>): string => `kw${sha256(id).slice(0, 8)}`

/** The same tool with another definition. 0: as it was. */
const edited = (candidate: Candidate, version: number): Candidate =>
  version === 0
    ? candidate
    : {
        ...candidate,
        definition: { ...candidate.definition, description: `version ${version}` },
        definitionHash: sha256(`${candidate.definitionHash} ${version}`),
      }

const oneOf = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const plain = { noNullPrototype: true } as const

/** Rules of which most speak of some calls only. */
const aRuleOnCalls = fc
  .tuple(aRule, oneOf(...Array<string>(8).fill('(key:x)'), '', '(*)'))
  .map(([[effect, text], condition]) => [effect, text.replace(/\(.*\)$/, '') + condition] as const)

const lists = fc.record(
  {
    deny: fc.array(
      aRuleOnCalls.map(([, text]) => text),
      { maxLength: 2 },
    ),
    allow: fc.array(exactForm, { minLength: 6, maxLength: 12 }),
  },
  { requiredKeys: [], ...plain },
)
const seldomLists = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: lists })

const tools = fc.array(
  fc.record(
    {
      source: oneOf('mcp', 'mcp', 'mcp', 'config'),
      server: oneOf('s1', 's2'),
      name: oneOf(...names.slice(0, 6), 'constructor'),
      bare: oneOf(true, false),
    },
    plain,
  ),
  { minLength: 2, maxLength: 8 },
)

/** With a tool that searches. */
function worldWith(tools: readonly CandidatePlan[], facts: Omit<WorldPlan, 'candidates'>): World {
  const owned = tools.map(({ server, ...tool }) =>
    tool.source === 'mcp' && server !== undefined ? { ...tool, server } : tool,
  )
  const search = { source: 'builtin', name: 'tool_search', role: 'tool-search', effects: [] } as const
  return worldOf({ ...facts, candidates: [...owned, search] })
}

/** Worlds in which most tools can be called: where every gate bites, hardly anything is ever reached. */
const aWorldOfCalls = fc
  .record(
    {
      tools,
      rules: fc.array(aRuleOnCalls, { maxLength: 4 }),
      otherwise: oneOf(...Array<'allow'>(10).fill('allow'), 'ask', 'deny'),
      mode: oneOf('on', 'on', 'on', 'off'),
      delegation: seldomLists,
    },
    plain,
  )
  .map(({ tools, mode, ...facts }) => worldWith(tools, { ...facts, deferral: { mode } }))

const anyWorld = fc.oneof({ weight: 3, arbitrary: aWorldOfCalls }, { weight: 1, arbitrary: aWorld })

const rooted = ({ facts, candidates }: World): World => ({
  facts: factsOfRoot(facts),
  candidates: candidates.map(callable),
})
const aRootWorld = anyWorld.map(rooted)

/** Of each tool the version that an edit gives it; -1: it is gone. */
const versions = fc.array(oneOf(0, 0, 0, 1, 1, 2, -1), { minLength: 24, maxLength: 24 })

const anEdit = fc.record(
  {
    versions,
    /** Rules and switches of another configuration. Absent: they stay. */
    facts: fc.option(
      aRootWorld.map(({ facts }) => facts),
      { nil: undefined, freq: 2 },
    ),
  },
  plain,
)

export const aPlan: fc.Arbitrary<Plan> = fc
  .record({ base: aRootWorld, edits: fc.array(anEdit, { maxLength: 3 }), wishes: anyWorld }, plain)
  .map(({ base, edits, wishes }) => {
    const later = edits.map((edit): World => {
      const candidates = base.candidates.flatMap((candidate, at) => {
        const version = edit.versions[at % edit.versions.length] ?? 0
        return version < 0 ? [] : [edited(candidate, version)]
      })
      return { facts: edit.facts ?? base.facts, candidates }
    })
    return readable({ worlds: [base, ...later], wishes: withKeys(wishes.facts) })
  })

/**
 * Nothing is forbidden, a person may be asked about calls with the key `x`, and all that can be is deferred. World 0 is
 * as it was, and in every other one all tools of servers have another definition, save one.
 */
export const aPlanOfDeferred: fc.Arbitrary<Plan> = fc
  .record({ tools, same: fc.nat(20), asks: oneOf(true, true, true, false) }, plain)
  .map(({ tools, same, asks }) => {
    const deferral = { mode: 'on' } as const
    const rules = asks ? ([['ask', '*(key:x)']] as const) : []
    const { facts, candidates } = rooted(worldWith(tools, { deferral, rules }))
    const changed = [1, 2].map((version) =>
      candidates.map((one, at) => (one.protocol === 'mcp' && at !== same ? edited(one, version) : one)),
    )
    const worlds = [candidates, ...changed].map((list): World => ({ facts, candidates: list }))
    return readable({ worlds, wishes: worldWith([], { deferral }).facts })
  })

/** With the text by which fast-check shows it. */
const readable = (plan: Plan): Plan =>
  Object.defineProperty({ ...plan }, fc.toStringMethod, { value: () => `\n${planText(plan)}\n` })

function planText({ worlds, wishes }: Plan): string {
  const texts = worlds.map((world, at) => {
    const changed = world.candidates.filter(({ definition }) => definition.description.startsWith('version'))
    const words = changed.map(({ id, definition }) => `  ${id} is ${definition.description}`)
    return [`world ${at}`, worldText(world), ...words].join('\n')
  })
  return [...texts, `a child asks for\n${worldText({ facts: wishes, candidates: [] })}`].join('\n')
}
