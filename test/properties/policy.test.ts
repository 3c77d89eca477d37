// What adding and taking away rules, and their order, may do to a surface.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/core/decision.ts'
import { canonicalJson, type Json } from '../../src/core/json.ts'
import type { Surface } from '../../src/core/surface.ts'
import type { World } from '../oracle/world.ts'
import { aRule, aWorld, names } from '../oracle/worlds.ts'
import { changedLines, decide, exposedIds, holds, nothing, withCandidates, withFacts, withRule } from './harness.ts'

const aText = aRule.map(([, text]) => text)

describe('rules that are added or taken away [G6]', () => {
  it('[P1] adding a deny never adds a tool, but for one that the denied tool alone kept out', () => {
    holds(aWorld, aText, (world, text) => {
      const [before, after] = [decide(world), decide(withRule(world, 'deny', text))]
      return added(before, after).filter((id) => !stoodAside(id, before, after))
    })
  })

  it('[P1] adding a deny of a bare name never hands the name to another tool', () => {
    holds(aWorld, fc.constantFrom(...names.slice(0, 11)), (world, name) => {
      const [before, after] = [decide(world), decide(withRule(world, 'deny', name))]
      return added(before, after).filter(
        (id) =>
          settled(before, id) !== 'provider-fit/over-target-cap' && settled(before, id) !== 'deferral/catalog-empty',
      )
    })
  })

  it('[P1] adding a deny never frees a tool from asking', () => {
    holds(aWorld, aText, (world, text) => {
      const [before, after] = [decide(world), decide(withRule(world, 'deny', text))]
      const free = (surface: Surface) =>
        new Set(surface.decisions.filter(({ approval }) => approval === 'free').map(({ candidate }) => candidate.id))
      const [freeBefore, exposedBefore] = [free(before), exposedIds(before)]
      return [...exposedIds(after)].filter((id) => exposedBefore.has(id) && free(after).has(id) && !freeBefore.has(id))
    })
  })

  it('[P2] adding an allow never removes a tool, but for one whose name or place the allowed tool takes', () => {
    holds(aWorld, aText, (world, text) => {
      const [without, allowed] = [decide(world), decide(withRule(world, 'allow', text))]
      const took = added(without, allowed).length > 0
      return added(allowed, without).filter((id) => !(took && displacing.has(settled(allowed, id))))
    })
  })

  it('[P2] adding an allow never makes a tool need asking', () => {
    holds(aWorld, aText, (world, text) => {
      const [without, allowed] = [decide(world), decide(withRule(world, 'allow', text))]
      return without.decisions
        .filter(({ approval, outcome }) => approval === 'free' && outcome !== 'excluded')
        .filter(({ candidate }) =>
          allowed.decisions.some((other) => other.candidate.id === candidate.id && other.approval === 'ask'),
        )
        .map(({ candidate }) => candidate.id)
    })
  })

  it('[P6] the order of rules makes no difference', () => {
    holds(aWorld, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (world, keys) => {
      const { permissions } = world.facts
      const rules = permissions.rules
        .map((rule, at) => ({ rule, key: keys[at] ?? 0 }))
        .sort((one, other) => one.key - other.key)
        .map(({ rule }) => rule)
      const [before, after] = [decide(world), decide(withFacts(world, { permissions: { ...permissions, rules } }))]
      return bytesOf(before) === bytesOf(after) ? undefined : ['the bytes differ', ...changedLines(before, after)]
    })
  })

  it('[P6] rules given twice count once', () => {
    holds(aWorld, nothing, (world) => {
      const { permissions } = world.facts
      const rules = [...permissions.rules, ...permissions.rules]
      return changedLines(decide(world), decide(withFacts(world, { permissions: { ...permissions, rules } })))
    })
  })

  it('[P6] the order of servers makes no difference where tools do not compete', () => {
    let compared = 0
    holds(aWorld, nothing, (world) => {
      if (competes(world)) return undefined
      compared += 1
      const of = (source: string, server?: string) =>
        world.candidates.filter((one) => one.source === source && (server === undefined || one.server === server))
      const candidates = [...of('config'), ...of('builtin'), ...of('mcp', 's2'), ...of('mcp', 's1'), ...of('acp')]
      return changedLines(decide(world), decide(withCandidates(world, candidates)))
    })
    expect(compared).toBeGreaterThan(1000)
  })
})

/** What the second surface has and the first has not. */
function added(before: Surface, after: Surface): string[] {
  const had = exposedIds(before)
  return [...exposedIds(after)].filter((id) => !had.has(id))
}

const decisionOn = (surface: Surface, id: string): Decision | undefined =>
  surface.decisions.find(({ candidate }) => candidate.id === id)
const settled = (surface: Surface, id: string): string =>
  `${decisionOn(surface, id)?.settledBy}/${decisionOn(surface, id)?.code}`

/**
 * True when it was kept out only by a tool that is there no more: the winner of its name (denied for its own server
 * alone), the holder of a place under the target's cap, or, for the search tool, the lack of anything to search.
 */
function stoodAside(id: string, before: Surface, after: Surface): boolean {
  const evidence = decisionOn(before, id)?.steps.at(-1)?.evidence
  const lost = new Set(added(after, before))
  const why = settled(before, id)
  if (why === 'unique-name/duplicate-name') {
    const winner = String(evidence?.winner)
    // A winner that had no place under the cap held the name all the same, until it was denied.
    const denied =
      !settled(before, winner).startsWith('permissions/') && settled(after, winner).startsWith('permissions/')
    return denied || lost.has(winner) || stoodAside(winner, before, after)
  }
  return lost.size > 0 && (why === 'provider-fit/over-target-cap' || why === 'deferral/catalog-empty')
}

/** Codes by which one tool stands in the way of another. */
const displacing = new Set(['unique-name/duplicate-name', 'provider-fit/over-target-cap', 'deferral/catalog-empty'])

/** Tools compete for a name, an alias, a place, or the budget. */
function competes({ candidates, facts }: World): boolean {
  const spelled = candidates.map(({ name }) => name.normalize('NFKC').toLowerCase().replace(/[.-]/g, '_'))
  return new Set(spelled).size < spelled.length || facts.target.toolsMax !== undefined || facts.deferral.mode === 'auto'
}

/** All that was said, but for definitions, which the hash covers. */
const bytesOf = ({ decisions, hash }: Surface): string =>
  hash + canonicalJson(decisions.map(({ steps, conditions }) => [steps, conditions]) as unknown as Json)
