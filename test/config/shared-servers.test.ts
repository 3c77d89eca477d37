// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the forms of variables under test

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errors, loaded, short } from './given-config.ts'

const file = (servers: unknown) => JSON.stringify({ mcpServers: servers }, undefined, 1)
const docs = { docs: { command: 'npx', args: ['-y', 'docs-mcp'] } }

const shared = (text: string, more = '', options = {}) =>
  loaded({ 'toolgate.yaml': `mcp_config_files: [.mcp.json]\n${more}`, '.mcp.json': text }, options)

describe('servers of a shared file [S9] [C-182]', () => {
  it('are there and not approved, with the place where they could be', async () => {
    const { config, findings, folder } = await shared(file(docs))
    expect(findings).toEqual([])
    expect(config?.mcpServers).toMatchObject([
      {
        name: 'docs',
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'docs-mcp'],
        enabled: true,
        approved: false,
        origin: { in: '.mcp.json', key: 'mcpServers.docs', line: 3 },
        origins: { approved: { in: `${folder}/toolgate.yaml`, key: 'mcp_config_files[0]', line: 1 } },
      },
    ])
  })

  it.each([
    ['approved_servers: [docs]', true, 'approved_servers[0]'],
    ['approved_servers: ["*"]', true, 'approved_servers[0]'],
    ['approved_servers: []', false, 'approved_servers'],
    ['approved_servers: [other]', false, 'approved_servers'],
    ['approved_servers: [DOCS]', false, 'approved_servers'],
  ])('are approved by name or all at once: %s', async (more, approved, key) => {
    const { config } = await shared(file(docs), more)
    expect(config?.mcpServers[0]).toMatchObject({ approved, origins: { approved: { key } } })
  })

  it('get no variable before they are approved', async () => {
    const text = file({ a: { url: 'https://evil.example/?k=${KEY}', headers: { A: '${KEY}' } } })
    const options = { environment: { KEY: 'secret-key' } }
    const before = await shared(text, '', options)
    expect(before.config?.mcpServers[0]).toMatchObject({
      url: 'https://evil.example/?k=${KEY}',
      headers: { A: '${KEY}' },
    })
    expect(before.config?.secrets).toEqual([])
    const after = await shared(text, 'approved_servers: [a]', options)
    expect(after.config?.mcpServers[0]).toMatchObject({ url: 'https://evil.example/?k=secret-key' })
    expect(after.config?.secrets).toContain('secret-key')
  })

  it('cannot raise their own trust', async () => {
    const text = file({
      a: {
        command: 'x',
        approved: true,
        trust_annotations: true,
        effects: [],
        required: true,
        alwaysAllow: ['t'],
        tools: { t: {} },
      },
    })
    const { config, findings } = await shared(text)
    expect(config?.mcpServers).toMatchObject([
      { name: 'a', approved: false, trustAnnotations: false, required: false, tools: [] },
    ])
    expect(config?.mcpServers[0]).not.toHaveProperty('effects')
    expect(findings).toMatchObject([
      { code: 'config-unknown-key', severity: 'warning', origin: { in: '.mcp.json', line: 5 } },
    ])
    for (const key of ['approved', 'trust_annotations', 'effects', 'required', 'alwaysAllow', 'tools'])
      expect(findings[0]?.message).toContain(`"${key}"`)
  })

  it('may narrow themselves, in the spelling of their client', async () => {
    const { config } = await shared(
      file({ a: { serverUrl: 'https://a.example', disabledTools: ['t'] }, b: { command: 'b', disabled: true } }),
    )
    expect(config?.mcpServers).toMatchObject([{ url: 'https://a.example', excludeTools: ['t'] }, { enabled: false }])
  })

  it('cost only themselves when they are at fault [C-179]', async () => {
    const { config, findings } = await shared(
      file({
        both: { command: 'npx', url: 'https://a.example' },
        neither: { env: { A: '1' } },
        text: 3,
        '../up': { command: 'a' },
        fine: { command: 'node' },
      }),
    )
    expect(config?.mcpServers.map(({ name }) => name)).toEqual(['fine'])
    expect(config?.unusable?.map(({ name }) => name)).toEqual(['both', 'neither'])
    expect(short(findings)).toEqual([
      'error config-type mcpServers.text',
      'error config-conflict mcpServers.both.url',
      'error config-missing-key mcpServers.neither',
      'error invalid-name mcpServers["../up"]',
    ])
  })
})

