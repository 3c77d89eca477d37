// A test that cannot fail proves nothing: gates and orders broken on purpose, each of which the oracle must see.

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Gate, Standing } from '../../src/core/gate.ts'
import type { Rule, RunFacts } from '../../src/core/run-facts.ts'
import { mcpSwitchBySubstring } from '../../src/gates/mcp-switch-by-substring.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { simpleModeByName } from '../../src/gates/simple-mode-by-name.ts'
import { uniqueNameWithTakeover } from '../../src/gates/unique-name-with-takeover.ts'
import { differences } from './compare.ts'
import type { World } from './world.ts'
import { aWorld } from './worlds.ts'

const order: readonly Gate[] = gateOrder.default
const worldsMax = 2000

const without = (id: string): readonly Gate[] => order.filter((gate) => gate.id !== id)
const instead = (id: string, other: Gate): readonly Gate[] => order.map((gate) => (gate.id === id ? other : gate))

/** The order with one gate that sees other facts than there are. */
function misled(id: string, change: (facts: RunFacts) => RunFacts): readonly Gate[] {
  return order.map((gate) =>
    gate.id === id ? { ...gate, open: (facts, standing) => gate.open(change(facts), standing) } : gate,
  )
}

/** The order with one gate that sees another candidate than there is. */
function mistaken(id: string, change: (candidate: Candidate, facts: RunFacts) => Candidate): readonly Gate[] {
  const open =
    (gate: Gate): Gate['open'] =>
    (facts, standing) => {
      const changed = new Map(standing.candidates.map((candidate) => [candidate, change(candidate, facts)]))
      const back = new Map([...changed].map(([candidate, other]) => [other, candidate]))
      const seen: Standing = {
        ...standing,
        candidates: [...changed.values()],
        nameOf: (other) => standing.nameOf(back.get(other) ?? other),
        charsOf: (other) => standing.charsOf(back.get(other) ?? other),
      }
      const judge = gate.open(facts, seen)
      return (candidate) => judge(changed.get(candidate) ?? candidate)
    }
  return order.map((gate) => (gate.id === id ? { ...gate, open: open(gate) } : gate))
}

/** The order with one gate that judges what another set stands. */
function blinded(id: string, change: (standing: Standing) => Standing): readonly Gate[] {
  return order.map((gate) =>
    gate.id === id ? { ...gate, open: (facts, standing) => gate.open(facts, change(standing)) } : gate,
  )
}

const withRules = (facts: RunFacts, keep: (rule: Rule, all: readonly Rule[]) => boolean): RunFacts => {
  const { rules } = facts.permissions
  return { ...facts, permissions: { ...facts.permissions, rules: rules.filter((rule) => keep(rule, rules)) } }
}
const withSkills = (facts: RunFacts, parts: Partial<RunFacts['skills']>): RunFacts => ({
  ...facts,
  skills: { ...facts.skills, ...parts },
})
const withUse = (facts: RunFacts, change: (calls: number) => number): RunFacts => {
  const { use = [] } = facts.deferral
  return {
    ...facts,
    deferral: { ...facts.deferral, use: use.map(({ id, calls }) => ({ id, calls: change(calls) })) },
  }
}

/** Two neighbours of the order the other way round. */
function swapped(one: string, other: string): readonly Gate[] {
  const gateOf = (id: string): Gate | undefined => order.find((gate) => gate.id === id)
  const place = new Map([
    [one, gateOf(other)],
    [other, gateOf(one)],
  ])
  return order.map((gate) => place.get(gate.id) ?? gate)
}

