// What a child may have of its parent's tools.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunFacts } from '../../src/core/run-facts.ts'
import type { Surface } from '../../src/core/surface.ts'
import type { World } from '../oracle/world.ts'
import { aWorld } from '../oracle/worlds.ts'
import { decide, exposedIds, holds, isSubset, withFacts } from './harness.ts'

/** The run of a child, with wishes of its own, under a parent that has this surface. */
function childOf(parent: Surface, world: World, wishes: RunFacts): World {
  const { allow, deny } = wishes.delegation
  return withFacts(world, {
    ...wishes,
    target: world.facts.target,
    delegation: {
      enabled: world.facts.delegation.enabled,
      depth: parent.facts.delegation.depth + 1,
      depthMax: world.facts.delegation.depthMax,
      parent: { agent: parent.facts.agent.name, tools: [...exposedIds(parent)] },
      ...(allow === undefined ? {} : { allow }),
      ...(deny === undefined ? {} : { deny }),
    },
  })
}

const wishes = aWorld.map(({ facts }) => facts)

describe('the surface of a child [G8]', () => {
  it('[P14] lies inside that of its parent, three levels down', () => {
    let held = 0
    holds(
      aWorld,
      fc.tuple(wishes, wishes, wishes),
      (world, levels) => {
        const wrong: string[] = []
        let parent = decide(world)
        for (const [at, level] of levels.entries()) {
          const child = decide(childOf(parent, world, level))
          if (!isSubset(exposedIds(child), exposedIds(parent)))
            wrong.push(`level ${at + 1} has ${[...exposedIds(child)]}, its parent ${[...exposedIds(parent)]}`)
          held += exposedIds(child).size
          parent = child
        }
        return wrong
      },
      5000,
    )
    expect(held).toBeGreaterThan(1000)
  })

  it('[P14] can start children of its own only above the limit of depth', () => {
    let starting = 0
    holds(aWorld, fc.tuple(wishes, fc.integer({ min: 1, max: 4 })), (given, [level, depthMax]) => {
      const { depth, enabled } = given.facts.delegation
      const world = withFacts(given, { delegation: { ...given.facts.delegation, depthMax } })
      const child = decide(childOf(decide(world), world, level))
      const delegating = child.decisions.filter(
        ({ outcome, candidate }) => outcome !== 'excluded' && candidate.role === 'subagent',
      )
      starting += delegating.length
      return delegating.length === 0 || (enabled && depth + 1 < depthMax)
        ? undefined
        : `${delegating[0]?.candidate.id} at depth ${depth + 1} of ${depthMax}`
    })
    expect(starting).toBeGreaterThan(20)
  })

  it('[P14] with wishes like those of its parent is that of its parent, without what starts children', () => {
    holds(aWorld, fc.constant(undefined), (world) => {
      const { delegation, ...facts } = world.facts
      const parent = decide(world)
      const lists = {
        ...(delegation.allow === undefined ? {} : { allow: delegation.allow }),
        ...(delegation.deny === undefined ? {} : { deny: delegation.deny }),
      }
      const child = decide(
        withFacts(world, {
          ...facts,
          delegation: {
            ...lists,
            enabled: true,
            depth: 1,
            depthMax: 1,
            parent: { agent: 'main', tools: [...exposedIds(parent)] },
          },
        }),
      )
      const starting = new Set(world.candidates.filter(({ role }) => role === 'subagent').map(({ id }) => id))
      const expected = [...exposedIds(parent)].filter((id) => !starting.has(id))
      // What was deferred beside a tool that starts children may now fit, and then there is nothing to search for.
      const searching = (id: string) => world.candidates.some((one) => one.id === id && one.role === 'tool-search')
      const has = exposedIds(child)
      return expected.filter((id) => !has.has(id) && !searching(id))
    })
  })
})
