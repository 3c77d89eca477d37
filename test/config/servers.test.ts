// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the forms of variables under test

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errors, given, loaded, short, usable } from './given-config.ts'

const server = async (entry: string, environment: Readonly<Record<string, string>> = {}) => {
  const result = await given(`mcp_servers:\n  good: {command: node}\n  s: ${entry}\n`, { environment })
  return { ...result, server: result.config?.mcpServers.find(({ name }) => name === 's') }
}

describe('a server [S4]', () => {
  it('has these defaults over stdio', async () => {
    expect((await server('{command: npx}')).server).toEqual({
      name: 's',
      transport: 'stdio',
      command: 'npx',
      args: [],
      env: {},
      headers: {},
      enabled: true,
      approved: true,
      required: false,
      prefix: true,
      trustAnnotations: false,
      excludeTools: [],
      tools: [],
      startTimeoutMs: 30_000,
      callTimeoutMs: 60_000,
      callTotalMs: 600_000,
      origin: { in: '/desk/toolgate.yaml', key: 'mcp_servers.s', line: 3, column: 3 },
      origins: { command: { in: '/desk/toolgate.yaml', key: 'mcp_servers.s.command', line: 3, column: 7 } },
    })
  })

  it.each([
    ['{url: "https://a.example/mcp"}', 'http'],
    ['{type: http, url: "https://a.example/mcp"}', 'http'],
    ['{type: sse, url: "https://a.example/mcp"}', 'sse'],
    ['{type: stdio, command: a}', 'stdio'],
    ['{type: STDIO, command: a}', 'stdio'],
    ['{type: streamable-http, url: "https://a.example/mcp"}', 'http'],
    ['{type: local, command: a}', 'stdio'],
  ])('%s is spoken to over %s', async (entry, transport) => {
    const { server: built, findings } = await server(entry)
    expect(built?.transport).toBe(transport)
    expect(findings).toEqual([])
  })

  it('keeps what the operator says of it and of single tools', async () => {
    const entry = `{command: a, required: true, group: g, tool_name_prefix: false, trust_annotations: true, effects: [read],
      include_tools: [x, y], exclude_tools: [y], keywords: [find], priority: 5, timeouts: {start_ms: 1, call_ms: 2},
      tools: {x: {enabled: false, effects: [], group: h, role: shell, keywords: [k], priority: 1}, constructor: {}}}`
    expect((await server(entry)).server).toMatchObject({
      required: true,
      group: 'g',
      prefix: false,
      trustAnnotations: true,
      effects: ['read'],
      includeTools: ['x', 'y'],
      excludeTools: ['y'],
      keywords: ['find'],
      priority: 5,
      startTimeoutMs: 1,
      callTimeoutMs: 2,
      tools: [
        {
          name: 'x',
          enabled: false,
          effects: [],
          group: 'h',
          role: 'shell',
          keywords: ['k'],
          priority: 1,
          origin: { key: 'mcp_servers.s.tools.x' },
        },
        { name: 'constructor' },
      ],
      origins: {
        includeTools: { key: 'mcp_servers.s.include_tools' },
        excludeTools: { key: 'mcp_servers.s.exclude_tools' },
      },
    })
  })

  it('takes its limits from itself, then from `limits`', async () => {
    const config = await usable(
      'limits: {call_timeout_ms: 7, start_timeout_ms: 8}\nmcp_servers: {a: {command: a}, b: {command: b, timeout_ms: 9}}',
    )
    expect(config.mcpServers.map(({ callTimeoutMs, startTimeoutMs }) => [callTimeoutMs, startTimeoutMs])).toEqual([
      [7, 8],
      [9, 8],
    ])
  })

  it('has paths relative to the file [C-164]', async () => {
    expect((await server('{command: ./bin/run, cwd: sub}')).server).toMatchObject({
      command: '/desk/bin/run',
      cwd: '/desk/sub',
    })
    expect((await server('{command: /bin/run}')).server).toMatchObject({ command: '/bin/run' })
    expect((await server("{command: 'C:\\bin\\run.exe'}")).server).toMatchObject({ command: 'C:\\bin\\run.exe' })
  })

  it('has an environment and headers without a prototype', async () => {
    const { server: built } = await server('{command: a, env: {A: b}}')
    expect(built?.env.constructor).toBeUndefined()
    expect(built?.headers.toString).toBeUndefined()
  })
})

