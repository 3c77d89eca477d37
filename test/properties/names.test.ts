// Who bears a name, what a faulty neighbour costs, and which words lead to a tool.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/decision.ts'
import { foldName } from '../../src/core/json.ts'
import { aliasTable } from '../../src/targets/alias-table.ts'
import { plainSchema, worldOf } from '../oracle/world.ts'
import { aWorld, worldPlan } from '../oracle/worlds.ts'
import { changedLines, decide, exposedIds, gates, holds, nothing, withCandidates } from './harness.ts'

const sources = ['config', 'builtin', 'mcp', 'acp', 'snapshot']

describe('one name, one tool [G9, S7]', () => {
  it('[P9] of all that stand, the first bears the name', () => {
    let losers = 0
    holds(aWorld, nothing, (world) => {
      const { decisions } = decide(world)
      return decisions.flatMap((decision, at) => {
        if (decision.code !== 'duplicate-name') return []
        losers += 1
        const winner = decisions.findIndex(({ candidate }) => candidate.id === decision.steps.at(-1)?.evidence.winner)
        const won = decisions[winner]
        const right =
          won !== undefined &&
          winner < at &&
          twins(won, decision) &&
          sources.indexOf(won.candidate.source) <= sources.indexOf(decision.candidate.source)
        return right ? [] : [`${decision.candidate.id} lost to ${won?.candidate.id}`]
      })
    })
    expect(losers).toBeGreaterThan(1000)
  })

  it('[P9] no two exposed tools bear names that differ in spelling only', () => {
    holds(aWorld, nothing, (world) => {
      const names = decide(world)
        .decisions.filter(isExposed)
        .map(({ name }) => foldName(name))
      return names.filter((name, at) => names.indexOf(name) !== at)
    })
  })

  it("[P9] what becomes of a loser never changes its winner's lot, nor anyone's", () => {
    const change = fc.constantFrom<(loser: Candidate) => Candidate[]>(
      () => [],
      (loser) => [
        {
          ...loser,
          group: 'g1',
          effects: ['execute'],
          definition: { description: 'changed', inputSchema: plainSchema },
          definitionHash: 'c'.repeat(64),
        },
      ],
      (loser) => [{ ...loser, role: 'shell', needs: ['vision'] }],
      (loser) => [{ ...loser, faults: [{ code: 'invalid-schema', detail: 'changed' }] }],
      (loser) => [{ ...loser, availability: { state: 'timed-out', detail: 'changed' } }],
    )
    holds(aWorld, change, (world, changed) => {
      const before = decide(world)
      const loser = before.decisions.find(({ code }) => code === 'duplicate-name')?.candidate
      if (loser === undefined) return undefined
      const candidates = world.candidates.flatMap((one) => (one.id === loser.id ? changed(one) : [one]))
      // Later twins lose to the same winner; they may be told another reason when the loser keeps its own claim.
      const isTwin = (decision: Decision) =>
        foldName(decision.candidate.name) === foldName(loser.name) && decision.outcome === 'excluded'
      return changedLines(before, decide(withCandidates(world, candidates)), (decision) => !isTwin(decision))
    })
  })

  it('[P10] a name that a safety gate took away is not taken over by a later source', () => {
    let kept = 0
    holds(aWorld, nothing, (world) => {
      const { decisions } = decide(world)
      return decisions.flatMap((decision, at) => {
        if (!reserving.has(`${decision.settledBy}/${decision.code}`)) return []
        kept += 1
        return decisions
          .slice(at + 1)
          .filter((other) => isExposed(other) && twins(decision, other))
          .map(({ candidate }) => `${candidate.id} bears the name of ${decision.candidate.id}`)
      })
    })
    expect(kept).toBeGreaterThan(1000)
  })

  it('[P10] the codes that keep a name are those of the safety gates', () => {
    const codes = gates.flatMap((gate) =>
      Object.entries(gate.reasons).flatMap(([code, { reserves }]) => (reserves === true ? [`${gate.id}/${code}`] : [])),
    )
    expect(codes.sort()).toEqual([...reserving].sort())
  })
})

