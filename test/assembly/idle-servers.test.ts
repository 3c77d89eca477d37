import { describe, expect, it } from 'vitest'
import { factsOf } from '../../src/assembly/facts-of.ts'
import { idleServers } from '../../src/assembly/idle-servers.ts'
import { type RunRestrictions, restricted } from '../../src/assembly/policy.ts'
import { gateOrder, type PresetName } from '../../src/gates/order.ts'
import { usable } from '../config/given-config.ts'

const servers = `mcp_servers:
  shelf: { command: node, group: web, tools: { find: { effects: [read] } } }
  desk: { command: node, group: papers, include_tools: [stamp], tools: { stamp: { role: file-edit } } }
`

async function idle(
  more: string,
  { policy = {}, preset = 'default' }: { readonly policy?: RunRestrictions; readonly preset?: PresetName } = {},
): Promise<string[]> {
  const config = await usable(`version: 1\n${servers}${more}`)
  const skills = { mode: 'active', list: [], alwaysReachable: [] } as const
  const facts = factsOf({ config, selection: {}, skills, sandbox: { kind: 'none', allowHostBash: false } })
  return [...(await idleServers(config, restricted(facts, policy), gateOrder[preset]))]
}

describe('a server is not needed [S9]', () => {
  it.each<{
    readonly when: string
    readonly config: string
    readonly policy?: RunRestrictions
    readonly preset?: PresetName
    readonly idle: readonly string[]
  }>([
    { when: 'nothing keeps it out', config: '', idle: [] },
    { when: 'it is denied by its name', config: 'permissions: { deny: ["mcp__shelf"] }\n', idle: ['shelf'] },
    {
      when: 'all its tools are denied',
      config: 'permissions: { deny: ["shelf/*", "desk/*"] }\n',
      idle: ['shelf', 'desk'],
    },
    {
      when: 'every tool that it may offer is denied',
      config: 'permissions: { deny: ["desk/stamp"] }\n',
      idle: ['desk'],
    },
    { when: 'one of its tools is denied', config: 'permissions: { deny: ["shelf/find"] }\n', idle: [] },
    {
      when: 'an effect is denied that one of its tools does not have',
      config: 'permissions: { deny: ["effect:write"] }\n',
      idle: ['desk'],
    },
    { when: 'its group is not asked for', config: 'agents: { main: { groups: [papers] } }\n', idle: ['shelf'] },
    {
      when: 'its group is not asked for, but groups touch configured tools only',
      config: 'agents: { main: { groups: [papers] } }\n',
      preset: 'deerflow',
      idle: [],
    },
    { when: 'it is not among the servers', config: 'agents: { main: { servers: [desk] } }\n', idle: ['shelf'] },
    {
      when: 'no rule allows anything of it',
      config: 'permissions: { otherwise: deny, allow: ["desk/stamp"] }\n',
      idle: ['shelf'],
    },
    {
      when: 'a rule allows one of its tools',
      config: 'permissions: { otherwise: deny, allow: ["shelf__anything"] }\n',
      idle: ['desk'],
    },
    { when: 'MCP is off', config: '', policy: { noMcp: true }, idle: ['shelf', 'desk'] },
    { when: 'only basic tools are wanted and it has none', config: '', policy: { simpleMode: true }, idle: ['shelf'] },
    { when: 'a flag denies its prefix', config: '', policy: { denyPrefixes: ['shelf__'] }, idle: ['shelf'] },
  ])('or is: when $when', async ({ config, policy, preset, idle: expected }) => {
    expect(
      await idle(config, { ...(policy === undefined ? {} : { policy }), ...(preset === undefined ? {} : { preset }) }),
    ).toEqual(expected)
  })
})
