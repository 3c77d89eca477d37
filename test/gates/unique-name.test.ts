import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import { type Candidate, sourceKinds } from '../../src/core/candidate.ts'
import { foldName } from '../../src/core/json.ts'
import { definition } from '../../src/gates/definition.ts'
import { hostShell } from '../../src/gates/host-shell.ts'
import { uniqueName } from '../../src/gates/unique-name.ts'
import { uniqueNameWithTakeover } from '../../src/gates/unique-name-with-takeover.ts'
import { aCandidate, sha256, someFacts } from '../../src/testing/index.ts'
import { reservedCases, takeoverCases, uniqueNameCases } from './cases/unique-name.ts'
import { stepOf } from './gate-case.ts'
import { runCases } from './run-cases.ts'

runCases('unique-name [G9] [S7]', uniqueName, [...uniqueNameCases, ...reservedCases])
runCases('unique-name of the preset deerflow [G9] [G15]', uniqueNameWithTakeover, [
  ...uniqueNameCases,
  ...takeoverCases,
])

describe('unique-name [G9] [S7]', () => {
  test('names the winner to the loser, and the losers to the winner', () => {
    const config = aCandidate({ originalName: 'search' })
    const builtin = aCandidate({ source: 'builtin', originalName: 'search' })
    expect(stepOf(uniqueName, { name: '', candidate: builtin, ahead: [config], code: '' }).evidence).toEqual({
      name: 'search',
      winner: 'config:search',
      free: 'search_2',
    })
    expect(stepOf(uniqueName, { name: '', candidate: config, behind: [builtin], code: '' }).evidence).toEqual({
      name: 'search',
      over: ['builtin:search'],
    })
  })

  test('says who holds a reserved name, and by which gate and code it was lost', () => {
    const [row] = reservedCases
    if (row === undefined) throw new Error('no case')
    expect(stepOf(uniqueName, row).evidence).toEqual({
      name: 'bash',
      holder: 'config:bash',
      gate: 'host-shell',
      code: 'host-shell-closed',
      free: 'web__bash',
    })
  })

  test('offers free names to thousands of twins without looking all of them up for each', () => {
    const twins = Array.from({ length: 5000 }, (_, n) => aCandidate({ id: `config:${n}`, originalName: 'a' }))
    const taken = Array.from({ length: 5000 }, (_, n) => aCandidate({ originalName: `a_${n + 2}` }))
    const start = performance.now()
    const { decisions } = assemble(someFacts(), [...twins, ...taken], [uniqueName], { sha256 })
    expect(decisions[1]?.steps[0]?.evidence.free).toBe('a_5002')
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('unique-name, whatever the candidates [G9] [S7]', () => {
  const names = ['a', 'A', 'a_b', 'toString', '__proto__', '\uff41']
  const someTool = fc.record({
    name: fc.constantFrom(...names),
    source: fc.constantFrom('config', 'builtin', 'mcp', 'acp'),
    needsShell: fc.boolean(),
    broken: fc.boolean(),
  })
  const someTools = fc.array(someTool, { maxLength: 12 }).map((tools) =>
    tools
      .map(({ name, source, needsShell, broken }, at) =>
        aCandidate({
          id: `${source}:${at}`,
          source,
          originalName: 'tool',
          name,
          needs: needsShell ? ['host-shell'] : [],
          ...(broken ? { faults: [{ code: 'invalid-schema', detail: 'null' }] as const } : {}),
        }),
      )
      .sort((one, other) => sourceKinds.indexOf(one.source) - sourceKinds.indexOf(other.source)),
  )
  const gates = [definition, hostShell, uniqueName]
  const exposed = (candidates: readonly Candidate[]) =>
    assemble(someFacts(), candidates, gates, { sha256 }).decisions.filter(({ outcome }) => outcome !== 'excluded')

  test('lets a name mean one tool, the first of the highest source that has it (P9)', () => {
    fc.assert(
      fc.property(someTools, (candidates) => {
        const winners = exposed(candidates)
        const keys = winners.map(({ name }) => foldName(name))
        expect(new Set(keys).size).toBe(keys.length)
        for (const { candidate } of winners) {
          const rivals = candidates.filter((other) => foldName(other.name) === foldName(candidate.name))
          const standing = rivals.filter(({ needs, faults }) => needs.length === 0 && faults === undefined)
          expect(standing[0]).toBe(candidate)
        }
      }),
    )
  })

  test('lets no change of a loser change the winner (P9)', () => {
    fc.assert(
      fc.property(someTools, fc.boolean(), fc.boolean(), (candidates, needsShell, broken) => {
        for (const { candidate: winner } of exposed(candidates)) {
          const at = candidates.indexOf(winner)
          const changed = candidates.map((other, place): Candidate => {
            if (place <= at) return other
            const { faults: _, ...sound } = other
            const faults = [{ code: 'invalid-schema', detail: 'null' }] as const
            return { ...sound, needs: needsShell ? ['host-shell'] : [], ...(broken ? { faults } : {}) }
          })
          expect(exposed(changed).map(({ candidate }) => candidate.id)).toContain(winner.id)
        }
      }),
    )
  })

  test('hands no name that a safety gate took away to a lower source (P10)', () => {
    fc.assert(
      fc.property(someTools, (candidates) => {
        for (const { candidate } of exposed(candidates)) {
          const lost = candidates
            .slice(0, candidates.indexOf(candidate))
            .filter((other) => foldName(other.name) === foldName(candidate.name))
          expect(lost).toEqual([])
        }
      }),
    )
  })
})