describe('what a faulty neighbour costs [G12, G13]', () => {
  const bad = fc.record(
    {
      source: fc.constantFrom('config', 'mcp', 'acp'),
      name: fc.constantFrom('bad_one', 'bad one', '', '__proto__x', 'bad\nname', 'x'.repeat(200)),
      state: fc.constantFrom(undefined, 'timed-out', 'load-failed', 'login-needed'),
      schema: fc.constantFrom(
        { type: 'string' },
        {},
        { type: ['object'] },
        { type: 'object', properties: 7 },
        { type: 'object', required: 'x' },
        { type: 'object', $ref: '#' },
      ),
    },
    { noNullPrototype: true },
  )

  it('[P11] a bad tool changes nothing but itself', () => {
    holds(
      worldPlan.map((plan) => ({ ...worldOf(plan), plan })),
      fc.tuple(bad, fc.nat(12)),
      (world, [{ source, name, state, schema }, at]) => {
        const extra = worldOf({
          candidates: [
            {
              source,
              server: source === 'config' ? undefined : 's1',
              name,
              state,
              schema,
              fault: 'invalid-schema',
            } as never,
          ],
        }).candidates
        const place = placeOf(source, at, world.candidates)
        const [before, after] = [
          decide(world),
          decide(
            withCandidates(world, [...world.candidates.slice(0, place), ...extra, ...world.candidates.slice(place)]),
          ),
        ]
        const exposed = extra.filter(({ id }) => exposedIds(after).has(id)).map(({ id }) => `${id} is exposed`)
        return [
          ...exposed,
          ...changedLines(before, after, ({ candidate }) => !extra.some(({ id }) => id === candidate.id)),
        ]
      },
    )
  })

  it('[P11] a bad tool that bears the name of one that stands before it changes nothing but itself', () => {
    holds(aWorld, bad, (world, { state }) => {
      const first = decide(world).decisions.find(isExposed)?.candidate
      if (first === undefined) return undefined
      const twin: Candidate = {
        ...first,
        id: `${first.id}-twin`,
        faults: [{ code: 'invalid-schema', detail: 'bad' }],
        ...(state === undefined ? {} : { availability: { state, detail: 'bad' } }),
      }
      const at = world.candidates.findLastIndex(({ source }) => source === first.source) + 1
      const with_ = withCandidates(world, [...world.candidates.slice(0, at), twin, ...world.candidates.slice(at)])
      const isTwin = ({ candidate }: Decision) =>
        candidate.id !== first.id && foldName(candidate.name) === foldName(first.name)
      return changedLines(decide(world), decide(with_), (decision) => !isTwin(decision))
    })
  })

  it('[P11] a tool that breaks a gate costs itself only', () => {
    let failed = 0
    const poison = fc.constantFrom<Partial<Record<keyof Candidate, unknown>>>(
      { needs: null },
      { originalName: 7 },
      { definition: null },
      { availability: null },
      { definition: { description: 'x', inputSchema: null } },
    )
    holds(aWorld, poison, (world, parts) => {
      const broken = {
        ...worldOf({ candidates: [{ source: 'acp', server: 's9', name: 'broken' }] }).candidates[0],
        ...parts,
      } as Candidate
      const after = decide(withCandidates(world, [...world.candidates, broken]))
      if (after.decisions.at(-1)?.code === 'gate-failed') failed += 1
      const exposed = exposedIds(after).has(broken.id) ? ['the broken one is exposed'] : []
      return [...exposed, ...changedLines(decide(world), after, ({ candidate }) => candidate.id !== broken.id)]
    })
    expect(failed).toBeGreaterThan(1000)
  })
})

