// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the forms of variables under test

import { describe, expect, it } from 'vitest'
import { errors, given, short, usable } from './given-config.ts'

describe('defaults', () => {
  it('of a file that says nothing but its version', async () => {
    expect(await usable('version: 1')).toEqual({
      file: '/desk/toolgate.yaml',
      folder: '/desk',
      models: [],
      tools: [],
      mcpServers: [],
      acpAgents: [],
      agents: [],
      skills: { paths: [], mode: 'active', active: [], disabled: [] },
      permissions: { rules: [], otherwise: 'allow' },
      sandbox: {
        kind: 'auto',
        allowHostBash: false,
        network: false,
        programs: [],
        limits: {
          memoryBytes: 2_147_483_648,
          processes: 256,
          outputBytes: 16_777_216,
          fileBytes: 536_870_912,
          tempBytes: 268_435_456,
          diskReserveBytes: 536_870_912,
        },
      },
      delegation: { enabled: false, depthMax: 1, childrenMax: 3, timeoutMs: 900_000 },
      toolSearch: {
        mode: 'auto',
        budget: 0.1,
        always: [],
        maxResults: 5,
        moreResults: 15,
        queryChars: 200,
        synonyms: [],
        autoPromote: 3,
        promotedMax: 128,
      },
      limits: {
        resultBytes: 65_536,
        messageBytes: 10_485_760,
        callTimeoutMs: 60_000,
        callTotalMs: 600_000,
        startTimeoutMs: 30_000,
      },
      sessions: { max: 64, idleMs: 300_000 },
      listings: { maxAgeMs: 86_400_000 },
      state: { url: 'sqlite:.toolgate/state.db' },
      trustedModules: [],
      pins: { enabled: false },
      gateway: {
        host: '127.0.0.1',
        port: 8765,
        allowedHosts: [],
        allowedOrigins: [],
        views: [],
        tokens: [],
        limits: {},
      },
      require: [],
      forbid: [],
      secrets: [],
    })
  })
})

describe('three states: absent, empty and filled are told apart', () => {
  const agent = (lines: string) => `agents: {main: {${lines}}}\n`

  it.each(['groups', 'servers', 'tools', 'skills', 'children'] as const)('of an agent: %s', async (key) => {
    expect((await usable(agent(''))).agents[0]).not.toHaveProperty(key)
    expect((await usable(agent(`${key}: []`))).agents[0]).toHaveProperty(key, [])
    expect((await usable(agent(`${key}: [main]`))).agents[0]).toHaveProperty(key, ['main'])
  })

  it('of tool_groups', async () => {
    expect(await usable('version: 1')).not.toHaveProperty('toolGroups')
    expect(await usable('tool_groups: []')).toMatchObject({
      toolGroups: [],
      toolGroupsOrigin: { key: 'tool_groups', line: 1 },
    })
    expect(await usable('tool_groups: [web]')).toMatchObject({ toolGroups: ['web'] })
  })

  it('of skills.always_reachable', async () => {
    expect((await usable('skills: {}')).skills).not.toHaveProperty('alwaysReachable')
    expect((await usable('skills: {always_reachable: []}')).skills).toHaveProperty('alwaysReachable', [])
  })

  it('of include_tools and effects of a server, and effects of a tool', async () => {
    const server = async (lines: string) => (await usable(`mcp_servers: {s: {command: a${lines}}}`)).mcpServers[0]
    expect(await server('')).not.toHaveProperty('includeTools')
    expect(await server(', include_tools: []')).toHaveProperty('includeTools', [])
    expect(await server('')).not.toHaveProperty('effects')
    expect(await server(', effects: []')).toHaveProperty('effects', [])
    const tool = async (lines: string) => (await usable(`tools: [{name: a, use: ./a.mjs:a${lines}}]`)).tools[0]
    expect(await tool('')).not.toHaveProperty('effects')
    expect(await tool(', effects: []')).toHaveProperty('effects', [])
    expect(await tool(', effects: [read]')).toHaveProperty('effects', ['read'])
  })

  it('of what a model can', async () => {
    const can = async (lines: string) => (await usable(`models: [{name: m${lines}}]`)).models[0]?.can
    expect(await can('')).toEqual(['tools'])
    expect(await can(', can: []')).toEqual([])
    expect(await can(', can: [vision]')).toEqual(['vision'])
  })

  it.each([
    'tool_groups:',
    'deny_tools:',
    'permissions:',
    'permissions: {deny: }',
    'sandbox:',
    'tools:',
    'mcp_servers:',
    'agents: {main: {groups: }}',
    'skills: {active: null}',
  ])('a key without a value is none of them: %s', async (text) => {
    const { config, findings } = await given(text)
    expect(config).toBeUndefined()
    expect(findings[0]).toMatchObject({ code: 'config-type', severity: 'error' })
    expect(findings[0]?.hint).toMatch(/^write (\[\]|\{\}) for none, or remove the key$/)
  })
})

