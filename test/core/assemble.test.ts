import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import { abstains, admits, defers, defineGate, excludes, type Gate, type Verdict } from '../../src/core/gate.ts'
import { canonicalJson, deepFreeze, type Json } from '../../src/core/json.ts'
import { aCandidate, sha256, someCandidates, someFacts } from '../../src/testing/index.ts'

const words = { en: () => 'so it is', zh: () => '如此' }

/** A gate that gives a set verdict by original name, else abstains. */
function gateThat(id: string, verdicts: { readonly [name: string]: 'yes' | 'later' | 'no' | 'kept' }): Gate {
  return defineGate({
    id,
    asks: { en: 'Is it so?', zh: '是否如此？' },
    reasons: {
      none: abstains({ say: words }),
      yes: admits({ say: words }),
      later: defers({ say: words, hint: words }),
      no: excludes({ say: words, hint: words }),
      kept: excludes({ say: words, hint: words, reserves: true }),
    },
    open: (_facts, _standing, because) => (candidate) => because(verdicts[candidate.originalName] ?? 'none', {}),
  })
}

const [a, b, c] = ['a', 'b', 'c'].map((originalName) => aCandidate({ originalName })) as [
  Candidate,
  Candidate,
  Candidate,
]
const run = (gates: readonly Gate[], candidates: readonly Candidate[] = [a, b, c]) =>
  assemble(someFacts(), candidates, gates, { sha256 })

describe('assemble [D1] [D2]', () => {
  test('walks a candidate until a gate excludes it, and settles it there', () => {
    const surface = run([gateThat('one', { a: 'yes', b: 'no' }), gateThat('two', { a: 'later' })])
    expect(surface.decisions.map(({ name, outcome, settledBy, code }) => [name, outcome, settledBy, code])).toEqual([
      ['a', 'deferred', 'two', 'later'],
      ['b', 'excluded', 'one', 'no'],
      ['c', 'eager', 'two', 'none'],
    ])
    expect(surface.decisions.map(({ steps }) => steps.map(({ gate }) => gate))).toEqual([
      ['one', 'two'],
      ['one'],
      ['one', 'two'],
    ])
    expect(surface.totals).toEqual({ candidates: 3, eager: 1, deferred: 1, excluded: 1 })
  })

  test('lets a later gate exclude what an earlier one deferred', () => {
    const surface = run([gateThat('one', { a: 'later' }), gateThat('two', { a: 'no' })])
    expect(surface.decisions[0]).toMatchObject({ outcome: 'excluded', settledBy: 'two', code: 'no' })
  })

  test('names the last gate that admitted as the one that settled', () => {
    const surface = run([gateThat('one', { a: 'yes' }), gateThat('two', { a: 'yes' }), gateThat('three', {})])
    expect(surface.decisions[0]).toMatchObject({ outcome: 'eager', settledBy: 'two' })
  })

  test('makes everything eager when there are no gates', () => {
    expect(run([]).decisions.map(({ settledBy, code }) => [settledBy, code])).toEqual(
      Array(3).fill(['no-gate', 'no-gate']),
    )
  })

  test('tells later gates who stands and which names are reserved', () => {
    const seen: unknown[] = []
    const probe: Gate = {
      ...gateThat('probe', {}),
      open: (_facts, standing) => {
        seen.push(
          standing.candidates.map(({ id }) => id),
          standing.reserved,
        )
        return () => ({ code: 'none', effect: 'abstain', evidence: {} })
      },
    }
    run([gateThat('one', { a: 'kept', b: 'no' }), probe])
    expect(seen).toMatchObject([['config:c'], [{ name: 'a', id: 'config:a', gate: 'one', code: 'kept' }]])
  })

  test('hands amended names, definitions and rules on', () => {
    const rule = { effect: 'deny', text: 'a(x:1)', scope: 'config', origin: { in: 'f' } } as const
    const amending = (id: string, amends: Verdict['amends']): Gate => ({
      ...gateThat(id, {}),
      open: () => () => ({ code: 'yes', effect: 'admit', evidence: {}, amends }),
    })
    const definition = { description: 'other', inputSchema: { type: 'object' } }
    let seen: readonly [string, number] | undefined
    const probe: Gate = {
      ...gateThat('probe', {}),
      open: (_facts, standing) => (candidate) => {
        seen = [standing.nameOf(candidate), standing.charsOf(candidate)]
        return { code: 'none', effect: 'abstain', evidence: {} }
      },
    }
    const gates = [
      amending('one', { name: 'alias', conditions: [rule], approval: 'ask' }),
      amending('two', { definition, definitionChars: 7, conditions: [rule] }),
      probe,
    ]
    const [decision] = run(gates, [a]).decisions
    expect(seen).toEqual(['alias', 7])
    expect(decision).toMatchObject({
      name: 'alias',
      approval: 'ask',
      conditions: [rule, rule],
      definition,
      definitionChars: 7,
    })
  })
})

