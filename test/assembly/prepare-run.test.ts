import { describe, expect, it } from 'vitest'
import { prepareRun, reassembled, stateFolderOf } from '../../src/assembly/prepare-run.ts'
import { aCandidate, someFacts } from '../../src/testing/world.ts'
import { usable } from '../config/given-config.ts'

describe('the state folder', () => {
  it.each([
    { url: 'sqlite:.toolgate/state.db', folder: '/desk/.toolgate' },
    { url: 'sqlite:elsewhere/deep/state.db', folder: '/desk/elsewhere/deep' },
    { url: 'sqlite:/var/lib/toolgate/state.db', folder: '/var/lib/toolgate' },
    { url: 'sqlite::memory:', folder: '/desk/.toolgate' },
    { url: 'postgres://me:secret@db.example.com/toolgate', folder: '/desk/.toolgate' },
  ])('of $url is $folder', async ({ url, folder }) => {
    expect(stateFolderOf(await usable(`version: 1\nstate: { url: ${JSON.stringify(url)} }\n`))).toBe(folder)
  })
})

describe('a run from an inventory [S6]', () => {
  const candidates = [aCandidate({ originalName: 'read_file' }), aCandidate({ server: 'files', originalName: 'move' })]
  const inventory = { candidates, servers: [], findings: [], facts: someFacts(), preset: 'default' } as const

  it('keeps the facts it was taken under, and lays the policy over them', async () => {
    const run = await prepareRun({ inventory, policy: { noMcp: true } })
    expect(run.baseFacts).toEqual(someFacts())
    expect(run.surface.decisions.map(({ outcome, settledBy }) => `${outcome} ${settledBy}`)).toEqual([
      'eager unique-name',
      'excluded mcp-switch',
    ])
    expect(reassembled(run, {}).hash).toBe((await prepareRun({ inventory })).surface.hash)
    expect(reassembled(run, run.policy).hash).toBe(run.surface.hash)
  })

  it.each(['agent', 'model', 'subagent'] as const)('has no %s to choose without a configuration', async (key) => {
    await expect(prepareRun({ inventory, policy: { [key]: 'main' } })).rejects.toMatchObject({
      finding: { code: 'usage', subject: `--${key}`, hint: 'add --config FILE' },
    })
  })

  it('fails closed on a skill that is not there, before anything is started [G7]', async () => {
    await expect(prepareRun({ inventory, policy: { skills: ['tidy'] } })).rejects.toMatchObject({
      finding: { code: 'skill-unknown', hint: 'known: none' },
    })
  })

  it('has its own agents and rules when a configuration stands beside it', async () => {
    const config = await usable('version: 1\nagents: { main: { servers: [] } }\n')
    const run = await prepareRun({ config, inventory })
    expect(run.surface.decisions.map(({ code }) => code)).toEqual(['only-one', 'no-servers-wanted'])
  })
})

describe('a child [G8, G3]', () => {
  const candidates = [
    aCandidate({ originalName: 'look', needs: ['vision'] }),
    aCandidate({ originalName: 'note', group: 'notes' }),
    aCandidate({ originalName: 'task', role: 'subagent', form: 'delegates' }),
  ]
  const inventory = { candidates, servers: [], findings: [], preset: 'default' } as const
  const text = `version: 1
models:
  - { name: blind, can: [tools] }
  - { name: sighted, can: [tools, vision] }
agents:
  main: { model: sighted, children: [child] }
  child: { model: blind }
  other: { groups: [] }
delegation: { enabled: true }
`

  it('is judged by its own model, inside what its parent has, and starts nobody at the depth', async () => {
    const config = await usable(text)
    const of = async (policy: object) =>
      (await prepareRun({ config, inventory, policy })).surface.decisions.map(
        ({ outcome, code }) => `${outcome} ${code}`,
      )
    expect(await of({})).toEqual(['eager only-one', 'eager only-one', 'eager only-one'])
    expect(await of({ subagent: 'child' })).toEqual([
      'excluded model-cannot',
      'eager only-one',
      'excluded depth-reached',
    ])
    expect(await of({ subagent: 'child', model: 'sighted' })).toEqual([
      'eager only-one',
      'eager only-one',
      'excluded depth-reached',
    ])
  })

  it('loses what a flag takes from its parent', async () => {
    const config = await usable(text)
    const { surface } = await prepareRun({ config, inventory, policy: { subagent: 'child', denyTools: ['note'] } })
    expect(surface.decisions.map(({ code }) => code)).toEqual(['model-cannot', 'denied-by-name', 'depth-reached'])
  })

  it('that its parent may not start is refused, with those it may', async () => {
    const config = await usable(text)
    await expect(prepareRun({ config, inventory, policy: { subagent: 'other' } })).rejects.toMatchObject({
      finding: { code: 'unknown-name', hint: 'it may start: child', origin: { key: 'agents.main.children' } },
    })
  })
})
