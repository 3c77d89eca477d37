import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import { delegation } from '../../src/gates/delegation.ts'
import { aCandidate, sha256, someCandidates, someFacts } from '../../src/testing/index.ts'
import { delegationCases } from './cases/delegation.ts'
import { runCases } from './run-cases.ts'

runCases('delegation [G8]', delegation, delegationCases)

describe('delegation [G8]', () => {
  test('hands rules with conditions on to the calls', () => {
    const move = aCandidate({ server: 'files', originalName: 'move_file' })
    const denyOrigin = { in: 'toolgate.yaml', key: 'agents.helper.deny', line: 31 }
    const facts = someFacts({
      delegation: {
        depth: 1,
        parent: { agent: 'main', tools: [move.id] },
        deny: ['move_file(path:/etc/**)'],
        denyOrigin,
      },
    })
    const [decision] = assemble(facts, [move], [delegation], { sha256 }).decisions
    expect(decision?.outcome).toBe('eager')
    expect(decision?.conditions).toEqual([
      { effect: 'deny', text: 'move_file(path:/etc/**)', scope: 'child', origin: denyOrigin },
    ])
  })

  test('lets nothing through when a deny rule cannot be read', () => {
    const facts = someFacts({ delegation: { deny: ['move_file('] } })
    const [decision] = assemble(facts, [aCandidate()], [delegation], { sha256 }).decisions
    expect(decision?.code).toBe('gate-failed')
  })

  test('never gives a child more than its parent, whatever its lists', () => {
    const all = someCandidates()
    const words = fc.constantFrom('*', 'read_file', 'files/*', 'task', 'bash', 'effect:read', 'mcp__files', 'group:web')
    const list = fc.option(fc.array(words, { maxLength: 3 }), { nil: undefined })
    fc.assert(
      fc.property(
        fc.subarray(all.map(({ id }) => id)),
        list,
        list,
        fc.integer({ min: 1, max: 3 }),
        (tools, allow, deny, depth) => {
          const facts = someFacts({ delegation: { depth, depthMax: 2, parent: { agent: 'main', tools }, allow, deny } })
          const { decisions } = assemble(facts, all, [delegation], { sha256 })
          const kept = decisions.filter(({ outcome }) => outcome !== 'excluded').map(({ candidate }) => candidate)
          expect(kept.every(({ id }) => tools.includes(id))).toBe(true)
          if (depth >= 2) expect(kept.some(({ role }) => role === 'subagent')).toBe(false)
        },
      ),
    )
  })
})