describe('what restricts refuses the file when it is at fault', () => {
  it.each([
    ['deny_tools: bash', 'config-type', 'deny_tools'],
    ['deny_tools: [bash, null, 3]', 'config-type', 'deny_tools[1]'],
    ['deny_tools: [""]', 'config-range', 'deny_tools[0]'],
    ['deny_tools: ["a\\u001bb"]', 'config-range', 'deny_tools[0]'],
    ['deny_prefixes: [""]', 'config-range', 'deny_prefixes[0]'],
    ['deny_prefixes: ["git_*"]', 'config-range', 'deny_prefixes[0]'],
    ['permissions: {deny: {a: 1}}', 'config-type', 'permissions.deny'],
    ['permissions: {denny: [a]}', 'config-unknown-key', 'permissions.denny'],
    ['permissions: {otherwise: never}', 'config-range', 'permissions.otherwise'],
    ['sandbox: {allow_host_bash: "false"}', 'config-type', 'sandbox.allow_host_bash'],
    ['sandbox: {allow_host_bash: yes}', 'config-type', 'sandbox.allow_host_bash'],
    ['sandbox: {allow_host_bash: 1}', 'config-type', 'sandbox.allow_host_bash'],
    ['sandbox: {kind: nmespace}', 'config-range', 'sandbox.kind'],
    ['sandbox: {network: "false"}', 'config-type', 'sandbox.network'],
    ['sandbox: {programs: [opt/node]}', 'config-range', 'sandbox.programs[0]'],
    ['sandbox: {programs: [/]}', 'config-range', 'sandbox.programs[0]'],
    ['sandbox: {programs: [/opt/../etc]}', 'config-range', 'sandbox.programs[0]'],
    ['sandbox: {programs: ["/opt/a:/etc"]}', 'config-range', 'sandbox.programs[0]'],
    ['sandbox: {limits: {memory_bytes: 1000}}', 'config-range', 'sandbox.limits.memory_bytes'],
    ['sandbox: {limits: {processes: 0}}', 'config-range', 'sandbox.limits.processes'],
    ['sandbox: {limits: {proceses: 9}}', 'config-unknown-key', 'sandbox.limits.proceses'],
    ['tool_groups: web', 'config-type', 'tool_groups'],
    ['skills: {mode: all}', 'config-range', 'skills.mode'],
    ['skills: {mode: true}', 'config-type', 'skills.mode'],
    ['tool_search: {enabled: "true"}', 'config-type', 'tool_search.enabled'],
    ['tool_search: {budget: -1}', 'config-range', 'tool_search.budget'],
    ['limits: {call_timeout_ms: 2147483648}', 'config-range', 'limits.call_timeout_ms'],
    ['limits: {call_timeout_ms: .inf}', 'config-range', 'limits.call_timeout_ms'],
    ['limits: {call_timeout_ms: .nan}', 'config-range', 'limits.call_timeout_ms'],
    ['limits: {call_timeout_ms: 1.5}', 'config-range', 'limits.call_timeout_ms'],
    ['limits: {result_bytes: 9007199254740993}', 'config-range', 'limits.result_bytes'],
    ['limits: {result_bytes: "1"}', 'config-type', 'limits.result_bytes'],
    ['version: 2', 'config-version', 'version'],
    ['version: "1"', 'config-type', 'version'],
    ['state: {url: "mysql://a"}', 'config-range', 'state.url'],
    ['state: {url: $NONE}', 'config-variable', 'state.url'],
    ['models: [{can: [tools]}]', 'config-missing-key', 'models[0].name'],
    ['models: [{name: a, can: [see]}]', 'config-range', 'models[0].can[0]'],
    ['models: [{name: a}, {name: A}]', 'duplicate-name', 'models[1].name'],
    ['models: [{name: a, args: {n: 9007199254740993}}]', 'config-range', 'models[0].args'],
    ['agents: {main: {groups: web}}', 'config-type', 'agents.main.groups'],
    ['agents: {main: {grops: [web]}}', 'config-unknown-key', 'agents.main.grops'],
    ['agents: {main: {permissions: {deny: bash}}}', 'config-type', 'agents.main.permissions.deny'],
    ['agents: {main: {children: [../up]}}', 'invalid-name', 'agents.main.children[0]'],
    ['require: bash', 'config-type', 'require'],
    ['mcp_config_files: .mcp.json', 'config-type', 'mcp_config_files'],
    ['deny_tool: [bash]', 'config-unknown-key', 'deny_tool'],
    ['constructor: {}', 'config-unknown-key', 'constructor'],
    ['- a', 'config-type', 'undefined'],
  ])('%s', async (text, code, key) => {
    const { config, findings } = await given(text)
    expect(config).toBeUndefined()
    expect(short(errors(findings)).join('\n')).toContain(`error ${code} ${key === 'undefined' ? '' : key}`)
    for (const { message, hint } of findings) expect(`${message}${hint ?? ''}`).toMatch(/^[^\p{Cc}]+$/u)
  })
})