describe('a server at fault costs only itself', () => {
  it.each([
    ['text', 'config-type mcp_servers.s'],
    ['{}', 'config-missing-key mcp_servers.s'],
    ['{env: {A: b}}', 'config-missing-key mcp_servers.s'],
    ['{command: a, url: "https://a.example"}', 'config-conflict mcp_servers.s.url'],
    ['{type: stdio, url: "https://a.example"}', 'config-conflict mcp_servers.s.type'],
    ['{type: http, command: a}', 'config-conflict mcp_servers.s.type'],
    ['{command: a, timeout_ms: 1, timeouts: {call_ms: 2}}', 'config-conflict mcp_servers.s.timeout_ms'],
    ['{command: a, type: stdio, transport: http}', 'config-conflict mcp_servers.s.transport'],
    ['{command: a, bogus: 1}', 'config-unknown-key mcp_servers.s.bogus'],
    ['{command: a, args: [8080]}', 'config-type mcp_servers.s.args[0]'],
    ['{command: a, env: {PORT: 8080}}', 'config-type mcp_servers.s.env.PORT'],
    ['{command: a, env: {A: }}', 'config-type mcp_servers.s.env.A'],
    ['{command: a, enabled: "false"}', 'config-type mcp_servers.s.enabled'],
    ['{command: a, disabled: "true"}', 'config-type mcp_servers.s.enabled'],
    ['{command: a, timeout_ms: 0}', 'config-range mcp_servers.s.timeout_ms'],
    ['{command: a, tools: {t: {enabled: no}}}', 'config-type mcp_servers.s.tools.t.enabled'],
    ['{command: "node -e 1; touch pwned"}', 'command-shell-line mcp_servers.s.command'],
    ['{command: "npx -y @a/b"}', 'command-shell-line mcp_servers.s.command'],
    ['{command: ""}', 'command-shell-line mcp_servers.s.command'],
    ['{command: a, env: {LD_PRELOAD: x}}', 'env-forbidden mcp_servers.s.env.LD_PRELOAD'],
    ['{command: a, env: {"A=B": x}}', 'invalid-name mcp_servers.s.env["A=B"]'],
    ['{command: a, env: {A: "x\\0y"}}', 'config-range mcp_servers.s.env.A'],
    ['{command: a, args: ["x\\0y"]}', 'config-range mcp_servers.s.args[0]'],
    ['{command: a, cwd: "x\\ny"}', 'config-range mcp_servers.s.cwd'],
    ['{command: a, env: {A: $NONE}}', 'config-variable mcp_servers.s.env.A'],
    ['{command: a, args: [--token, "${NONE}"]}', 'config-variable mcp_servers.s.args[1]'],
    ['{command: $NONE}', 'config-variable mcp_servers.s.command'],
    ['{command: a, cwd: $NONE/x}', 'config-variable mcp_servers.s.cwd'],
    ['{url: "https://${NONE}.example"}', 'config-variable mcp_servers.s.url'],
    ['{url: "https://a.example", headers: {A: "Bearer ${NONE}"}}', 'config-variable mcp_servers.s.headers.A'],
    ['{url: "javascript:a"}', 'url-forbidden mcp_servers.s.url'],
    ['{url: "http://169.254.169.254/mcp"}', 'url-forbidden mcp_servers.s.url'],
    ['{url: "http://a.example/"}', 'url-forbidden mcp_servers.s.url'],
    ['{url: "https://a.example", headers: {"A B": c}}', 'invalid-name mcp_servers.s.headers["A B"]'],
    ['{url: "https://a.example", headers: {A: "b\\r\\nC: d"}}', 'config-range mcp_servers.s.headers.A'],
    ['{url: "https://a.example", headers: {A: "日"}}', 'config-range mcp_servers.s.headers.A'],
  ])('%s', async (entry, finding) => {
    const { config, findings } = await server(entry)
    expect(config?.mcpServers.map(({ name }) => name)).toEqual(['good'])
    expect(config?.unusable).toMatchObject([{ kind: 'server', name: 's', state: 'not-configured' }])
    expect(short(errors(findings))).toEqual([`error ${finding}`])
    expect(errors(findings)[0]?.origin?.line).toBe(3)
  })

  it('says that a transport is not spoken, apart from a mistake', async () => {
    const { config, findings } = await server('{type: websocket, url: "wss://a.example"}')
    expect(config?.unusable).toMatchObject([{ name: 's', state: 'unsupported-transport' }])
    expect(findings[0]).toMatchObject({ code: 'config-range', hint: 'write stdio, http or sse' })
  })

  it.each([
    ['{command: a, headers: {A: bcdefg}, allow_http: true}', ['headers']],
    ['{url: "https://a.example", args: [x], env: {A: b}, cwd: sub}', ['args', 'env', 'cwd']],
    ['{url: "https://a.example", args: [], env: {}}', []],
    ['{command: a, headers: {}}', []],
  ])('is told of keys that do nothing: %s', async (entry, keys) => {
    const { server: built, findings } = await server(entry)
    expect(built).toBeDefined()
    expect(short(findings)).toEqual(keys.map((key) => `warning config-conflict mcp_servers.s.${key}`))
  })

  it('keeps in mind that a run needs it', async () => {
    expect((await server('{command: 3, required: true, group: g}')).config?.unusable).toMatchObject([
      { required: true, group: 'g' },
    ])
  })

  it.each([
    ['"../up"', 'invalid-name', '../up'],
    ['"a b"', 'invalid-name', 'a b'],
    ['"x\\u001b[2J"', 'invalid-name', 'x\\u001b[2J'],
    [`"${'n'.repeat(65)}"`, 'invalid-name', 'n'.repeat(65)],
    ['GOOD', 'duplicate-name', 'GOOD'],
  ])('cannot be called %s', async (name, code, subject) => {
    const { config, findings } = await given(`mcp_servers: {good: {command: a}, ${name}: {command: b}}`)
    expect(config?.mcpServers.map((built) => built.name)).toEqual(['good'])
    expect(errors(findings)).toMatchObject([{ code, subject }])
  })
})

