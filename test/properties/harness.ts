// What the properties share: how often each is tried, and the product's own gates.

import fc from 'fast-check'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { Gate } from '../../src/core/gate.ts'
import type { RunFacts } from '../../src/core/run-facts.ts'
import type { Surface } from '../../src/core/surface.ts'
import { gateOrder } from '../../src/gates/order.ts'
import type { Run } from '../../src/report/run.ts'
import { surfaceOf } from '../oracle/compare.ts'
import { type World, worldText } from '../oracle/world.ts'

/** Tries of a property that costs little. */
export const often = 10_000
/** Tries of one that explains, replays or routes. */
export const seldom = 1000

export const gates: readonly Gate[] = gateOrder.default

/** The surface of a world under the default order. */
export const decide = (world: World): Surface => surfaceOf(world, gates)

/** A run as reports read it. */
export const runOf = (surface: Surface): Run => ({ surface, gates, preset: 'default', servers: [], findings: [] })

/** Identities of what the model has, now or on request. */
export const exposedIds = ({ decisions }: Surface): Set<string> =>
  new Set(decisions.flatMap(({ outcome, candidate }) => (outcome === 'excluded' ? [] : [candidate.id])))

export const isSubset = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].every((id) => other.has(id))

/** The world under changed facts. */
export const withFacts = ({ candidates, facts }: World, changed: Partial<RunFacts>): World => ({
  candidates,
  facts: { ...facts, ...changed },
})

/** The world with other candidates. */
export const withCandidates = ({ facts }: World, candidates: readonly Candidate[]): World => ({ facts, candidates })

/** A rule of a scope of its own, added to those of the world. */
export function withRule(world: World, effect: 'deny' | 'ask' | 'allow', text: string): World {
  const { permissions } = world.facts
  const rule = { effect, text, scope: 'added', origin: { in: 'added' } }
  return withFacts(world, { permissions: { ...permissions, rules: [...permissions.rules, rule] } })
}

/**
 * Tries a property of worlds (and of something beside them): `judge` gives what is wrong, or nothing. A failure throws
 * with the smallest world as text, and with the seed and the path that find it again.
 */
export function holds<Beside>(
  worlds: fc.Arbitrary<World>,
  beside: fc.Arbitrary<Beside>,
  judge: (world: World, beside: Beside) => string | readonly string[] | undefined,
  numRuns = often,
): void {
  const property = fc.property(worlds, beside, (world, other) => {
    const wrong = judge(world, other)
    if (wrong !== undefined && wrong.length > 0)
      throw new Error(`${[wrong].flat().join('\n')}\nbeside ${fc.stringify(other)}\n${worldText(world)}`)
  })
  fc.assert(property, { numRuns })
}

/**
 * A decision as text: the lot of the tool, and the reason where it is not exposed. An alias may change with its
 * neighbours, because it keeps clear of the names that they bear or keep, so it is not told letter by letter.
 */
export function toldAs({ candidate, name, outcome, settledBy, code, approval }: Decision): string {
  const shown = name === candidate.name ? name : 'an alias'
  return outcome === 'excluded'
    ? `${candidate.id}: excluded by ${settledBy}/${code}`
    : `${candidate.id} as ${shown}: ${outcome}, ${approval}`
}

/** Lines that only one of two surfaces has. */
export function changedLines(
  before: Surface,
  after: Surface,
  counts: (decision: Decision) => boolean = () => true,
): string[] {
  const lines = (surface: Surface): Set<string> => new Set(surface.decisions.filter(counts).map(toldAs))
  const [one, other] = [lines(before), lines(after)]
  return [
    ...[...one].filter((line) => !other.has(line)).map((line) => `before ${line}`),
    ...[...other].filter((line) => !one.has(line)).map((line) => `after  ${line}`),
  ]
}

export const nothing: fc.Arbitrary<undefined> = fc.constant(undefined)
