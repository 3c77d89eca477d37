import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeScopes, type RuleScope } from '../../src/permissions/merge-scopes.ts'

const entry = (text: string, line = 1) => ({ text, origin: { in: 'toolgate.yaml', line } })

describe('rules of several scopes [G6]', () => {
  it('joins the lists and keeps scope and origin', () => {
    const rules = mergeScopes([
      {
        name: 'config',
        deny: [entry('bash', 3)],
        allow: [entry('read_file', 9)],
        denyTools: [entry('UI', 4)],
        denyPrefixes: [entry('git_', 5)],
      },
      { name: 'command line', ask: [{ text: 'effect:write', origin: { in: 'command line', key: '--ask' } }] },
    ])
    expect(rules.map(({ effect, text, scope, origin }) => [effect, text, scope, origin.line])).toEqual(
      expect.arrayContaining([
        ['deny', 'bash', 'config', 3],
        ['deny', 'UI', 'config', 4],
        ['deny', 'git_*', 'config', 5],
        ['allow', 'read_file', 'config', 9],
        ['ask', 'effect:write', 'command line', undefined],
      ]),
    )
    expect(rules).toHaveLength(5)
  })

  it('lets no scope replace or lift what another denies', () => {
    const config: RuleScope = { name: 'config', deny: [entry('bash')] }
    for (const other of [
      { name: 'agent', deny: [] },
      { name: 'agent', allow: [entry('bash')] },
      { name: 'agent', deny: [entry('task')] },
    ]) {
      expect(mergeScopes([config, other])).toEqual(expect.arrayContaining(mergeScopes([config])))
    }
  })

  it('keeps a rule once, and the same rule of two scopes twice', () => {
    expect(mergeScopes([{ name: 'a', deny: [entry('x'), entry('x')] }])).toHaveLength(1)
    expect(
      mergeScopes([
        { name: 'a', deny: [entry('x')] },
        { name: 'b', deny: [entry('x')] },
      ]),
    ).toHaveLength(2)
  })

  it('gives the same list in whatever order scopes and entries come (P6)', () => {
    const entries = fc.array(
      fc.record({
        text: fc.constantFrom('a', 'b', 'c/*'),
        origin: fc.record({ in: fc.constant('f'), line: fc.integer({ min: 1, max: 3 }) }),
      }),
      { maxLength: 5 },
    )
    const scope = fc.record({ name: fc.constantFrom('x', 'y'), deny: entries, ask: entries, allow: entries })
    fc.assert(
      fc.property(fc.array(scope, { maxLength: 4 }), (scopes) => {
        const turned = scopes
          .toReversed()
          .map((one) => ({ ...one, deny: one.deny.toReversed(), allow: one.allow.toReversed() }))
        expect(mergeScopes(turned)).toEqual(mergeScopes(scopes))
      }),
      { numRuns: 2000 },
    )
  })
})
