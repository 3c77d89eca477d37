import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import type { UnavailableState } from '../../src/core/candidate.ts'
import { mcp } from '../../src/sources/mcp.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import {
  config,
  freshFolder,
  input,
  isAlive,
  listedTool,
  markedPids,
  onePage,
  scripted,
  serverConfig,
} from './scripted.ts'

const collect = (mcpServers: readonly McpServerConfig[], more: Partial<Parameters<typeof input>[0]> = {}) =>
  mcp.collect(input({ config: config({ mcpServers }), ...more }))

interface Failing {
  readonly title: string
  readonly server: McpServerConfig
  readonly state: UnavailableState
  readonly detail: RegExp
}

const plainFile = join(freshFolder(), 'plain.txt')
writeFileSync(plainFile, 'no program', { mode: 0o644 })

const failing: readonly Failing[] = [
  {
    title: 'a command that is not installed',
    server: serverConfig('lab', { command: 'no-such-program-here' }),
    state: 'failed-to-start',
    detail: /command "no-such-program-here" was not found/,
  },
  {
    title: 'a working folder that is not there [C-165]',
    server: serverConfig('lab', { cwd: '/no/such/folder' }),
    state: 'failed-to-start',
    detail: /working folder \/no\/such\/folder is not there/,
  },
  {
    title: 'a program that may not be executed',
    server: serverConfig('lab', { command: plainFile }),
    state: 'failed-to-start',
    detail: /may not be executed/,
  },
  {
    title: 'an exit before the handshake',
    server: scripted('lab', { exit: { at: 'start', code: 3 }, stderr: ['loading', 'no database at localhost'] }),
    state: 'failed-to-start',
    detail: /exited with code 3 before it answered; it said: no database at localhost/,
  },
  {
    title: 'an exit instead of the handshake',
    server: scripted('lab', { exit: { at: 'initialize', code: 1 } }),
    state: 'failed-to-start',
    detail: /exited with code 1/,
  },
  {
    title: 'a refused handshake',
    server: scripted('lab', { initialize: { code: -32600, message: 'bad client' } }),
    state: 'handshake-failed',
    detail: /error -32600: bad client/,
  },
  {
    title: 'a protocol revision that nobody knows',
    server: scripted('lab', { protocolVersion: '1999-01-01' }),
    state: 'handshake-failed',
    detail: /1999-01-01/,
  },
  {
    title: 'no answer to initialize [C-175]',
    server: scripted('lab', { initialize: 'silent', stderr: ['waiting for the moon'] }, { startTimeoutMs: 1200 }),
    state: 'timed-out',
    detail: /no answer to initialize within 1.2 s; it said: waiting for the moon/,
  },
  {
    title: 'no answer to tools/list',
    server: scripted('lab', { list: 'silent' }, { startTimeoutMs: 1200 }),
    state: 'timed-out',
    detail: /no answer to tools\/list \(page 1\) within 1.2 s/,
  },
  {
    title: 'an error for tools/list',
    server: scripted('lab', { list: { code: -32603, message: 'disk full' } }),
    state: 'listing-failed',
    detail: /error -32603: disk full/,
  },
  {
    title: 'an exit while it lists',
    server: scripted('lab', { exit: { at: 'tools/list', code: 9 } }),
    state: 'listing-failed',
    detail: /exited with code 9 while it listed its tools/,
  },
  { title: 'an empty list', server: scripted('lab', onePage()), state: 'listed-nothing', detail: /offers no tools/ },
  {
    title: 'no tools by its own word',
    server: scripted('lab', { toolsCapability: false, list: { code: -32601, message: 'Method not found' } }),
    state: 'listed-nothing',
    detail: /says that it has no tools/,
  },
  {
    title: 'an answer that is no list',
    server: scripted('lab', { pages: [{ tools: { length: 2 } }] }),
    state: 'listing-failed',
    detail: /list-shape/,
  },
  {
    title: 'an entry without a command',
    server: { ...serverConfig('lab'), command: '' },
    state: 'not-configured',
    detail: /no command/,
  },
  {
    title: 'a place where nobody listens',
    server: { ...serverConfig('lab'), transport: 'http', url: 'http://127.0.0.1:1997/mcp?token=s3cret' },
    state: 'failed-to-start',
    detail: /^http:\/\/127\.0\.0\.1:1997\/mcp could not be reached \(ECONNREFUSED\)$/,
  },
  {
    title: 'a place where nobody listens, over SSE',
    server: { ...serverConfig('lab'), transport: 'sse', url: 'http://127.0.0.1:1997/sse' },
    state: 'failed-to-start',
    detail: /could not be reached \(ECONNREFUSED\)/,
  },
]

