// Every door reads the one surface: what a rule denies is behind none of them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import { type Surface, spellings } from '../../src/core/surface.ts'
import { gateOrder } from '../../src/gates/order.ts'
import { bootstrap } from '../../src/report/bootstrap.ts'
import { logLines } from '../../src/report/decision-log.ts'
import { explain } from '../../src/report/explain.ts'
import { lockOf } from '../../src/report/lock.ts'
import { replay } from '../../src/report/replay.ts'
import { route } from '../../src/report/route.ts'
import { show } from '../../src/report/show.ts'
import { snapshotOf } from '../../src/report/snapshot.ts'
import { toolsReport } from '../../src/report/tools-report.ts'
import { sha256 } from '../../src/sources/sha256.ts'
import { readCandidate } from '../../src/sources/snapshot-candidate.ts'
import { aliasTable } from '../../src/targets/alias-table.ts'
import type { World } from '../oracle/world.ts'
import { aWorld, names } from '../oracle/worlds.ts'
import { decide, exposedIds, holds, runOf, seldom, withFacts, withRule } from './harness.ts'

/** Ways in which an operator may write a name that is denied. */
const respelled = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replace(/[_.]/g, '-'),
  (name) => name.replace('a', 'ａ'),
  (name) => `${name.slice(0, 1)}*`,
  (name) => `*${name.slice(-1)}`,
)
const denied = fc.tuple(fc.constantFrom(...names.slice(0, 11)), respelled)

/** A world and a rule that denies a name in it, with all tools that bear it. */
function denying(world: World, [name, respell]: readonly [string, (name: string) => string]) {
  const surface = decide(withRule(world, 'deny', respell(name)))
  const banned = surface.decisions
    .map(({ candidate }) => candidate)
    .filter((candidate) => candidate.name === name || candidate.originalName === name)
  return { surface, banned, ids: new Set(banned.map(({ id }) => id)) }
}

describe('a denied tool [D1, D8]', () => {
  it('[P4] is not found, listed or called under any spelling', () => {
    holds(aWorld, denied, (world, rule) => {
      const { surface, banned, ids } = denying(world, rule)
      const table = aliasTable(surface)
      const listed = [...surface.withOutcome('eager'), ...surface.withOutcome('deferred')]
      return [
        ...listed.filter(({ candidate }) => ids.has(candidate.id)).map(({ candidate }) => `${candidate.id} is listed`),
        ...[...table.values()].filter(({ id }) => ids.has(id)).map(({ id }) => `${id} is in the table of names`),
        ...banned.flatMap((candidate) =>
          wordsFor(candidate, surface)
            .filter((word) => ids.has(surface.find(word)?.candidate.id ?? ''))
            .map((word) => `${candidate.id} is found as ${word}`),
        ),
      ]
    })
  })

  it('[P4] is not exposed by any report', () => {
    let told = 0
    holds(
      aWorld,
      denied,
      (world, rule) => {
        const { surface, banned, ids } = denying(world, rule)
        const run = runOf(surface)
        const lang = 'en'
        told += banned.length
        const report = toolsReport(run, { lang })
        const routes = banned.flatMap(({ name }) => route(run, `please use ${name} now`, { lang, limit: 50 }).matches)
        const exposing = [
          ...report.decisions
            .filter(({ id, outcome }) => ids.has(id) && outcome !== 'excluded')
            .map(({ id }) => `tools exposes ${id}`),
          ...routes.filter(({ id }) => ids.has(id)).map(({ id }) => `route leads to ${id}`),
          ...banned.flatMap(({ name, id }) =>
            explain(run, name, { lang })
              .decisions.filter((one) => one.id === id && one.outcome !== 'excluded')
              .map(() => `why exposes ${id}`),
          ),
          ...banned.flatMap(({ id }) =>
            show(run, id, { lang })
              .tools.filter((one) => one.id === id && one.outcome !== 'excluded')
              .map(() => `show exposes ${id}`),
          ),
        ]
        const locked = new Set(lockOf(run, sha256).tools.map(({ id }) => id))
        return [...exposing, ...[...ids].filter((id) => locked.has(id)).map((id) => `lock holds ${id}`)]
      },
      seldom,
    )
    expect(told).toBeGreaterThan(200)
  })

  it('[P4] is not in the bootstrap report as something to use', () => {
    holds(
      aWorld,
      denied,
      (world, rule) => {
        const { surface, ids } = denying(world, rule)
        const report = bootstrap(runOf(surface), { lang: 'en', prompt: `use ${rule[0]}` })
        const offered = [...report.eager, ...report.deferred].map(
          (name) => surface.find(name)?.candidate.id ?? `nothing behind ${name}`,
        )
        const routed = (report.route?.matches ?? []).map(({ id }) => id)
        const wrong = [...offered, ...routed].filter((id) => ids.has(id) || id.startsWith('nothing'))
        return offered.length === surface.totals.eager + surface.totals.deferred
          ? wrong
          : ['it does not offer what the surface has', ...wrong]
      },
      seldom,
    )
  })

  it('[P4] does not come back to a child whose parent is said to have it', () => {
    holds(aWorld, denied, (world, [name, respell]) => {
      const all = world.candidates.map(({ id }) => id)
      const { delegation } = world.facts
      const child = withFacts(world, {
        delegation: { ...delegation, enabled: true, depth: 1, parent: { agent: 'main', tools: all } },
      })
      const { surface, ids } = denying(child, [name, respell])
      return [...exposedIds(surface)].filter((id) => ids.has(id))
    })
  })

  it('[P4] does not come back with a stored inventory or a replayed log', () => {
    holds(
      aWorld,
      denied,
      (world, rule) => {
        const { surface, ids } = denying(world, rule)
        const stored = JSON.parse(JSON.stringify(snapshotOf(runOf(surface), '2026-01-01T00:00:00Z'))) as {
          facts: World['facts']
          candidates: []
        }
        const candidates = stored.candidates
          .map((entry) => readCandidate(entry))
          .filter((one): one is Candidate => typeof one !== 'string')
        const restored = decide({ facts: stored.facts, candidates })
        const { lines } = logLines(runOf(surface), { seq: 1, at: '2026-01-01T00:00:00Z', sha256, written: new Set() })
        const { runs } = replay(lines, { gatesFor: () => gateOrder.default, sha256, lang: 'en' })
        return [
          ...[...exposedIds(restored)].filter((id) => ids.has(id)).map((id) => `${id} is back`),
          ...(candidates.length === surface.totals.candidates && restored.hash === surface.hash
            ? []
            : ['the restored surface is another']),
          ...(runs.every(({ equal }) => equal) ? [] : ['the replayed surface is another']),
        ]
      },
      seldom,
    )
  })
})

/** What a model or a person may call it by. */
function wordsFor(candidate: Candidate, surface: Surface): string[] {
  const decision = surface.decisions.find((one) => one.candidate === candidate)
  const words = decision === undefined ? [] : spellings(decision)
  return words.flatMap((word) => [
    word,
    word.toUpperCase(),
    word.toLowerCase(),
    word.normalize('NFKC'),
    ` ${word}`,
    `${word}\n`,
    `\u200b${word}`,
    `mcp__${word}`,
  ])
}