describe('what a finding says', () => {
  it.each([
    ['deny_tool: [bash]', 'the key "deny_tool" is not known', 'did you mean "deny_tools"? a free key begins with x-'],
    [
      'permissions: {alow: []}',
      'the key "alow" is not known in "permissions"',
      'did you mean "allow"? a free key begins with x-',
    ],
    [
      'sandbox: {kind: nmespace}',
      '"sandbox.kind" must be one of auto, none, namespace, and it is "nmespace"',
      'did you mean namespace?',
    ],
    [
      'sandbox: {allow_host_bash: on}',
      '"sandbox.allow_host_bash" must be true or false, and it is a text',
      'write true or false, without quotes',
    ],
    ['deny_tools: bash', '"deny_tools" must be a list, and it is a text', 'write a list: [ … ]'],
    ['limits: {call_timeout_ms: -5}', '"limits.call_timeout_ms" must be at least 1, and it is -5', undefined],
    ['require: [3]', '"require[0]" must be a text, and it is a number', 'put the value in quotes'],
  ])('%s', async (text, message, hint) => {
    const { findings } = await given(text)
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({ message, ...(hint === undefined ? {} : { hint }) })
  })

  it('points at file, key, line and column', async () => {
    const { findings } = await given('version: 1\nlimits:\n  call_timeout_ms: 0\n')
    expect(findings[0]?.origin).toEqual({
      in: '/desk/toolgate.yaml',
      key: 'limits.call_timeout_ms',
      line: 3,
      column: 3,
    })
  })

  it('names all that is wrong at once, and not without end', async () => {
    expect(
      (await given('deny_tools: a\ntool_groups: b\nsandbox: {kind: x, allow_host_bash: 1}')).findings,
    ).toHaveLength(4)
    const many = Array.from({ length: 5000 }, (_, at) => `k${at}: 1\n`).join('')
    expect((await given(many)).findings.length).toBeLessThanOrEqual(201)
  })

  it('never shows a value that may be a secret', async () => {
    const secret = 'hunter22hunter22'
    const { findings } = await given(
      [
        'mcp_servers:',
        `  a: {command: [${secret}]}`,
        `  b: {command: x, env: {TOKEN: [${secret}]}, headers: ${secret}}`,
        `  c: {url: {${secret}x: 1}, args: {a: ${secret}}}`,
        `  d: {url: "https://u:${secret}@example.com/"}`,
        `  e: {url: "${secret}"}`,
        `  f: {command: "run --token ${secret}"}`,
        `  g: {command: x, timeout_ms: ${secret}}`,
        `models: [{name: m, args: ${secret}}]`,
        `state: {url: "mysql://u:${secret}@h"}`,
      ].join('\n'),
    )
    expect(errors(findings).length).toBeGreaterThan(5)
    expect(JSON.stringify(findings).replaceAll(`${secret}x`, '')).not.toContain(secret)
  })
})

describe('free keys', () => {
  it('that begin with x- are let through wherever keys are fixed', async () => {
    const text = [
      'x-top: {a: [1]}',
      'limits: {x-why: slow, call_timeout_ms: 5}',
      'tools: [{name: a, use: ./a.mjs:a, x-owner: ann}]',
      'mcp_servers: {s: {command: a, x-note: 1, timeouts: {x-n: 1}, tools: {t: {x-n: 1}}}}',
      'agents: {main: {x-n: 1, permissions: {x-n: 1}}}',
    ].join('\n')
    const { config, findings } = await given(text)
    expect(findings).toEqual([])
    expect(config?.limits.callTimeoutMs).toBe(5)
    expect(JSON.stringify(config)).not.toContain('x-')
  })

  it('are names like others where names are free', async () => {
    expect((await usable('mcp_servers: {x-files: {command: a}}')).mcpServers[0]?.name).toBe('x-files')
  })
})

