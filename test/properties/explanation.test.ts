// What would alter an outcome, tried out; and decisions made again from a log.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/core/decision.ts'
import type { Surface } from '../../src/core/surface.ts'
import { applyChanges } from '../../src/gates/apply-changes.ts'
import { gateOrder, type PresetName, presetNames } from '../../src/gates/order.ts'
import { logLines } from '../../src/report/decision-log.ts'
import { explain } from '../../src/report/explain.ts'
import { replay } from '../../src/report/replay.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { surfaceOf } from '../oracle/compare.ts'
import type { World } from '../oracle/world.ts'
import { aWorld } from '../oracle/worlds.ts'
import { decide, gates, holds, nothing, runOf, seldom } from './harness.ts'

/** Far more steps than a tool of these worlds can need. */
const stepsMax = 40

describe('the reason of a decision [D2, D3]', () => {
  it('[P12] is one gate and one code, after which nothing was asked', () => {
    holds(aWorld, nothing, (world) =>
      decide(world).decisions.flatMap((decision) => {
        const { steps, outcome, settledBy, code, candidate } = decision
        const excluding = steps.filter(({ effect }) => effect === 'exclude')
        const last = steps.at(-1)
        const inOrder = steps.every((step, at) => step.gate === gates[at]?.id)
        const right =
          outcome === 'excluded'
            ? excluding.length === 1 && last?.gate === settledBy && last.code === code
            : excluding.length === 0 && steps.length === gates.length
        return right && inOrder
          ? []
          : [`${candidate.id}: ${steps.map((step) => `${step.gate}/${step.code}`).join(' ')}`]
      }),
    )
  })

  it('[P12] once lifted, either exposes the tool or gives way to a later gate or another code', () => {
    const lifted = new Set<string>()
    holds(
      aWorld,
      nothing,
      (world) =>
        decide(world).decisions.flatMap((decision) => {
          const after = afterChange(world, decision)
          const reason = `${decision.settledBy}/${decision.code}`
          if (after === undefined) return canBeLifted(decision) ? [`${reason} offers no change`] : []
          lifted.add(reason)
          return movedOn(decision, after)
            ? []
            : [
                `${decision.candidate.id} stays ${decision.settledBy}/${decision.code}, then ${after.settledBy}/${after.code}`,
              ]
        }),
      3000,
    )
    expect(lifted.size).toBeGreaterThan(40)
  })

  it('[P12] lifted again and again, leads to the tool in the end', () => {
    let opened = 0
    holds(
      aWorld,
      nothing,
      (world) => {
        const [first] = decide(world).withOutcome('excluded')
        if (first === undefined) return undefined
        const told: string[] = []
        let [now, here] = [first, world]
        for (let step = 0; step < stepsMax && now.outcome === 'excluded'; step++) {
          const next = changedBy(here, now)
          if (next === undefined) return undefined
          here = next
          told.push(`${now.settledBy}/${now.code}`)
          const decision = decisionOn(decide(here), first.candidate.id)
          if (decision === undefined) return [`${first.candidate.id} is gone`, ...told]
          now = decision
        }
        if (now.outcome === 'excluded') return [`${first.candidate.id} never gets in`, ...told]
        opened += 1
        return undefined
      },
      3000,
    )
    expect(opened).toBeGreaterThan(500)
  })

  it('[P12] is told by `why` under every spelling, and what is told is what was decided', () => {
    holds(
      aWorld,
      nothing,
      (world) => {
        const surface = decide(world)
        const run = runOf(surface)
        return surface.decisions.flatMap(({ candidate, outcome, settledBy, code, name }) =>
          [candidate.id, name, candidate.originalName].flatMap((word) => {
            const told = explain(run, word, { lang: 'en' }).decisions.find(({ id }) => id === candidate.id)
            return told?.outcome === outcome && told.settledBy === settledBy && told.code === code
              ? []
              : [`${word}: ${told?.outcome} ${told?.settledBy}/${told?.code}`]
          }),
        )
      },
      seldom,
    )
  })
})