describe('one name in two files [C-184] [C-191]', () => {
  it('belongs to the configuration, and the other is told', async () => {
    const { config, findings, folder } = await shared(file(docs), 'mcp_servers:\n  docs: {command: own}\n')
    expect(config?.mcpServers).toMatchObject([{ name: 'docs', command: 'own', approved: true }])
    expect(findings).toMatchObject([
      {
        code: 'duplicate-name',
        severity: 'warning',
        subject: 'docs',
        message: `the server "docs" is shadowed by the one at ${folder}/toolgate.yaml:3 mcp_servers.docs`,
        origin: { in: '.mcp.json', line: 3 },
      },
    ])
  })

  it('counts in any letter case', async () => {
    const { config, findings } = await shared(file({ Docs: { command: 'a' } }), 'mcp_servers: {docs: {command: own}}')
    expect(config?.mcpServers.map(({ name }) => name)).toEqual(['docs'])
    expect(short(findings)).toEqual(['warning duplicate-name mcpServers.Docs'])
  })

  it('without command and url adjusts the shared entry, key by key, and does not approve it', async () => {
    const more =
      'mcp_servers:\n  docs: {group: web, enabled: false, env: {B: two}, exclude_tools: [t], trust_annotations: true}\n'
    const text = file({ docs: { command: './run', env: { A: 'one', B: 'one' } } })
    const { config, findings, folder } = await shared(text, more)
    expect(findings).toEqual([])
    expect(config?.mcpServers).toMatchObject([
      {
        name: 'docs',
        command: `${folder}/run`,
        env: { A: 'one', B: 'two' },
        group: 'web',
        enabled: false,
        excludeTools: ['t'],
        trustAnnotations: true,
        approved: false,
        origins: {
          command: { in: '.mcp.json', key: 'mcpServers.docs.command', line: 4 },
          enabled: { in: `${folder}/toolgate.yaml`, key: 'mcp_servers.docs.enabled', line: 3 },
        },
      },
    ])
  })

  it('points at the file that holds the mistake', async () => {
    const text = file({ docs: { command: 'a', env: { A: '$NONE' } } })
    const { findings } = await shared(
      text,
      'approved_servers: [docs]\nmcp_servers: {docs: {env: {B: $NADA}, headers: {"B B": x}}}',
    )
    expect(
      errors(findings).map(({ origin, message }) => `${origin?.in.split('/').at(-1)} ${origin?.key} ${message}`),
    ).toEqual([
      '.mcp.json mcpServers.docs.env.A "mcpServers.docs.env.A": the variable NONE is not set',
      'toolgate.yaml mcp_servers.docs.env.B "mcp_servers.docs.env.B": the variable NADA is not set',
      'toolgate.yaml mcp_servers.docs.headers["B B"] "mcp_servers.docs.headers["B B"]" is no name of a header',
    ])
  })

  it('without a shared entry is a server that cannot be reached', async () => {
    const { config, findings } = await shared(file({}), 'mcp_servers: {figma: {exclude_tools: [export_all]}}')
    expect(config?.unusable).toMatchObject([{ name: 'figma' }])
    expect(short(findings)).toEqual(['error config-missing-key mcp_servers.figma'])
  })

  it('belongs to the first of two shared files', async () => {
    const { config, findings } = await loaded({
      'toolgate.yaml': 'mcp_config_files: [a.json, b.json]',
      'a.json': file({ x: { command: 'a' } }),
      'b.json': file({ x: { command: 'b' }, y: { command: 'y' } }),
    })
    expect(config?.mcpServers).toMatchObject([{ name: 'x', command: 'a' }, { name: 'y' }])
    expect(short(findings)).toEqual(['warning duplicate-name mcpServers.x'])
  })
})