describe('other spellings are read and said [C-188]', () => {
  it.each([
    ['{transport: sse, url: "https://a.example"}', { transport: 'sse' }, '"transport" was read as "type"'],
    ['{command: a, disabled: true}', { enabled: false }, '"disabled" was read as "enabled"'],
    ['{command: a, disabled: false}', { enabled: true }, '"disabled" was read as "enabled"'],
    ['{serverUrl: "https://a.example"}', { url: 'https://a.example' }, '"serverUrl" was read as "url"'],
    ['{httpUrl: "https://a.example"}', { url: 'https://a.example' }, '"httpUrl" was read as "url"'],
    ['{cmd: a}', { command: 'a' }, '"cmd" was read as "command"'],
    ['{command: a, environment: {A: b}}', { env: { A: 'b' } }, '"environment" was read as "env"'],
    ['{command: a, includeTools: [x]}', { includeTools: ['x'] }, '"includeTools" was read as "include_tools"'],
    ['{command: a, disabledTools: [x]}', { excludeTools: ['x'] }, '"disabledTools" was read as "exclude_tools"'],
    ['{command: a, toolNamePrefix: false}', { prefix: false }, '"toolNamePrefix" was read as "tool_name_prefix"'],
  ])('%s', async (entry, expected, message) => {
    const { server: built, findings } = await server(entry)
    expect(built).toMatchObject(expected)
    expect(findings).toMatchObject([{ code: 'config-synonym', severity: 'info', message, origin: { line: 3 } }])
  })

  it('and do not clash when they agree', async () => {
    expect((await server('{type: sse, transport: sse, url: "https://a.example"}')).findings).toEqual([])
  })
})

describe('a server that is switched off costs nothing [C-187]', () => {
  it.each([
    '{command: a, enabled: false, env: {A: $NONE}}',
    '{command: "a b; c", enabled: false}',
    '{enabled: false}',
    '{url: "https://${NONE}.example", disabled: true}',
    '{url: "http://169.254.169.254", enabled: false}',
  ])('%s', async (entry) => {
    const { server: built, config, findings } = await server(entry)
    expect(built).toMatchObject({ enabled: false })
    expect(config?.unusable).toBeUndefined()
    expect(errors(findings)).toEqual([])
  })

  it('and no variable is put into it', async () => {
    const { server: built, config } = await server('{command: a, enabled: false, env: {A: $T}}', { T: 'token-value' })
    expect(built?.env).toEqual({ A: '$T' })
    expect(config?.secrets).toEqual([])
  })
})

