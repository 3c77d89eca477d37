import { describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { mcp } from '../../src/sources/mcp.ts'
import { launchChange, launchOf } from '../../src/sources/mcp-launch.ts'
import type { Listings, SourceInput } from '../../src/sources/source.ts'
import { config, input, listedTool, serverConfig } from './scripted.ts'

const token = 'tok-1234567890'
const environment = { TICKETS_TOKEN: token, OTHER_TOKEN: 'other-0987654321', HOME: '/home/me' }
const place = { folder: '/desk', secrets: [token, environment.OTHER_TOKEN] }

/** A server as it comes out of a shared file that is approved by name. */
const shared = (more: Partial<McpServerConfig> = {}): McpServerConfig =>
  serverConfig('docs', {
    command: '/desk/tools/docs',
    args: ['serve', './papers'],
    env: { TOKEN: token },
    cwd: '/desk/sub',
    origins: { approved: { in: 'toolgate.yaml', line: 3 }, command: { in: '.mcp.json', line: 4 } },
    ...more,
  })
const hashOf = (more: Partial<McpServerConfig> = {}, over: Partial<typeof place> = {}, env: object = environment) =>
  launchOf(shared(more), { ...place, ...over }, env as Record<string, string>).launchHash

describe('the launch of a server [S9, N11]', () => {
  it.each<{ readonly what: string; readonly more: Partial<McpServerConfig> }>([
    { what: 'another program', more: { command: '/desk/tools/other' } },
    { what: 'another argument', more: { args: ['serve', './papers', '--allow-writes'] } },
    { what: 'arguments split otherwise', more: { args: ['serve ./papers'] } },
    { what: 'another folder', more: { cwd: '/desk' } },
    { what: 'one variable more', more: { env: { TOKEN: token, npm_config_registry: 'https://evil.example' } } },
    { what: 'a value that is written out', more: { env: { TOKEN: 'tok-of-somebody-else' } } },
    { what: 'the secret of another variable', more: { env: { TOKEN: environment.OTHER_TOKEN } } },
    { what: 'a URL', more: { transport: 'http', url: 'https://docs.example.com/mcp' } },
    { what: 'a header', more: { headers: { 'X-Mode': 'write' } } },
  ])('is another with $what', ({ more }) => {
    expect(hashOf(more)).not.toBe(hashOf())
  })

  it('is the same when a variable gives another value, or the project lies elsewhere', () => {
    const renewed = 'tok-renewed-2222'
    expect(
      hashOf({ env: { TOKEN: renewed } }, { secrets: [renewed] }, { ...environment, TICKETS_TOKEN: renewed }),
    ).toBe(hashOf())
    expect(hashOf({ command: '/moved/tools/docs', cwd: '/moved/sub' }, { folder: '/moved' })).toBe(hashOf())
  })

  it('is the same in whichever order variables of one value are set', () => {
    const twice = { A_TOKEN: token, B_TOKEN: token }
    expect(hashOf({}, {}, twice)).toBe(hashOf({}, {}, Object.fromEntries(Object.entries(twice).reverse())))
  })

  it('is the same when only what gates read of it changed', () => {
    expect(hashOf({ group: 'web', startTimeoutMs: 1, excludeTools: ['x'], required: true })).toBe(hashOf())
  })

  it('is shown as it is written, without secrets', () => {
    const { shown } = launchOf(shared({ args: ['serve', 'two words', `--token=${token}`] }), place, environment)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a variable is shown
    expect(shown).toBe('./tools/docs serve "two words" --token=${TICKETS_TOKEN} (in ./sub, with TOKEN)')
    const literal = launchOf(
      shared({ args: ['--token', 'literal-9'] }),
      { ...place, secrets: ['literal-9'] },
      environment,
    )
    expect(literal.shown).toContain('--token ***')
  })

  it('is shown on one printable line', () => {
    const { shown } = launchOf(shared({ args: ['\u001b[2J\n', 'x'.repeat(5000)] }), place, environment)
    expect(shown).not.toMatch(/\p{Cc}/u)
    expect(shown.length).toBeLessThanOrEqual(1010)
  })

  it('that changed is shown around the place where the two part', () => {
    expect(launchChange('node a.js', 'node b.js')).toBe('"node a.js" -> "node b.js"')
    const long = `npx -y ${'x'.repeat(300)} `
    expect(launchChange(`${long}one`, `${long}two`)).toMatch(/^"…x{59} one" -> "…x{59} two"$/)
    expect(launchChange('node a.js', 'node a.js')).toMatch(/other values of its variables/)
  })
})

describe('a server of a shared file, with pins on [S9, G12, C-154]', () => {
  const run = async (server: McpServerConfig, approvedLaunches?: SourceInput['approvedLaunches']) => {
    const asked: string[] = []
    const list: NonNullable<Listings['list']> = async ({ name }) => {
      asked.push(name)
      return { identity: 'i', era: 'legacy', tools: [listedTool('find')], problems: [], tookMs: 1 }
    }
    const result = await mcp.collect(
      input({
        config: config({ ...place, mcpServers: [server] }),
        environment,
        listings: { list },
        ...(approvedLaunches === undefined ? {} : { approvedLaunches }),
      }),
    )
    return { ...result, asked }
  }
  const { server: _, ...approved } = launchOf(shared(), place, environment)

  it('is asked when it runs what was approved, or when nobody approved a launch of it so far', async () => {
    expect((await run(shared(), new Map([['docs', approved]]))).asked).toEqual(['docs'])
    expect((await run(shared(), new Map())).asked).toEqual(['docs'])
    expect((await run(shared({ args: ['other'] }))).asked).toEqual(['docs'])
  })

  it('is not started when it would run something else, and says what', async () => {
    const { asked, candidates, findings, servers } = await run(
      shared({ args: ['serve', '/'] }),
      new Map([['docs', approved]]),
    )
    expect(asked).toEqual([])
    expect(servers).toMatchObject([
      {
        state: 'not-approved',
        detail: expect.stringContaining(
          '"./tools/docs serve ./papers (in ./sub, with TOKEN)" -> "./tools/docs serve / (in ./sub, with TOKEN)"',
        ),
      },
    ])
    expect(candidates).toMatchObject([
      { standIn: true, availability: { state: 'not-approved', origin: { in: '.mcp.json', line: 4 } } },
    ])
    expect(findings).toMatchObject([
      { code: 'launch-changed', severity: 'error', subject: 'docs', origin: { line: 4 } },
    ])
  })

  it('is not started when the approvals cannot be read', async () => {
    const { asked, servers } = await run(shared(), 'unreadable')
    expect(asked).toEqual([])
    expect(servers).toMatchObject([{ state: 'not-approved', detail: 'the file of approvals cannot be read' }])
  })

  it('that the configuration itself names needs no such approval', async () => {
    for (const launches of [new Map([['docs', { launchHash: 'other', shown: 'other' }]]), 'unreadable'] as const)
      expect((await run(shared({ origins: {} }), launches)).asked).toEqual(['docs'])
  })

  it('that is required and not started is an error of the run', async () => {
    const { findings } = await run(shared({ args: [], required: true }), new Map([['docs', approved]]))
    expect(findings.map(({ code }) => code).sort()).toEqual(['launch-changed', 'required-server-missing'])
  })
})