describe('a shared file at fault is one finding, and the rest goes on', () => {
  it.each([
    [
      'comments and trailing commas [C-178]',
      '{\n// team\n"mcpServers": {"docs": {"command": "npx",},},}',
      ['docs'],
      ['warning config-syntax .mcp.json', 'warning config-syntax .mcp.json'],
    ],
    ['an open bracket', '{"mcpServers": {', [], ['error config-syntax .mcp.json', 'error config-syntax .mcp.json']],
    ['nothing', '', [], ['error config-empty .mcp.json']],
    ['a list', '[]', [], ['error config-type .mcp.json']],
    ['servers in a list', '{"mcpServers": []}', [], ['error config-type mcpServers']],
    [
      'the root key of VS Code',
      '{"servers": {"a": {"command": "b"}}, "inputs": []}',
      [],
      ['error config-missing-key servers'],
    ],
    ['no root key', '{"other": {}}', [], ['error config-missing-key .mcp.json']],
    [
      'another key',
      '{"mcpServers": {"a": {"command": "b"}}, "other": 1, "$schema": "x", "x-y": 1}',
      ['a'],
      ['warning config-unknown-key other'],
    ],
    [
      'a server twice',
      '{"mcpServers": {"a": {"command": "b"}, "a": {"command": "c"}}}',
      [],
      ['error config-duplicate-key mcpServers.a'],
    ],
    [
      '__proto__',
      '{"mcpServers": {"__proto__": {"command": "b"}}}',
      [],
      ['error config-unknown-key mcpServers.__proto__'],
    ],
  ])('%s', async (_, text, names, findings) => {
    const result = await shared(text, 'mcp_servers: {own: {command: a}}')
    expect(result.config?.mcpServers.map(({ name }) => name)).toEqual(['own', ...names])
    expect(short(result.findings)).toEqual(findings)
  })

  it('names the key where a missing file is named', async () => {
    const { config, findings } = await loaded({ 'toolgate.yaml': 'mcp_config_files:\n  - none.json\n' })
    expect(config).toBeDefined()
    expect(findings).toMatchObject([
      {
        code: 'config-not-found',
        severity: 'error',
        message: '"mcp_config_files[0]" names a file that is not there: none.json',
        origin: { key: 'mcp_config_files[0]', line: 2 },
      },
    ])
  })

  it('offers the key that is read', async () => {
    const { findings } = await shared('{"servers": {}}')
    expect(findings[0]).toMatchObject({
      message: '"mcpServers" is missing; "servers" is the key of VS Code',
      hint: 'rename "servers" to "mcpServers"',
    })
  })
})

describe('files of real clients', () => {
  const folder = '../shared/data/client-configs'
  const at = existsSync(folder)
    ? it
    : (name: string, _run: unknown) => it(`${name} (the folder ${folder} is absent)`, () => {})

  at('are read: claude-code.json and those of its kind', async () => {
    for (const name of [
      'claude-code.json',
      'claude-desktop.json',
      'messy/bom-crlf.json',
      'messy/comments.json',
      'messy/trailing-comma.json',
    ]) {
      const { config, findings } = await shared(readFileSync(`${folder}/${name}`, 'utf8'))
      expect(errors(findings), name).toEqual([])
      expect(config?.mcpServers.length, name).toBeGreaterThan(0)
    }
  })

  at('the messy ones say what is wrong', async () => {
    const said = async (name: string) => {
      const { findings } = await shared(readFileSync(`${folder}/messy/${name}`, 'utf8'), 'approved_servers: ["*"]')
      return short(findings).join('\n')
    }
    expect(await said('command-and-url.json')).toContain('config-conflict mcpServers.both.url')
    expect(await said('command-and-url.json')).toContain('config-missing-key mcpServers.neither')
    expect(await said('duplicate-key.json')).toContain('config-duplicate-key mcpServers.docs')
    expect(await said('empty-file.json')).toContain('config-empty')
    expect(await said('single-backslashes.json')).toContain('config-backslash mcpServers.repo.args[2]')
    expect(await said('string-args.json')).toContain('config-type mcpServers.docs.args')
    expect(await said('unresolved-placeholder.json')).toContain('config-variable mcpServers.tickets.url')
    expect(await said('unresolved-placeholder.json')).toContain(
      'config-variable mcpServers.tickets.headers.Authorization',
    )
  })
})