describe('variables and secrets of a server', () => {
  it('are put in everywhere text leaves the program [C-163] [C-185] [C-186]', async () => {
    const environment = { T: 'token-value', REGION: 'eu-west-9', DIR: '/data' }
    const local = await server(
      '{command: $DIR/run, args: [--token, $T, "${NONE:-x}"], env: {A: "${T}"}, cwd: $DIR}',
      environment,
    )
    expect(local.server).toMatchObject({
      command: '/data/run',
      args: ['--token', 'token-value', 'x'],
      env: { A: 'token-value' },
      cwd: '/data',
    })
    const remote = await server(
      '{url: "https://${REGION}.example/mcp", headers: {Authorization: "Bearer $T"}}',
      environment,
    )
    expect(remote.server).toMatchObject({
      url: 'https://eu-west-9.example/mcp',
      headers: { Authorization: 'Bearer token-value' },
    })
    expect(remote.config?.secrets).toEqual(expect.arrayContaining(['eu-west-9', 'token-value', 'Bearer token-value']))
  })

  it.each([
    ['{command: a, env: {A: literal-1}}', ['literal-1']],
    ['{command: a, args: [--api-key, literal-2, --token=literal-3, --name, bob]}', ['literal-2', 'literal-3']],
    ['{url: "https://a.example/?key=literal-4", headers: {X: literal-5}}', ['literal-4', 'literal-5']],
    ['{url: "https://a.example", headers: {Authorization: "Bearer literal-6"}}', ['Bearer literal-6', 'literal-6']],
    [
      `{url: "https://a.example", headers: {Authorization: "Basic ${btoa('ann:literal-7')}"}}`,
      ['ann:literal-7', 'literal-7'],
    ],
  ])('literal ones are collected too: %s', async (entry, secrets) => {
    expect((await server(entry)).config?.secrets).toEqual(expect.arrayContaining(secrets))
  })

  it('what everybody knows is none', async () => {
    const { config } = await server('{command: $HOME/run, env: {PATH: /usr/bin, NODE_ENV: production}}', {
      HOME: '/home/ann',
    })
    expect(config?.secrets).toEqual([])
  })

  it('nothing is run: what is no variable stays as it is', async () => {
    const { server: built, findings } = await server(
      '{command: a, args: ["$(touch pwned)", "`touch pwned`", "${NONE:-$(touch pwned)}", "a|b"]}',
    )
    expect(built?.args).toEqual(['$(touch pwned)', '`touch pwned`', '$(touch pwned)', 'a|b'])
    expect(findings).toEqual([])
  })

  it('a control character from single backslashes is pointed out [C-171]', async () => {
    const { server: built, findings } = await server('{command: uvx, args: ["work\\temp\\bvb"]}')
    expect(built).toBeDefined()
    expect(short(findings)).toEqual(['warning config-backslash mcp_servers.s.args[0]'])
  })
})

describe('a command with blanks', () => {
  it('is a path when that file exists', async () => {
    const { config, findings, folder } = await loaded({
      'toolgate.yaml': 'mcp_servers: {a: {command: "./my tool"}, b: {command: "./no tool"}}',
      'my tool': '',
    })
    expect(config?.mcpServers).toMatchObject([{ name: 'a', command: join(folder, 'my tool') }])
    expect(short(findings)).toEqual(['error command-shell-line mcp_servers.b.command'])
  })

  it('is none when a folder has that name', async () => {
    const { config } = await given('mcp_servers: {a: {command: "./my folder/"}}')
    expect(config?.mcpServers).toEqual([])
  })
})

describe('order', () => {
  it('of servers is that of the file, those at fault apart, numbers too [S7]', async () => {
    const config = await usable('mcp_servers: {z: {command: a}, bad: {}, a: {command: a}, 10: {command: a}}')
    expect(config.mcpServers.map(({ name }) => name)).toEqual(['z', 'a', '10'])
  })
})