describe('a gate that fails [G14]', () => {
  const broken = (open: Gate['open']): Gate => ({ ...gateThat('broken', {}), open })
  const failing: readonly (readonly [string, Gate])[] = [
    [
      'throws when it is opened',
      broken(() => {
        throw new Error('no use')
      }),
    ],
    [
      'throws when it judges',
      broken(() => () => {
        throw new Error('no use')
      }),
    ],
    [
      'throws what is no error',
      broken(() => () => {
        throw 'no use'
      }),
    ],
    ['gives no verdict', broken(() => () => undefined as unknown as Verdict)],
    ['gives a code that is not in its table', broken(() => () => ({ code: 'made-up', effect: 'admit', evidence: {} }))],
  ]

  test.each(failing)('that %s excludes, and the gates after it go on', (_name, gate) => {
    const surface = run([gateThat('first', {}), gate, gateThat('last', {})])
    expect(surface.decisions.map(({ outcome, settledBy, code }) => [outcome, settledBy, code])).toEqual(
      Array(3).fill(['excluded', 'broken', 'gate-failed']),
    )
  })

  test('costs only the candidate it fails on', () => {
    const gate = broken(() => ({ originalName }) => {
      if (originalName === 'b') throw new Error('only b')
      return { code: 'yes', effect: 'admit', evidence: {} }
    })
    expect(run([gate]).decisions.map(({ code }) => code)).toEqual(['yes', 'gate-failed', 'yes'])
  })

  test('does not fill a report with its message', () => {
    const gate = broken(() => {
      throw new Error('x'.repeat(10_000))
    })
    expect(JSON.stringify(run([gate]).decisions[0]?.steps).length).toBeLessThan(500)
  })
})

describe('a surface [D1]', () => {
  test('is frozen, and its input is not touched', () => {
    const facts = deepFreeze(someFacts())
    const candidates = deepFreeze(someCandidates())
    const surface = assemble(facts, candidates, [gateThat('one', { bash: 'no' })], { sha256 })
    const parts = [surface, surface.gates, surface.decisions, surface.totals, ...surface.decisions]
    const deeper = surface.decisions.flatMap(({ steps, conditions }) => [steps, conditions, ...steps])
    expect([...parts, ...deeper].every(Object.isFrozen)).toBe(true)
  })

  test('has the same bytes for the same input, and another hash for another outcome (P7)', () => {
    const gate = gateThat('one', { read_file: 'no' })
    const bytes = (): string => canonicalJson(run([gate], someCandidates()).decisions as unknown as Json)
    expect(bytes()).toBe(bytes())
    expect(run([gate]).hash).toBe(run([gate]).hash)
    expect(run([gateThat('one', { a: 'no' })]).hash).not.toBe(run([gateThat('one', { b: 'no' })]).hash)
  })

  test('has another hash for another definition behind the same name', () => {
    const changed = aCandidate({
      originalName: 'a',
      definition: { description: 'other', inputSchema: { type: 'object' } },
    })
    expect(run([], [a]).hash).not.toBe(run([], [changed]).hash)
  })

  test('counts add up, and each candidate has one settling step (P12) (P13)', () => {
    const verdict = fc.constantFrom('yes' as const, 'later' as const, 'no' as const, 'kept' as const)
    const table = fc.dictionary(fc.constantFrom('a', 'b', 'c'), verdict)
    fc.assert(
      fc.property(fc.array(table, { maxLength: 4 }), (tables) => {
        const { totals, decisions } = run(tables.map((verdicts, at) => gateThat(`g${at}`, verdicts)))
        expect(totals.eager + totals.deferred + totals.excluded).toBe(totals.candidates)
        for (const { outcome, steps, settledBy, code } of decisions) {
          expect(steps.filter(({ effect }) => effect === 'exclude').length).toBe(outcome === 'excluded' ? 1 : 0)
          if (outcome === 'excluded') expect(steps.at(-1)).toMatchObject({ gate: settledBy, code })
        }
      }),
    )
  })
})
