import { describe, expect, it } from 'vitest'
import { acp } from '../../src/sources/acp.ts'
import { builtin } from '../../src/sources/builtin.ts'
import { collectAll, sourceOrder } from '../../src/sources/order.ts'
import type { Source } from '../../src/sources/source.ts'
import { config, input, listedTool, onePage, scripted, toolConfig } from './scripted.ts'

describe('the sources [S7]', () => {
  it('stand in the order of precedence', () => {
    expect(sourceOrder.map((source) => source.kind)).toEqual(['config', 'builtin', 'mcp', 'acp'])
  })

  it('offer side by side and are put together in their order, each in its own', async () => {
    const acpAgents = [
      {
        name: 'coder',
        command: 'coder',
        args: [],
        env: {},
        permissions: 'ask' as const,
        startTimeoutMs: 1,
        turnTimeoutMs: 1,
        description: 'writes code',
        origin: { in: 'toolgate.yaml', line: 20 },
      },
    ]
    const all = await collectAll(
      input({
        config: config({
          tools: [toolConfig('read_file', 'toolgate/tools:readFile'), toolConfig('bash', 'toolgate/tools:bash')],
          mcpServers: [
            scripted('b', { ...onePage(listedTool('z'), listedTool('a')), delayMs: 400 }),
            scripted('a', onePage(listedTool('x'))),
          ],
          acpAgents,
        }),
      }),
    )
    expect(all.candidates.map(({ id }) => id)).toEqual([
      'config:read_file',
      'config:bash',
      'builtin:ask_clarification',
      'builtin:present_files',
      'builtin:view_image',
      'builtin:task',
      'builtin:tool_search',
      'mcp:b/z',
      'mcp:b/a',
      'mcp:a/x',
      'acp:invoke_acp_agent',
    ])
    expect(all.servers.map(({ name }) => name)).toEqual(['b', 'a'])
    expect(all.findings).toEqual([])
    expect([...all.invokers.keys()].filter((id) => id.startsWith('mcp:'))).toEqual([])
    expect(all.invokers.get('builtin:task')?.form).toBe('delegates')
  })

  it('cost only themselves when they fail', async () => {
    const broken: Source = { kind: 'mcp', collect: () => Promise.reject(new Error('out\nof order')) }
    const all = await collectAll(input(), [broken, builtin])
    expect(all.candidates).toHaveLength(5)
    expect(all.findings).toMatchObject([{ code: 'internal-error', message: 'source "mcp" failed: out\\u000aof order' }])
  })
})

describe('built-in candidates [S3, R1]', () => {
  it('say what they are, so that gates can decide', async () => {
    const { candidates } = await builtin.collect(input())
    expect(
      candidates.map(({ name, form, role, needs, effects, availability }) => [
        name,
        form,
        role,
        needs,
        effects,
        availability.state,
      ]),
    ).toEqual([
      ['ask_clarification', 'interrupts', 'ask-person', ['person'], [], 'available'],
      ['present_files', 'updates-state', undefined, [], ['read'], 'available'],
      ['view_image', 'executes', undefined, ['vision'], ['read'], 'available'],
      ['task', 'delegates', 'subagent', [], [], 'available'],
      ['tool_search', 'updates-state', 'tool-search', [], [], 'available'],
    ])
  })

  it('are the same on every run', async () => {
    expect(await builtin.collect(input())).toEqual(await builtin.collect(input()))
  })
})

describe('ACP agents [S5]', () => {
  const agent = (name: string, description: string) => ({
    name,
    command: 'no-such-agent',
    args: [],
    env: {},
    permissions: 'ask' as const,
    startTimeoutMs: 1,
    turnTimeoutMs: 1,
    description,
    origin: { in: 'toolgate.yaml', line: 20 },
  })

  it('are one delegating tool that names them, and none is started', async () => {
    const { candidates } = await acp.collect(
      input({ config: config({ acpAgents: [agent('coder', 'writes\u200b code'), agent('judge', 'reads it')] }) }),
    )
    expect(candidates).toMatchObject([
      {
        id: 'acp:invoke_acp_agent',
        name: 'invoke_acp_agent',
        source: 'acp',
        protocol: 'acp',
        form: 'delegates',
        effects: ['read', 'write', 'execute', 'network'],
        origin: { line: 20 },
      },
    ])
    expect(candidates[0]?.definition.description).toMatch(/\n- coder: writes code\n- judge: reads it$/)
    expect(candidates[0]?.definition.inputSchema.properties).toMatchObject({ agent: { enum: ['coder', 'judge'] } })
  })

  it('are no tool at all when there are none', async () => {
    expect((await acp.collect(input())).candidates).toEqual([])
  })
})
