// The suite itself: a good gate passes every check, and each check finds the fault it is there for.

import { describe, expect, test } from 'vitest'
import { abstains, admits, defers, defineGate, excludes, type Gate, type Verdict } from '../../src/core/gate.ts'
import { aCandidate, aWorld, describeGate } from '../../src/testing/index.ts'

const words = { en: () => 'so it is', zh: () => '如此' }

/** Keeps out what is in the group "night". */
const good = defineGate({
  id: 'office-hours',
  asks: { en: 'Is the tool for office hours?', zh: '该工具是否用于办公时间？' },
  reasons: {
    day: abstains({ say: words }),
    night: excludes<{ readonly group: string }>({
      say: words,
      hint: words,
      change: () => [{ on: 'candidate', op: 'unset', path: ['group'] }],
    }),
  },
  open: (_facts, _standing, because) => (candidate) =>
    candidate.group === 'night' ? because('night', { group: 'night' }) : because('day', {}),
})
const worlds = [aWorld({}, aCandidate(), aCandidate({ originalName: 'owl', group: 'night' }))]

const failed = (gate: Gate, given = worlds): readonly string[] =>
  describeGate(gate, { worlds: given }).flatMap(({ name, run }) => {
    try {
      run()
      return []
    } catch {
      return [name.replace(`${gate.id}: `, '')]
    }
  })

const says = (en: string): Gate => ({
  ...good,
  reasons: { ...good.reasons, day: abstains({ say: { ...words, en: () => en } }) },
})
const gives = (verdict: Partial<Verdict>): Gate => ({
  ...good,
  open: (facts, standing) => (candidate) => ({ ...good.open(facts, standing)(candidate), ...verdict }),
})

describe('the conformance suite of gates [G14]', () => {
  test('passes a good gate', () => {
    expect(failed(good)).toEqual([])
  })

  const asks = 'has a kebab-case id and asks one question in both languages'
  const table = 'has kebab-case codes, with a hint where a tool is left out or comes later'
  const sentence = 'speaks one plain sentence for each verdict, in both languages'
  const oneLine = 'stays on one line whatever strangers write'
  const change = 'names changes that alter the outcome'
  const evidence = 'gives evidence that is plain JSON'

  test.each<readonly [string, string, Gate]>([
    ['an id in another case', asks, { ...good, id: 'officeHours' }],
    ['a question that is none', asks, { ...good, asks: { ...good.asks, en: 'Office hours' } }],
    ['a code in another case', table, { ...good, reasons: { ...good.reasons, Late: admits({ say: words }) } }],
    ['a deferral without a hint', table, { ...good, reasons: { ...good.reasons, late: defers({ say: words }) } }],
    ['a full stop', sentence, says('so it is.')],
    ['two sentences', sentence, says('so it is. It is so')],
    ['a line break', sentence, says('so\nit is')],
    ['a value that is not there', sentence, says('so undefined it is')],
    ['evidence that is no JSON', evidence, gives({ evidence: { at: new Date(0) as unknown as string } })],
    ['evidence that is no number', evidence, gives({ evidence: { at: Number.NaN } })],
    ['another effect than the table has', evidence, gives({ effect: 'defer' })],
    [
      'a change that changes nothing',
      change,
      {
        ...good,
        reasons: {
          ...good.reasons,
          night: { ...good.reasons.night, change: () => [{ on: 'candidate', op: 'unset', path: ['marks'] }] },
        },
      },
    ],
  ])('finds %s', (_name, check, gate) => expect(failed(gate)).toContain(check))

  test('finds a name of a stranger that was not made printable', () => {
    const echo = abstains({ say: { ...words, en: (_e, candidate) => `it is ${candidate.originalName}` } })
    expect(failed({ ...good, reasons: { ...good.reasons, day: echo } })).toContain(oneLine)
  })

  test('finds a code that no example reaches', () => {
    expect(failed(good, [aWorld({}, aCandidate())])).toContain('reaches each of its codes in some example')
  })

  test('finds a gate that remembers what it was asked before', () => {
    let asked = 0
    const counting: Gate = {
      ...good,
      open: (facts, standing) => (candidate) => ({
        ...good.open(facts, standing)(candidate),
        evidence: { asked: asked++ },
      }),
    }
    expect(failed(counting)).toEqual(
      expect.arrayContaining([
        'gives the same bytes for the same input',
        'judges each candidate alike in whatever order they are asked',
      ]),
    )
  })

  test('finds a gate that changes its input', () => {
    const meddling: Gate = {
      ...good,
      open: (facts, standing) => {
        Object.assign(facts.simpleMode, { on: true })
        return good.open(facts, standing)
      },
    }
    expect(failed(meddling)).toContain('does not change its input')
  })

  test('finds a gate that fails on hostile candidates', () => {
    const fragile: Gate = {
      ...good,
      open: (facts, standing) => (candidate) => {
        decodeURIComponent(candidate.originalName)
        encodeURIComponent(candidate.originalName)
        return good.open(facts, standing)(candidate)
      },
    }
    expect(failed(fragile)).toContain('judges hostile candidates without failing')
  })
})