describe('a server that gives no tools [S4, C-010, C-015]', () => {
  it.each(failing)('tells of $title', async ({ server, state, detail }) => {
    const healthy = scripted('healthy', onePage(listedTool('find')))
    const { candidates, findings, servers } = await collect([server, healthy])
    expect(candidates.map((candidate) => candidate.id)).toEqual(['mcp:lab/*', 'mcp:healthy/find'])
    expect(candidates[0]).toMatchObject({
      name: 'lab__*',
      standIn: true,
      availability: { state, detail: expect.stringMatching(detail) },
    })
    expect(servers).toMatchObject([
      { name: 'lab', state, tools: 0 },
      { name: 'healthy', state: 'available', tools: 1 },
    ])
    expect(findings.map(({ code, subject }) => [code, subject])).toEqual([['server-unavailable', 'lab']])
    expect(JSON.stringify({ candidates, findings })).not.toContain('s3cret')
  })

  it.each(['http', 'sse'] as const)('asks for a login when %s answers 401 or 403', async (transport) => {
    for (const status of [401, 403]) {
      const closed = createServer((_request, response) => response.writeHead(status).end('no')).listen(0, '127.0.0.1')
      await new Promise((resolve) => closed.once('listening', resolve))
      const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/mcp`
      const { servers } = await collect([{ ...serverConfig('mail'), transport, url }])
      closed.closeAllConnections()
      closed.close()
      expect(servers[0]).toMatchObject({
        state: 'login-needed',
        detail: expect.stringMatching(new RegExp(`wants a login \\(HTTP ${status}\\); run \`toolgate login mail\`$`)),
      })
    }
  })

  it('says so as an error when the server is required', async () => {
    const { findings } = await collect([serverConfig('lab', { command: 'no-such-program-here', required: true })])
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['required-server-missing', 'error']])
  })

  it('keeps secrets out of what a failing server said', async () => {
    const server = scripted('lab', { exit: { at: 'start', code: 1 }, stderr: ['token hunter2hunter2 was refused'] })
    const lines: string[] = []
    const { candidates, findings, servers } = await mcp.collect(
      input({
        config: config({ mcpServers: [server], secrets: ['hunter2hunter2'] }),
        progress: (line) => lines.push(line),
      }),
    )
    expect(JSON.stringify({ candidates, findings, servers, lines })).not.toContain('hunter2hunter2')
    expect(servers[0]?.detail).toMatch(/was refused/)
  })

  it('stops waiting when the run is stopped', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 300)
    const { servers } = await collect([scripted('lab', { initialize: 'silent' })], { signal: stop.signal })
    expect(servers[0]).toMatchObject({
      state: 'timed-out',
      detail: expect.stringMatching(/the run was stopped before/),
    })
  })
})

describe('a server that must not be started [S9, C-161]', () => {
  const cases: readonly {
    readonly state: string
    readonly more: Partial<McpServerConfig>
    readonly idle: readonly string[]
  }[] = [
    { state: 'disabled', more: { enabled: false, origins: { enabled: { in: 'toolgate.yaml', line: 9 } } }, idle: [] },
    { state: 'not-approved', more: { approved: false }, idle: [] },
    { state: 'not-started', more: {}, idle: ['heavy'] },
  ]
  it.each(cases)('leaves no trace when it is $state', async ({ state, more, idle }) => {
    const marker = join(freshFolder(), 'started')
    const server = scripted('heavy', { marker, ...onePage(listedTool('lift')) }, more)
    const { candidates, servers } = await collect([server], { idleServers: new Set(idle) })
    expect(existsSync(marker)).toBe(false)
    expect(candidates).toMatchObject([{ id: 'mcp:heavy/*', standIn: true, availability: { state } }])
    expect(servers).toMatchObject([{ name: 'heavy', state }])
    // The same plan does leave a trace when it is started.
    await collect([{ ...server, enabled: true, approved: true }])
    expect(existsSync(marker)).toBe(true)
  })
})

