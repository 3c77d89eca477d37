import { describe, expect, it } from 'vitest'
import { agentOf, factsOf } from '../../src/assembly/facts-of.ts'
import type { RunSelection } from '../../src/assembly/policy.ts'
import type { Config } from '../../src/config/config.ts'
import type { RunFacts } from '../../src/core/run-facts.ts'
import { ToolgateError } from '../../src/errors.ts'
import { usable } from '../config/given-config.ts'

const text = `version: 1
tools:
  - { name: a, group: papers, use: "toolgate/tools:readFile" }
models:
  - { name: small, can: [], target: gemini, context_tokens: 8000 }
  - { name: large, can: [tools, vision] }
tool_groups: [papers]
deny_tools: [bash]
agents:
  main: { permissions: { deny: [grep], ask: [ls], allow: [read_file] } }
  child: { model: large, groups: [], permissions: { allow: [glob] } }
delegation: { enabled: true, max_depth: 2 }
tool_search: { budget: 0.5 }
`

function factsFor(config: Config, selection: RunSelection = {}): RunFacts {
  const parent =
    selection.subagent === undefined
      ? {}
      : { parent: { lineage: [agentOf(config, selection.agent)], tools: ['config:a'] } }
  const skills = { mode: 'active', list: [], alwaysReachable: [] } as const
  return factsOf({ config, selection, skills, sandbox: { kind: 'none', allowHostBash: false }, ...parent })
}

const rulesOf = ({ permissions }: RunFacts): string[] =>
  permissions.rules.map(({ effect, text: rule }) => `${effect} ${rule}`)

describe('the facts of a run', () => {
  it('are those of the first agent and the first model where none is named', async () => {
    const facts = factsFor(await usable(text))
    expect(facts.agent).toMatchObject({ name: 'main', groups: ['papers'] })
    expect(facts.agent.origins.groups).toMatchObject({ key: 'tool_groups', line: 7 })
    expect(facts.model).toMatchObject({ name: 'small', can: [] })
    expect(facts.target.name).toBe('gemini')
    expect(rulesOf(facts)).toEqual(['deny bash', 'deny grep', 'ask ls', 'allow read_file'])
  })

  it('keep an empty list of groups apart from none at all [G1]', async () => {
    const config = await usable(text)
    expect(factsFor(config, { agent: 'child' }).agent.groups).toEqual([])
    expect(factsFor(await usable('version: 1')).agent).not.toHaveProperty('groups')
  })

  it('give a child its own model, the denies and asks of its parent, and none of its allows [G8, G3]', async () => {
    const facts = factsFor(await usable(text), { subagent: 'child' })
    expect(facts.agent.name).toBe('child')
    expect(facts.model.name).toBe('large')
    expect(rulesOf(facts)).toEqual(['deny bash', 'deny grep', 'ask ls', 'allow glob'])
    expect(facts.delegation).toMatchObject({ depth: 1, depthMax: 2, parent: { agent: 'main', tools: ['config:a'] } })
  })

  it('take a target that is named in place of the model’s, with the flag as its place', async () => {
    const { target } = factsFor(await usable(text), { target: 'openai' })
    expect(target).toMatchObject({ name: 'openai', origin: { in: 'command line', key: '--target openai' } })
  })

  it.each([
    { budget: '0.5', model: 'small', tokens: 4000 },
    { budget: '0.5', model: 'large', tokens: 64_000 },
    { budget: '1', model: 'small', tokens: 8000 },
    { budget: '700', model: 'small', tokens: 700 },
  ])('read a budget of $budget on model $model as $tokens tokens [G11]', async ({ budget, model, tokens }) => {
    const config = await usable(text.replace('budget: 0.5', `budget: ${budget}`))
    expect(factsFor(config, { model }).deferral.budgetTokens).toBe(tokens)
  })

  it('let an agent without children start none, though delegation is on', async () => {
    const config = await usable(text.replace('main: {', 'main: { children: [],'))
    expect(factsFor(config).delegation.enabled).toBe(false)
    expect(factsFor(config, { agent: 'child' }).delegation.enabled).toBe(true)
  })

  it.each([
    { selection: { agent: 'chidl' }, says: 'there is no agent "chidl"', hint: 'did you mean "child"' },
    { selection: { model: 'lagre' }, says: 'there is no model "lagre"', hint: 'did you mean "large"' },
    { selection: { target: 'opnai' }, says: 'there is no target "opnai"', hint: /did you mean "openai"/ },
    { selection: { agent: 'xyz' }, says: 'there is no agent "xyz"', hint: 'known: main, child' },
  ])('are not made for what is not there: $says', async ({ selection, says, hint }) => {
    const config = await usable(text)
    const make = () => factsFor(config, selection)
    expect(make).toThrow(ToolgateError)
    expect(make).toThrow(says)
    try {
      make()
    } catch (error) {
      expect((error as ToolgateError).finding).toMatchObject({
        code: 'unknown-name',
        hint: expect.stringMatching(hint),
      })
    }
  })
})
