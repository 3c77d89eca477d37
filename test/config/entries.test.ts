import { describe, expect, it } from 'vitest'
import { errors, given, short, usable } from './given-config.ts'

const good = '{name: good, group: g, use: "./a.mjs:a"}'

describe('tools', () => {
  it('keep their order, keys and places [S1]', async () => {
    const text = `tools:\n  - ${good}\n  - name: b\n    use: pkg:x\n    enabled: false\n    role: shell\n    args: {a: [$T, 1]}\n`
    const config = await usable(text, { environment: { T: 'token-value' } })
    expect(config.tools).toEqual([
      {
        name: 'good',
        group: 'g',
        use: './a.mjs:a',
        enabled: true,
        origin: { in: '/desk/toolgate.yaml', key: 'tools[0]', line: 2, column: 5 },
        origins: {
          use: { in: '/desk/toolgate.yaml', key: 'tools[0].use', line: 2, column: 28 },
          group: { in: '/desk/toolgate.yaml', key: 'tools[0].group', line: 2, column: 18 },
        },
      },
      expect.objectContaining({ name: 'b', enabled: false, role: 'shell', args: { a: ['$T', 1] } }),
    ])
  })

  it('put variables into args, and are unavailable when one is not set', async () => {
    const text = `tools: [${good}, {name: b, group: h, use: "p:x", args: {key: $T}}]`
    expect((await usable(text, { environment: { T: 'token-value' } })).tools[1]?.args).toEqual({ key: 'token-value' })
    const { config, findings } = await given(text)
    expect(short(findings)).toEqual(['error config-variable tools[1].args.key'])
    expect(config?.tools).toHaveLength(1)
    expect(config?.unusable).toEqual([
      expect.objectContaining({
        kind: 'tool',
        name: 'b',
        state: 'not-configured',
        group: 'h',
        detail: '"tools[1].args.key": the variable T is not set',
      }),
    ])
  })

  it.each([
    ['{name: b}', 'config-missing-key tools[1].use', ['b']],
    ['{use: "p:x"}', 'config-missing-key tools[1].name', []],
    ['{name: b, use: 3}', 'config-type tools[1].use', ['b']],
    ['{name: b, use: "p:x", grup: w}', 'config-unknown-key tools[1].grup', ['b']],
    ['{name: b, use: "p:x", effects: [writes]}', 'config-range tools[1].effects[0]', ['b']],
    ['{name: b, use: "p:x", role: bash}', 'config-range tools[1].role', ['b']],
    ['{name: b, use: "p:x", enabled: "no"}', 'config-type tools[1].enabled', ['b']],
    ['{name: "e\\u001b[2J", use: "p:x"}', 'invalid-name tools[1].name', []],
    ['{name: "", use: "p:x"}', 'config-range tools[1].name', []],
    ['{name: "a\\u202eb", use: "p:x"}', 'invalid-name tools[1].name', []],
    ['text', 'config-type tools[1]', []],
    ['null', 'config-type tools[1]', []],
  ])('one at fault costs only itself: %s', async (entry, finding, kept) => {
    const { config, findings } = await given(`tools: [${good}, ${entry}, {name: last, use: "p:y"}]`)
    expect(config?.tools.map(({ name }) => name)).toEqual(['good', 'last'])
    expect(short(errors(findings))).toContain(`error ${finding}`)
    expect((config?.unusable ?? []).map(({ name }) => name)).toEqual(kept)
  })

  it('may bear one label twice: both stay, and it is said [S2]', async () => {
    const { config, findings } = await given('tools: [{name: a, use: "p:x"}, {name: A, use: "p:y"}]')
    expect(config?.tools).toHaveLength(2)
    expect(short(findings)).toEqual(['warning duplicate-name tools[1].name'])
  })

  it('may have labels in any script', async () => {
    expect((await usable('tools: [{name: 网页搜索, use: "p:x"}]')).tools[0]?.name).toBe('网页搜索')
  })
})