describe('decisions made again [D6]', () => {
  const gatesFor = (preset: string) =>
    presetNames.some((name) => name === preset) ? gateOrder[preset as PresetName] : undefined
  const options = { gatesFor, sha256, lang: 'en' } as const

  it('[P18] from 10,000 lines of log are bit-equal', () => {
    const lines: string[] = []
    let decisions = 0
    for (const [seq, world] of fc.sample(aWorld, { numRuns: 2000, seed: 18 }).entries()) {
      if (lines.length >= 10_000) break
      const surface = decide(world)
      decisions += surface.totals.candidates
      lines.push(...logLines(runOf(surface), { seq, at: '2026-01-01T00:00:00.000Z', sha256, written: new Set() }).lines)
    }
    expect(lines.length).toBeGreaterThanOrEqual(10_000)
    const { runs, findings } = replay(lines, options)
    expect(findings).toEqual([])
    expect(runs.filter(({ equal }) => !equal)).toEqual([])
    expect(runs.reduce((sum, run) => sum + run.decisions, 0)).toBe(decisions)
  })

  it('[P18] from an altered line are told to differ', () => {
    const altered = fc.tuple(fc.nat(), fc.constantFrom('outcome', 'code', 'settledBy', 'name'))
    let tried = 0
    holds(
      aWorld,
      altered,
      (world, [which, field]) => {
        const surface = decide(world)
        if (surface.decisions.length === 0) return undefined
        tried += 1
        const { lines } = logLines(runOf(surface), {
          seq: 1,
          at: '2026-01-01T00:00:00.000Z',
          sha256,
          written: new Set(),
        })
        const first = lines.findIndex((line) => line.startsWith('{"type":"decision"'))
        const at = first + (which % surface.decisions.length)
        const forged = lines.map((line, index) =>
          index === at ? JSON.stringify({ ...JSON.parse(line), [field]: 'forged' }) : line,
        )
        return replay(forged, options).runs.some(({ equal }) => equal)
          ? `${field} of line ${at} was altered and nobody saw`
          : undefined
      },
      seldom,
    )
    expect(tried).toBeGreaterThan(500)
  })
})

const decisionOn = ({ decisions }: Surface, id: string): Decision | undefined =>
  decisions.find(({ candidate }) => candidate.id === id)

/** Whatever is not exposed at once: but with nothing at the door that could wait, nothing gives a search what to find. */
const canBeLifted = ({ outcome, code }: Decision): boolean => outcome !== 'eager' && code !== 'catalog-empty'

/** The world in which the settling code's own offer is taken up; undefined when it makes none. */
function changedBy({ facts, candidates }: World, decision: Decision): World | undefined {
  const step = decision.steps.at(-1)
  const settling = decision.outcome === 'excluded' ? step : decision.steps.find(({ effect }) => effect === 'defer')
  const reason = gates.find(({ id }) => id === settling?.gate)?.reasons[settling?.code ?? '']
  const changes = settling === undefined ? undefined : reason?.change?.(settling.evidence, decision.candidate, facts)
  return changes === undefined || changes.length === 0
    ? undefined
    : applyChanges({ facts, candidates }, decision.candidate.id, changes)
}

function afterChange(world: World, decision: Decision): Decision | undefined {
  const changed = changedBy(world, decision)
  return changed === undefined ? undefined : decisionOn(surfaceOf(changed, gates), decision.candidate.id)
}

/**
 * Exposed now, or further on its way, or held by the same gate for another reason. A new name is a new question to
 * every gate, so after that the way may begin again. Where places are few, a tool that must not wait may find none.
 */
function movedOn(before: Decision, after: Decision): boolean {
  if (after.code === before.code && after.settledBy === before.settledBy) return false
  if (before.outcome === 'deferred') return after.outcome === 'eager' || after.code === 'over-target-cap'
  const [was, is] = [before, after].map(({ settledBy }) => gates.findIndex(({ id }) => id === settledBy))
  return after.outcome !== 'excluded' || before.settledBy === 'unique-name' || Number(is) >= Number(was)
}
