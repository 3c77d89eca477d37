// Every way in which a server or a tool can be missing, with servers that fail on purpose: its own code, the place in
// the file, a next step; and nothing else is any different for it.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UnavailableState } from '../../src/core/candidate.ts'
import type { ToolsReport } from '../../src/report/tools-report.ts'
import { leftRunning } from './processes.ts'
import { offering, type Project, project, scripted, scriptedProgram } from './project.ts'

const doors: Server[] = []

/** A loopback address where requests are answered so; `undefined` leaves them waiting. */
async function door(status: number | undefined): Promise<string> {
  const server = createServer((_request, response) => {
    if (status !== undefined) response.writeHead(status).end()
  })
  doors.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

/** A loopback address where nobody listens. */
async function nobodyHome(): Promise<string> {
  const url = await door(200)
  await new Promise((resolve) => doors.pop()?.close(resolve))
  return url
}

interface Case {
  readonly server: string
  readonly state: UnavailableState
  /** What happened, as the answer tells it. */
  readonly detail: RegExp
  /** What to do. */
  readonly next: RegExp
  /** A piece of the line of the configuration that the answer must name. */
  readonly at: string
}

const cases: readonly Case[] = [
  {
    server: 'not-installed',
    state: 'failed-to-start',
    detail: /"no-such-program" was not found/,
    next: /run the command of server "not-installed" by hand/,
    at: 'command: no-such-program',
  },
  {
    server: 'no-folder',
    state: 'failed-to-start',
    detail: /working folder .*nowhere is not there/,
    next: /by hand/,
    at: 'no-folder: {',
  },
  {
    server: 'crashes',
    state: 'failed-to-start',
    detail: /exited with code 3 before it answered; it said: no database/,
    next: /by hand/,
    at: 'crashes: {',
  },
  {
    server: 'nobody-home',
    state: 'failed-to-start',
    detail: /could not be reached \(ECONNREFUSED\)/,
    next: /by hand/,
    at: 'nobody-home: {',
  },
  {
    server: 'refuses',
    state: 'handshake-failed',
    detail: /error -32600: not you/,
    next: /speaks MCP on this transport/,
    at: 'refuses: {',
  },
  {
    server: 'locked',
    state: 'login-needed',
    detail: /wants a login \(HTTP 401\)/,
    next: /log in to server "locked"/,
    at: 'locked: {',
  },
  {
    server: 'breaks',
    state: 'listing-failed',
    detail: /error -32603: disk full/,
    next: /look at the log of server "breaks"/,
    at: 'breaks: {',
  },
  {
    server: 'dies-listing',
    state: 'listing-failed',
    detail: /exited with code 9 while it listed/,
    next: /look at the log/,
    at: 'dies-listing: {',
  },
  {
    server: 'mute',
    state: 'timed-out',
    detail: /no answer to initialize within 0.8 s; it said: waiting/,
    next: /raise the start timeout of server "mute"/,
    at: 'mute: {',
  },
  {
    server: 'mute-listing',
    state: 'timed-out',
    detail: /no answer to tools\/list \(page 1\) within 0.8 s/,
    next: /raise the start timeout/,
    at: 'mute-listing: {',
  },
  {
    server: 'mute-http',
    state: 'timed-out',
    detail: /no answer to initialize within 0.8 s/,
    next: /raise the start timeout/,
    at: 'mute-http: {',
  },
  {
    server: 'empty',
    state: 'listed-nothing',
    detail: /offers no tools/,
    next: /settings of server "empty"/,
    at: 'empty: {',
  },
  {
    server: 'toolless',
    state: 'listed-nothing',
    detail: /says that it has no tools/,
    next: /settings of server/,
    at: 'toolless: {',
  },
  { server: 'off', state: 'disabled', detail: /enabled: false/, next: /set `enabled: true`/, at: 'enabled: false' },
  {
    server: 'shared',
    state: 'not-approved',
    detail: /nobody approved it/,
    next: /look at what server "shared" would run, then approve/,
    at: 'mcp_config_files',
  },
  {
    server: 'contradicts',
    state: 'not-configured',
    detail: /both "command" and "url"/,
    next: /complete the configuration of server "contradicts"/,
    at: 'contradicts: {',
  },
  {
    server: 'by-pigeon',
    state: 'unsupported-transport',
    detail: /type "pigeon"/,
    next: /stdio, http or sse/,
    at: 'by-pigeon: {',
  },
]

const brief = 'timeouts: { start_ms: 800 }'

async function failing(): Promise<Project> {
  const [locked, silent, closed] = [await door(401), await door(undefined), await nobodyHome()]
  const agents = [...cases.map(({ server }) => server), 'healthy'].map(
    (name) => `  only-${name}: { servers: [${name}] }`,
  )
  return project({
    'shared.json': JSON.stringify({ mcpServers: { shared: { command: process.execPath, args: ['-e', ''] } } }),
    'healthy.yaml': `version: 1\nmcp_servers:\n  healthy: ${scripted(offering('find', 'fetch'))}\n`,
    'broken.mjs': 'export const tool = { name:',
    'toolgate.yaml': `version: 1
mcp_config_files: [shared.json]
tools:
  - { name: half_written, use: "./broken.mjs:tool" }
  - { name: elsewhere, use: "./not-there.mjs:tool" }
mcp_servers:
  healthy: ${scripted(offering('find', 'fetch'))}
  not-installed:
    command: no-such-program
  no-folder: ${scripted(offering('find'), 'cwd: nowhere')}
  crashes: ${scripted({ exit: { at: 'start', code: 3 }, stderr: ['loading', 'no database'] })}
  nobody-home: { url: "${closed}" }
  refuses: ${scripted({ initialize: { code: -32600, message: 'not you' } })}
  locked: { url: "${locked}" }
  breaks: ${scripted({ list: { code: -32603, message: 'disk full' } })}
  dies-listing: ${scripted({ exit: { at: 'tools/list', code: 9 } })}
  mute: ${scripted({ initialize: 'silent', stderr: ['waiting'] }, brief)}
  mute-listing: ${scripted({ list: 'silent' }, brief)}
  mute-http: { url: "${silent}", ${brief} }
  empty: ${scripted(offering())}
  toolless: ${scripted({ toolsCapability: false, list: { code: -32601, message: 'Method not found' } })}
  off:
    command: no-such-program
    enabled: false
  contradicts: { command: node, url: "${closed}" }
  by-pigeon: { type: pigeon, url: "${closed}" }
agents:
  all: {}
${agents.join('\n')}
`,
  })
}

let lab: Project
let report: ToolsReport
const lineOf = (text: string): number => lab.lineOf('toolgate.yaml', text)

beforeAll(async () => {
  lab = await failing()
  report = await lab.tools()
})

afterAll(() => {
  for (const server of doors) {
    server.closeAllConnections()
    server.close()
  }
})

describe.concurrent.each(cases)('a server that is $state: $server [G13]', ({ server, state, detail, next, at }) => {
  it('is told by `why` with its code, its place and a next step', async () => {
    const explanation = await lab.why(server, ['--agent', `only-${server}`])
    expect(explanation).toMatchObject({ kind: 'excluded', server: { name: server, state, tools: 0 } })
    const [decision, ...more] = explanation.decisions
    expect(more).toEqual([])
    expect(decision).toMatchObject({ id: `mcp:${server}/*`, standIn: true, settledBy: 'availability', code: state })
    expect(decision?.why).toMatch(detail)
    expect(explanation.change?.sentences[0]).toMatch(next)
    expect(explanation.change?.origin).toMatchObject({ in: 'toolgate.yaml', line: lineOf(at) })
    expect(report.servers.find(({ name }) => name === server)?.state).toBe(state)
  })
})

describe('failing servers and tools [S4, Q4]', () => {
  it('leave the others as they were, to the byte', async () => {
    const alone = await lab.tools(['--config', 'healthy.yaml'])
    const ofHealthy = ({ decisions }: ToolsReport) =>
      decisions
        .filter(({ id, source }) => source === 'builtin' || id.startsWith('mcp:healthy/'))
        .map(({ id, name, outcome, settledBy, code, definitionHash, tokens }) => [
          id,
          name,
          outcome,
          settledBy,
          code,
          definitionHash,
          tokens,
        ])
    expect(ofHealthy(report)).toEqual(ofHealthy(alone))
    expect(ofHealthy(report).filter(([id]) => String(id).startsWith('mcp:'))).toHaveLength(2)
  })

  it('are told for people too: outcome, sentence, file and line, what to do', async () => {
    const { code, stdout } = await lab.run(['why', 'crashes', '--agent', 'only-crashes'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^excluded +crashes__\* +settled by availability$/m)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'server "crashes" could not be started (it exited with code 3 before it answered; it said: no database)',
    )
    expect(stdout).toMatch(new RegExp(`toolgate.yaml:${lineOf('crashes: {')} mcp_servers.crashes`))
    expect(stdout).toMatch(/change it: run the command of server "crashes" by hand and mend what it reports/)
  })

  it.each([
    { tool: 'half_written', detail: /use-load-failed/ },
    { tool: 'elsewhere', detail: /not-there\.mjs/ },
  ])('include modules that cannot be loaded: $tool [S1]', async ({ tool, detail }) => {
    const { decisions, change } = await lab.why(tool, ['--agent', 'only-off'])
    expect(decisions).toMatchObject([{ id: `config:${tool}`, outcome: 'excluded', code: 'load-failed' }])
    expect(decisions[0]?.why).toMatch(detail)
    expect(change?.sentences[0]).toMatch(/mend the module that `use` names/)
    expect(change?.origin).toMatchObject({ in: 'toolgate.yaml', line: lineOf(`name: ${tool}`) })
  })

  it('leave no process behind', async () => {
    expect(await leftRunning(lab.folder)).toEqual([])
  })
})

describe('what a server listed before', () => {
  const plan = (...names: readonly string[]): string => JSON.stringify(offering(...names))

  it('is named when it no longer lists it, and when it is down [S4]', async () => {
    const home = project({
      'plan.json': plan('find', 'fetch'),
      'toolgate.yaml': `version: 1
mcp_servers:
  shelf: { command: "${process.execPath}", args: ["${scriptedProgram}", "@plan.json"] }
`,
    })
    expect((await home.tools()).servers).toMatchObject([{ name: 'shelf', state: 'available', tools: 2 }])

    home.write('plan.json', plan('find', 'search'))
    const renamed = await home.why('shelf/fetch')
    expect(renamed.decisions).toMatchObject([{ id: 'mcp:shelf/fetch', outcome: 'excluded', code: 'no-longer-listed' }])
    expect(renamed.decisions[0]?.why).toMatch(/no longer lists it .*last listed at \d{4}-/)
    expect(renamed.change?.sentences[0]).toMatch(/use a name that server "shelf" lists now/)

    home.write('plan.json', JSON.stringify({ exit: { at: 'start', code: 1 } }))
    const { decisions, servers } = await home.tools()
    expect(servers).toMatchObject([{ name: 'shelf', state: 'failed-to-start', tools: 2 }])
    expect(decisions.filter(({ source }) => source === 'mcp').map(({ id, code }) => [id, code])).toEqual([
      ['mcp:shelf/find', 'failed-to-start'],
      ['mcp:shelf/search', 'failed-to-start'],
    ])
  })
})