describe('sections', () => {
  it('become rules with their own places: permissions, deny_tools, deny_prefixes, agents', async () => {
    const text = [
      'deny_tools: ["*", bash]',
      'deny_prefixes:',
      '  - git_',
      'permissions:',
      '  allow: [read_file]',
      '  deny: ["github/*"]',
      '  otherwise: ask',
      'agents:',
      '  main: {permissions: {ask: ["effect:write"]}}',
    ].join('\n')
    const config = await usable(text)
    const rules = config.permissions.rules.map(
      ({ effect, text: rule, scope, origin }) => `${scope} ${effect} ${rule} ${origin.key}:${origin.line}`,
    )
    expect(rules).toEqual([
      'config deny github/* permissions.deny[0]:6',
      'config allow read_file permissions.allow[0]:5',
      'config deny * deny_tools[0]:1',
      'config deny bash deny_tools[1]:1',
      'config deny git_* deny_prefixes[0]:3',
    ])
    expect(config.permissions.otherwise).toBe('ask')
    expect(config.permissions.otherwiseOrigin).toMatchObject({ key: 'permissions.otherwise', line: 7 })
    expect(config.agents[0]?.rules).toEqual([
      {
        effect: 'ask',
        text: 'effect:write',
        scope: 'agent',
        origin: { in: '/desk/toolgate.yaml', key: 'agents.main.permissions.ask[0]', line: 9, column: 30 },
      },
    ])
  })

  it('are read as they are written', async () => {
    const text = [
      'skills: {paths: [skills, /abs], mode: enabled, active: [a], disabled: [b]}',
      'sandbox: {kind: none, allow_host_bash: true, network: true, programs: [/opt/node, /nix/store/], limits: {memory_bytes: 67108864, processes: 8, output_bytes: 65536, file_bytes: 1048576, temp_bytes: 1048577, disk_reserve_bytes: 0}}',
      'delegation: {enabled: true, max_depth: 3}',
      'tool_search: {enabled: false, budget: 2000, always: [a], max_results: 9, more_results: 0, query_chars: 400, synonyms: [[a, b]], auto_promote: 0, promoted_max: 7, promoted_budget: 0.05, embedder: "./m.mjs:e"}',
      'pins: {enabled: true}',
      'trusted_modules: ["@acme/tools"]',
      'require: [read_file]',
      'forbid: [bash]',
      'state: {url: "sqlite:x.db"}',
    ].join('\n')
    expect(await usable(text)).toMatchObject({
      skills: { paths: ['/desk/skills', '/abs'], mode: 'enabled', active: ['a'], disabled: ['b'], origin: { line: 1 } },
      sandbox: {
        kind: 'none',
        allowHostBash: true,
        network: true,
        programs: ['/opt/node', '/nix/store'],
        limits: {
          memoryBytes: 67_108_864,
          processes: 8,
          outputBytes: 65_536,
          fileBytes: 1_048_576,
          tempBytes: 1_048_577,
          diskReserveBytes: 0,
        },
        origin: { line: 2 },
      },
      delegation: { enabled: true, depthMax: 3, origin: { line: 3 } },
      toolSearch: {
        mode: 'off',
        budget: 2000,
        always: ['a'],
        maxResults: 9,
        moreResults: 0,
        queryChars: 400,
        synonyms: [['a', 'b']],
        autoPromote: 0,
        promotedMax: 7,
        promotedBudget: 0.05,
        embedder: { use: './m.mjs:e', origin: { line: 4 } },
        origin: { line: 4 },
        budgetOrigin: { key: 'tool_search.budget' },
      },
      pins: { enabled: true },
      trustedModules: ['@acme/tools'],
      require: [{ text: 'read_file', origin: { key: 'require[0]' } }],
      forbid: [{ text: 'bash', origin: { key: 'forbid[0]', line: 8 } }],
      state: { url: 'sqlite:x.db' },
    })
    expect((await usable('tool_search: {enabled: true}')).toolSearch.mode).toBe('on')
  })

  it('take the secret out of an address of state', async () => {
    const config = await usable('state: {url: "postgres://u:${PASSWORD}@db/x"}', {
      environment: { PASSWORD: 'hunter22' },
    })
    expect(config.state.url).toBe('postgres://u:hunter22@db/x')
    expect(config.secrets).toContain('hunter22')
  })
})