describe('models', () => {
  it('stay known when a variable is not set, and cannot be run', async () => {
    const text = 'models: [{name: m, use: "a:B", args: {apiKey: $KEY}, can: [tools], context_tokens: 1000}]'
    const { config, findings } = await given(text)
    expect(short(findings)).toEqual(['warning config-variable models[0].args.apiKey'])
    expect(config?.models[0]).toMatchObject({
      name: 'm',
      unusable: '"models[0].args.apiKey": the variable KEY is not set',
      contextTokens: 1000,
    })
    expect(config?.models[0]).not.toHaveProperty('args')
    const set = await usable(text, { environment: { KEY: 'sk-secret-1' } })
    expect(set.models[0]).toMatchObject({ args: { apiKey: 'sk-secret-1' } })
    expect(set.models[0]).not.toHaveProperty('unusable')
    expect(set.secrets).toEqual(['sk-secret-1'])
  })

  it('hide a literal key', async () => {
    const config = await usable(
      'models: [{name: m, args: {apiKey: sk-literal, headers: {x-auth: [abcdefg]}, size: large}}]',
    )
    expect(config.secrets).toEqual(['sk-literal', 'abcdefg'])
  })

  it('are refused with an unknown target, and the nearest is named', async () => {
    const { config, findings } = await given('models:\n  - {name: m, target: opanai}')
    expect(config).toBeUndefined()
    expect(findings[0]).toMatchObject({
      code: 'unknown-name',
      severity: 'error',
      message: 'there is no target "opanai"',
      origin: { line: 2 },
    })
    expect(findings[0]?.hint).toContain('openai')
  })
})

describe('ACP agents [S5]', () => {
  it('are read, with their name as description', async () => {
    const config = await usable(
      'acp_agents:\n  helper: {command: ./run.sh, args: [-x], env: {A: abcdefg}, cwd: sub}\n  other: {command: o, description: Does.}',
    )
    expect(config.acpAgents).toMatchObject([
      {
        name: 'helper',
        command: '/desk/run.sh',
        args: ['-x'],
        env: { A: 'abcdefg' },
        cwd: '/desk/sub',
        description: 'helper',
        permissions: 'ask',
        startTimeoutMs: 60_000,
        turnTimeoutMs: 1_800_000,
        origin: { line: 2 },
      },
      { name: 'other', command: 'o', args: [], description: 'Does.' },
    ])
    expect(config.secrets).toEqual(['abcdefg'])
  })

  it('say what they are permitted, and how long they may take', async () => {
    const config = await usable(
      'acp_agents: {a: {command: a, permissions: deny, start_timeout_ms: 500, turn_timeout_ms: 7000}, b: {command: b, permissions: allow}}',
    )
    expect(config.acpAgents).toMatchObject([
      { permissions: 'deny', startTimeoutMs: 500, turnTimeoutMs: 7000 },
      { permissions: 'allow', startTimeoutMs: 60_000, turnTimeoutMs: 1_800_000 },
    ])
  })

  it.each([
    ['{command: "a; b"}', 'command-shell-line acp_agents.bad.command'],
    ['{args: []}', 'config-missing-key acp_agents.bad.command'],
    ['{command: a, env: {NODE_OPTIONS: x}}', 'env-forbidden acp_agents.bad.env.NODE_OPTIONS'],
    ['{command: a, env: {A: $NONE}}', 'config-variable acp_agents.bad.env.A'],
    ['{command: a, permissions: always}', 'config-range acp_agents.bad.permissions'],
    ['{command: a, permissions: true}', 'config-type acp_agents.bad.permissions'],
    ['{command: a, turn_timeout_ms: 0}', 'config-range acp_agents.bad.turn_timeout_ms'],
    ['text', 'config-type acp_agents.bad'],
  ])('one at fault costs only itself: %s', async (entry, finding) => {
    const { config, findings } = await given(`acp_agents: {good: {command: a}, bad: ${entry}}`)
    expect(config?.acpAgents.map(({ name }) => name)).toEqual(['good'])
    expect(config?.unusable).toMatchObject([{ kind: 'acp-agent', name: 'bad' }])
    expect(short(errors(findings))).toEqual([`error ${finding}`])
  })
})