const mutants: readonly (readonly [bug: string, gates: readonly Gate[]])[] = [
  ['a name that a safety gate took away is handed on', instead('unique-name', uniqueNameWithTakeover)],
  ['nothing is reserved', blinded('unique-name', (standing) => ({ ...standing, reserved: [] }))],
  [
    'the last of a name wins',
    blinded('unique-name', (standing) => ({ ...standing, candidates: standing.candidates.toReversed() })),
  ],
  [
    'names are unique byte for byte only',
    mistaken('unique-name', (candidate) => ({
      ...candidate,
      standIn: candidate.name !== candidate.name.toLowerCase(),
    })),
  ],
  ['names are settled before the rules', swapped('permissions', 'unique-name')],
  ['tools are deferred before the rules', swapped('permissions', 'deferral')],
  ['the rules are not asked', without('permissions')],
  [
    'a deny is compared byte for byte',
    misled('permissions', (facts) =>
      withRules(facts, ({ effect, text }) => effect !== 'deny' || text === text.toLowerCase()),
    ),
  ],
  [
    'an allow lifts a deny of the same words',
    misled('permissions', (facts) =>
      withRules(
        facts,
        (rule, all) =>
          rule.effect !== 'deny' || !all.some((other) => other.effect === 'allow' && other.text === rule.text),
      ),
    ),
  ],
  [
    'only the first scope counts',
    misled('permissions', (facts) => withRules(facts, ({ scope }) => scope === 'config')),
  ],
  [
    'an allow by effect takes what may do more',
    mistaken('permissions', (candidate) => ({ ...candidate, effects: candidate.effects.slice(0, 1) })),
  ],
  ['nobody there is no matter', misled('permissions', (facts) => ({ ...facts, attended: { on: true } }))],
  [
    'a rule with a condition hides the whole tool',
    misled('permissions', (facts) => ({
      ...facts,
      permissions: {
        ...facts.permissions,
        rules: facts.permissions.rules.map((rule) => ({ ...rule, text: rule.text.replace(/\(.*\)$/, '') })),
      },
    })),
  ],
  [
    'the host shell opens to anything but undefined',
    misled('host-shell', (facts) => ({
      ...facts,
      sandbox: { ...facts.sandbox, allowHostBash: facts.sandbox.allowHostBash !== undefined },
    })),
  ],
  [
    'a sandbox stands around every shell',
    mistaken('host-shell', (candidate) => ({
      ...candidate,
      needs: candidate.needs.map((need) => (need === 'host-shell' ? 'shell' : need)),
    })),
  ],
  [
    'the host shell is known by its name',
    mistaken('host-shell', (candidate) => ({ ...candidate, needs: candidate.name === 'bash' ? ['host-shell'] : [] })),
  ],
  ['MCP is known by its letters', instead('mcp-switch', mcpSwitchBySubstring)],
  ['simple tools are known by their names', instead('simple-mode', simpleModeByName)],
  [
    'a broken skill is passed over',
    misled('skill-tools', (facts) =>
      withSkills(facts, { list: facts.skills.list.filter(({ malformed }) => malformed === undefined) }),
    ),
  ],
  [
    'a skill that allows nothing restricts nothing',
    misled('skill-tools', (facts) =>
      withSkills(facts, { list: facts.skills.list.filter(({ allowedTools }) => allowedTools?.length !== 0) }),
    ),
  ],
  ['skills that are not in use restrict', misled('skill-tools', (facts) => withSkills(facts, { mode: 'enabled' }))],
  [
    'an empty list of groups is no list',
    misled('tool-groups', (facts) => ({
      ...facts,
      agent: {
        ...facts.agent,
        ...(facts.agent.groups?.length === 0 ? { groups: undefined } : {}),
      } as RunFacts['agent'],
    })),
  ],
  [
    'a child has what its parent lacks',
    misled('delegation', ({ delegation: { parent: _parent, ...delegation }, ...facts }) => ({ ...facts, delegation })),
  ],
  [
    'a child may go one level deeper',
    misled('delegation', (facts) => ({
      ...facts,
      delegation: { ...facts.delegation, depthMax: facts.delegation.depthMax + 1 },
    })),
  ],
  ['a changed definition passes', misled('definition', ({ pins: _pins, ...facts }) => facts)],
  [
    'a model without tools gets some',
    misled('model-capability', (facts) => ({
      ...facts,
      model: { ...facts.model, can: ['tools', ...facts.model.can] },
    })),
  ],
  [
    'a server that is not approved is there',
    mistaken('availability', (candidate) =>
      candidate.availability.state === 'not-approved'
        ? { ...candidate, availability: { state: 'available' } }
        : candidate,
    ),
  ],
  [
    'the limit of the target is off by one',
    misled('provider-fit', (facts) => ({
      ...facts,
      target: { ...facts.target, toolsMax: (facts.target.toolsMax ?? 100) + 1 },
    })),
  ],
  [
    'names are not fitted',
    misled('provider-fit', (facts) => ({
      ...facts,
      target: { ...facts.target, nameCharset: 'word-dash-dot-colon', nameMax: 200 },
    })),
  ],
  [
    'pinned tools are deferred',
    misled('deferral', (facts) => ({ ...facts, deferral: { ...facts.deferral, always: [] } })),
  ],
  [
    'the budget is not kept',
    misled('deferral', (facts) => ({
      ...facts,
      deferral: { ...facts.deferral, budgetTokens: facts.deferral.budgetTokens * 2 },
    })),
  ],
  ['use is not looked at', misled('deferral', (facts) => withUse(facts, () => 0))],
  ['the least used stay', misled('deferral', (facts) => withUse(facts, (calls) => (calls > 0 ? 1000 / calls : 0)))],
  ['use is compared call by call', misled('deferral', (facts) => withUse(facts, (calls) => 2 ** calls))],
  [
    'a gate that throws lets through',
    order.map((gate) =>
      gate.id === 'delegation'
        ? { ...gate, open: () => () => ({ code: 'no-child', effect: 'abstain', evidence: {} }) }
        : gate,
    ),
  ],
]

let sound: readonly World[] = []
beforeAll(() => {
  // Only worlds on which the gates as they are agree with the oracle: what is seen there is the planted bug.
  sound = fc.sample(aWorld, { numRuns: worldsMax, seed: 15 }).filter((world) => differences(world, order).length === 0)
})

describe('gates that are broken on purpose', () => {
  it('are judged on worlds enough', () => {
    expect(sound.length).toBeGreaterThan(worldsMax * 0.9)
  })

  it.each(mutants)('are caught: %s', (_bug, gates) => {
    expect(sound.some((world) => differences(world, gates).length > 0)).toBe(true)
  })
})