describe('processes of servers [S4, Q4]', () => {
  const plans: readonly (ServerPlan & { readonly title: string })[] = [
    { title: 'a server that lists well and has a child of its own', grandchild: true, ...onePage(listedTool('a')) },
    { title: 'a server that ignores the end of its input and TERM', stubborn: true, ...onePage(listedTool('a')) },
    { title: 'a server that hangs and has a child of its own', grandchild: true, initialize: 'silent' },
    { title: 'a server that leaves its child behind', grandchild: true, exit: { at: 'initialize', code: 1 } },
  ]
  it.each(plans)('ends all of $title', async ({ title: _title, ...plan }) => {
    const marker = join(freshFolder(), 'pids')
    await collect([
      scripted('lab', { ...plan, marker }, { startTimeoutMs: plan.initialize === 'silent' ? 1000 : 20_000 }),
    ])
    const pids = markedPids(marker)
    expect(pids.length).toBe(plan.grandchild === true ? 2 : 1)
    expect(pids.filter(isAlive)).toEqual([])
  })

  it('starts a server once, whichever handshake it speaks', async () => {
    for (const plan of [{}, { initialize: { code: -32601, message: 'Method not found' }, discover: true }] as const) {
      const marker = join(freshFolder(), 'pids')
      const { servers } = await collect([scripted('lab', { ...plan, marker, ...onePage(listedTool('a')) })])
      expect(servers[0]).toMatchObject({
        state: 'available',
        protocolVersion: 'discover' in plan ? '2026-07-28' : expect.stringMatching(/^2025-/),
      })
      expect(markedPids(marker)).toHaveLength(1)
    }
  })

  it('remembers the handshake of 2026-07-28 and asks for it first', async () => {
    const stateFolder = freshFolder()
    const modern = scripted('lab', {
      initialize: { code: -32601, message: 'Method not found' },
      discover: true,
      ...onePage(listedTool('a')),
    })
    await collect([modern], { stateFolder })
    // A second run in which `initialize` would never be answered succeeds, because it is not asked any more.
    writeFileSync(
      modern.args[1]?.slice(1) ?? '',
      JSON.stringify({ initialize: 'silent', discover: true, ...onePage(listedTool('a'), listedTool('b')) }),
    )
    const { servers } = await collect([modern], { stateFolder })
    expect(servers[0]).toMatchObject({ state: 'available', tools: 2 })
    // And a server that went back to the old handshake is found all the same.
    writeFileSync(modern.args[1]?.slice(1) ?? '', JSON.stringify(onePage(listedTool('a'))))
    expect((await collect([modern], { stateFolder })).servers[0]).toMatchObject({ state: 'available', tools: 1 })
  })

  it('starts servers side by side', async () => {
    const slow = ['a', 'b', 'c'].map((name) => scripted(name, { delayMs: 1500, ...onePage(listedTool('x')) }))
    const before = performance.now()
    await collect(slow)
    expect(performance.now() - before).toBeLessThan(4000)
  })
})

describe('the environment of a server [S4, C-162]', () => {
  it('is a safe base and what is configured, in the configured folder', async () => {
    const cwd = freshFolder()
    const environment = {
      PATH: process.env.PATH,
      HOME: '/home/nobody',
      OPENAI_API_KEY: 'CANARY',
      MY_HARMLESS_NAME: 'CANARY',
      TERM: '() { :; }; touch pwned',
    }
    const server = scripted('lab', { tellEnvironment: true }, { env: { TOKEN: 'x', Z: '$Y' }, cwd })
    const { candidates } = await collect([server], { environment })
    const seen = JSON.parse(candidates[0]?.definition.description ?? '{}')
    expect(seen).toMatchObject({ PATH: process.env.PATH, HOME: '/home/nobody', TOKEN: 'x', Z: '$Y', '(cwd)': cwd })
    expect(Object.keys(seen).filter((name) => /CANARY|TERM/.test(`${name}${seen[name]}`))).toEqual([])
  })
})