describe('words that lead to a tool [D1]', () => {
  it('[P3] what is exposed is what can be found, and nothing else can', () => {
    holds(aWorld, nothing, (world) => {
      const surface = decide(world)
      return surface.decisions.flatMap((decision) => {
        const found = surface.find(decision.name)
        if (isExposed(decision)) return found === decision ? [] : [`${decision.candidate.id} is not found by its name`]
        return found === undefined || isExposed(found) ? [] : [`${decision.candidate.id} is excluded and found`]
      })
    })
  })

  it('[P5] no other spelling of a name leads to the tool', () => {
    holds(aWorld, nothing, (world) => {
      const surface = decide(world)
      const borne = new Set(surface.decisions.filter(isExposed).map(({ name }) => name))
      return surface.decisions.flatMap(({ name, candidate }) =>
        respelled(name, candidate)
          .filter((other) => !borne.has(other) && surface.find(other) !== undefined)
          .map((other) => `${JSON.stringify(other)} leads to ${surface.find(other)?.candidate.id}`),
      )
    })
  })

  it('[P5] what is no text leads to nothing', () => {
    const others = [undefined, null, 0, {}, [], ['a'], { toString: () => 'a' }, Symbol('a')]
    holds(
      aWorld,
      fc.constantFrom(...others),
      (world, other) => (decide(world).find(other as never) === undefined ? undefined : 'found'),
      2000,
    )
  })

  it('[P13] every candidate is counted once, under one reason', () => {
    holds(aWorld, nothing, (world) => {
      const { totals, decisions, withOutcome } = decide(world)
      const reasons = new Map<string, number>()
      for (const { outcome, settledBy, code } of decisions)
        if (outcome === 'excluded') reasons.set(`${settledBy}/${code}`, (reasons.get(`${settledBy}/${code}`) ?? 0) + 1)
      const excluded = [...reasons.values()].reduce((sum, count) => sum + count, 0)
      const counts = [totals.candidates, totals.eager, totals.deferred, totals.excluded]
      const counted = [world.candidates.length, withOutcome('eager').length, withOutcome('deferred').length, excluded]
      const adds = totals.candidates === totals.eager + totals.deferred + totals.excluded
      return adds && counts.join() === counted.join() && decisions.length === totals.candidates
        ? undefined
        : `${counts} and ${counted}`
    })
  })
})

describe('names as the target takes them [G10]', () => {
  it('[P20] are of its form, one for each tool, and lead back', () => {
    let aliased = 0
    holds(aWorld, nothing, (world) => {
      const surface = decide(world)
      const { nameMax, nameCharset, nameStartsWithLetter } = world.facts.target
      const allowed = { word: /^\w+$/, 'word-dash': /^[\w-]+$/, 'word-dash-dot-colon': /^[\w.:-]+$/ }[nameCharset]
      const exposed = surface.decisions.filter(isExposed)
      const table = aliasTable(surface)
      if (table.size !== exposed.length) return 'two tools bear one name'
      return exposed.flatMap(({ name, candidate }) => {
        if (name !== candidate.name) aliased += 1
        const entry = table.get(name)
        const back =
          entry?.id === candidate.id &&
          entry.originalName === candidate.originalName &&
          entry.server === candidate.server
        const form = name.length <= nameMax && allowed.test(name) && (!nameStartsWithLetter || /^[A-Za-z_]/.test(name))
        return back && form ? [] : [`${candidate.id} as ${name}`]
      })
    })
    expect(aliased).toBeGreaterThan(1000)
  })

  it('gives no more tools at once than the target takes', () => {
    holds(aWorld, nothing, (world) => {
      const { toolsMax } = world.facts.target
      const eager = decide(world).totals.eager
      return toolsMax === undefined || eager <= toolsMax ? undefined : `${eager} at once, ${toolsMax} are taken`
    })
  })
})

const isExposed = ({ outcome }: Decision): boolean => outcome !== 'excluded'
const twins = (one: Decision, other: Decision): boolean =>
  foldName(one.candidate.name) === foldName(other.candidate.name)

const reserving = new Set([
  'definition/invalid-schema',
  'definition/definition-too-big',
  'definition/definition-not-approved',
  'definition/definition-changed',
  'host-shell/host-shell-closed',
  'permissions/denied-by-name',
])

/** A place among the candidates of a source, so that the order of sources is kept. */
function placeOf(source: string, at: number, candidates: readonly Candidate[]): number {
  const before = candidates.filter((one) => sources.indexOf(one.source) < sources.indexOf(source)).length
  const own = candidates.filter((one) => one.source === source).length
  return before + Math.min(at, own)
}

/** Spellings that a model, a person or an attacker may try instead. */
function respelled(name: string, { server, originalName, id, declaredName }: Candidate): string[] {
  const prefixed = [
    `mcp__${name}`,
    `mcp:${name}`,
    `${server}/${originalName}`,
    `mcp__${server}__${originalName}`,
    id,
    declaredName ?? `${name}.`,
  ]
  return [
    name.toUpperCase(),
    name.toLowerCase(),
    name.normalize('NFKC'),
    name.normalize('NFD'),
    ` ${name}`,
    `${name} `,
    `${name}\n`,
    `${name}\0`,
    `\u200b${name}`,
    `${name}\u200d`,
    name.replace('a', 'ａ'),
    name.replace('a', '\u0430'),
    name.replace(/[_.-]/, '-'),
    name.replace(/[_.-]/, '.'),
    ...prefixed,
  ]
}