describe('agents', () => {
  it('are read with the places of their lists', async () => {
    const config = await usable(
      'models: [{name: m}]\nagents:\n  main:\n    model: m\n    description: Leads.\n    groups: []\n    children: [main]\n',
    )
    expect(config.agents[0]).toMatchObject({
      name: 'main',
      model: 'm',
      description: 'Leads.',
      groups: [],
      children: ['main'],
      rules: [],
      origins: { groups: { key: 'agents.main.groups', line: 6 }, model: { line: 4 } },
    })
    expect(Object.keys(config.agents[0]?.origins ?? {})).toEqual(['model', 'groups', 'children'])
  })

  it('cost only themselves where nothing restricts', async () => {
    const { config, findings } = await given('agents: {bad: {description: 3}, main: {groups: []}}')
    expect(config?.agents.map(({ name }) => name)).toEqual(['main'])
    expect(config?.unusable).toMatchObject([{ kind: 'agent', name: 'bad' }])
    expect(short(findings)).toEqual(['error config-type agents.bad.description'])
  })

  it.each([
    ['"../up"', 'invalid-name'],
    ['"a b"', 'invalid-name'],
    ['Main', 'duplicate-name'],
  ])('cannot be called %s', async (name, code) => {
    const { config, findings } = await given(`agents: {main: {}, ${name}: {}}`)
    expect(config?.agents).toHaveLength(1)
    expect(errors(findings)).toMatchObject([{ code, subject: name.replaceAll('"', '') }])
  })
})

describe('references', () => {
  it.each([
    [
      'agents: {main: {groups: [desk, webb]}}\ntools: [{name: a, group: web, use: "p:x"}, {name: b, group: desk, use: "p:y"}]',
      'group-unknown',
      'nothing belongs to the group "webb"',
      'did you mean "web"?',
      'agents.main.groups[1]',
    ],
    [
      'tool_groups: [webb]\nmcp_servers: {s: {command: a, tools: {t: {group: web}}}}',
      'group-unknown',
      'nothing belongs to the group "webb"',
      'did you mean "web"?',
      'tool_groups[0]',
    ],
    [
      'agents: {main: {servers: [fils]}}\nmcp_servers: {files: {command: a}}',
      'unknown-name',
      'there is no server "fils"',
      'did you mean "files"?',
      'agents.main.servers[0]',
    ],
    [
      'agents: {main: {children: [hlper]}, helper: {}}',
      'unknown-name',
      'there is no agent "hlper"',
      'did you mean "helper"?',
      'agents.main.children[0]',
    ],
    ['approved_servers: [docs]', 'unknown-name', 'there is no server "docs"', undefined, 'approved_servers[0]'],
  ])('a name that nothing bears is a warning: %s', async (text, code, message, hint, key) => {
    const { config, findings } = await given(text)
    expect(config).toBeDefined()
    expect(findings).toMatchObject([
      { code, severity: 'warning', message, origin: { key }, ...(hint === undefined ? {} : { hint }) },
    ])
  })

  it('an unknown model costs the agent: no other model takes its place in silence', async () => {
    const { config, findings } = await given('models: [{name: main}]\nagents:\n  a: {model: maim}\n  b: {model: main}')
    expect(config?.agents.map(({ name }) => name)).toEqual(['b'])
    expect(config?.unusable).toMatchObject([{ kind: 'agent', name: 'a', detail: 'there is no model "maim"' }])
    expect(findings).toMatchObject([
      {
        code: 'unknown-name',
        severity: 'error',
        hint: 'did you mean "main"?',
        origin: { key: 'agents.a.model', line: 3 },
      },
    ])
  })

  it('groups of built-in tools are known when they are named', async () => {
    const text = 'agents: {main: {groups: [files]}}'
    expect((await given(text)).findings).toHaveLength(1)
    expect((await given(text, { knownGroups: ['files'] })).findings).toEqual([])
  })

  it('what was dropped is still known, so that one mistake is told once', async () => {
    const { findings } = await given(
      'agents: {main: {servers: [bad], groups: [g], children: [worse]}, worse: {model: 3}}\nmcp_servers: {bad: {command: 3, group: g}}',
    )
    expect(short(findings)).toEqual([
      'error config-type mcp_servers.bad.command',
      'error config-type agents.worse.model',
    ])
  })

  it('ends in time when nothing is known', async () => {
    const names = Array.from({ length: 6000 }, (_, at) => `n${at.toString(36)}`)
    const text = `agents: {main: {servers: [${names.join(',')}]}}\nmcp_servers: {${names.map((name) => `${name}x: {command: a}`).join(',')}}`
    const start = performance.now()
    const { findings } = await given(text)
    expect(findings.length).toBeGreaterThan(100)
    expect(findings.length).toBeLessThanOrEqual(201)
    expect(performance.now() - start).toBeLessThan(4000)
  })
})
