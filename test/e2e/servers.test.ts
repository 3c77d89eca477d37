// `toolgate servers` as people use it: the state of each server with its next step, and what runs in other programs.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ServersReport } from '../../src/report/servers.ts'
import type { ScriptedServer } from '../../src/testing/scripted-handles.ts'
import { listening } from '../sources/scripted.ts'
import { ensureBuilt, root } from './built.ts'
import { isRunning } from './processes.ts'
import { documentOf, offering, type Project, project, scripted } from './project.ts'

let locked: ScriptedServer
let lab: Project

beforeAll(async () => {
  locked = await listening({ status: 401 })
  lab = project({
    'shared.json': JSON.stringify({ mcpServers: { theirs: { command: process.execPath, args: ['-e', ''] } } }),
    'toolgate.yaml': `version: 1
mcp_config_files: [shared.json]
mcp_servers:
  shelf: ${scripted(offering('find', 'fetch'))}
  crashes: ${scripted({ delayMs: 300, initialize: { code: -32600, message: 'no database' } })}
  missing: { command: no-such-program }
  docs: { url: "${locked.url}" }
  keyed: { url: "${locked.url}", headers: { Authorization: Bearer of-the-file } }
  off: { command: no-such-program, enabled: false }
permissions: { deny: [shelf/fetch] }
`,
  })
})
afterAll(() => locked.close())

const report = (words: readonly string[] = [], inside = lab) => inside.json<ServersReport>(['servers', ...words])
const lineOf = (text: string): number => lab.lineOf('toolgate.yaml', text)

describe('toolgate servers [U1, G13, M6]', () => {
  it('gives each server its state, its reason and its next step, in one document', async () => {
    const ran = await lab.run(['servers', '--refresh', '--json'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const { schema, servers, programs } = documentOf<ServersReport>(ran)
    expect([schema, programs]).toEqual(['toolgate.servers/1', []])
    expect(Object.fromEntries(servers.map((server) => [server.name, server]))).toMatchObject({
      shelf: { state: 'available', transport: 'stdio', asked: true, cached: false, tools: 2, exposed: 1, sessions: [] },
      crashes: {
        state: 'handshake-failed',
        asked: true,
        reason: expect.stringContaining('no database'),
        next: 'check that server "crashes" speaks MCP on this transport',
        tools: 0,
      },
      missing: {
        state: 'failed-to-start',
        reason: 'command "no-such-program" was not found',
        next: 'run its command by hand and mend what it reports',
        origin: { in: 'toolgate.yaml', line: lineOf('missing:') },
      },
      docs: { state: 'login-needed', transport: 'http', next: 'toolgate login docs' },
      keyed: {
        state: 'login-needed',
        next: 'renew its Authorization header, or remove the header and run `toolgate login keyed`',
      },
      off: { state: 'disabled', asked: false },
      theirs: {
        state: 'not-approved',
        asked: false,
        next: 'look at its entry, then add "theirs" to `approved_servers`',
      },
    })
    for (const { state, since, tokens } of servers) {
      expect(since === undefined).toBe(state === 'disabled' || state === 'not-approved')
      expect(tokens > 0).toBe(state === 'available')
    }
  })

  it('says when a server was not asked, and what then is known of it', async () => {
    await report()
    const before = (await report()).servers.find(({ name }) => name === 'shelf')
    expect(before).toMatchObject({ state: 'available', asked: false, cached: true, tools: 2 })
    expect(Date.parse(before?.since ?? '')).toBeLessThanOrEqual(Date.now())
    const after = (await report(['--refresh'])).servers.find(({ name }) => name === 'shelf')
    expect(after).toMatchObject({ state: 'available', asked: true, cached: false })
  })

  it.each(['80', '120'])('is a table in %s columns, with what is wrong below each line', async (columns) => {
    await report()
    const { code, stdout } = await lab.run(['servers'], { env: { COLUMNS: columns } })
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^SERVER +STATE +ASKED +TOOLS +TOKENS +PROTOCOL$/)
    expect(lines[1]).toMatch(/^shelf +available +\d+ s ago +1 of 2 +[1-9]\d* +2025-\d\d-\d\d$/)
    expect(stdout).toContain(
      [
        '\n  command "no-such-program" was not found',
        `  at toolgate.yaml:${lineOf('missing:')} mcp_servers.missing`,
        '  do run its command by hand and mend what it reports\n',
      ].join('\n'),
    )
    expect(stdout).toMatch(/^docs +login-needed +now +0 +0$/m)
    expect(stdout).toContain('\n  do toolgate login docs\n')
    expect(stdout.replace(/\s+/g, ' ')).toContain('Not asked now: the tools are those of the last listing.')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(Number(columns))
  })

  it('speaks Chinese where it is asked to [U5]', async () => {
    const { stdout } = await lab.run(['servers', '--lang', 'zh'])
    expect(stdout).toMatch(/^服务器 +状态/)
    expect(stdout).toContain('请手动运行其命令并修复其报告的问题')
  })

  it('takes the policy flags of every command, and starts nothing that they leave out [S9]', async () => {
    const { servers } = await report(['--no-mcp', '--refresh'])
    expect(servers.find(({ name }) => name === 'shelf')).toMatchObject({
      state: 'not-started',
      asked: false,
      exposed: 0,
    })
    expect((await lab.run(['servers', '--no-mpc'])).code).toBe(2)
    expect((await lab.run(['servers', 'shelf'])).code).toBe(2)
  })

  it('tells of an inventory without asking anybody', async () => {
    expect((await lab.run(['snapshot'])).code).toBe(0)
    const { servers, programs } = await report(['--snapshot', 'toolgate.snapshot.json'])
    expect(programs).toEqual([])
    expect(servers.find(({ name }) => name === 'shelf')).toMatchObject({ state: 'available', asked: false })
  })

  it('has exit code 4 when a required server is not there', async () => {
    const home = project({
      'toolgate.yaml': 'version: 1\nmcp_servers: { vital: { command: no-such-program, required: true } }\n',
    })
    const { code, stdout } = await home.run(['servers'])
    expect(code).toBe(4)
    expect(stdout).toContain('it is required: there is no run without it')
  })

  it('says that there are none', async () => {
    const home = project({ 'toolgate.yaml': 'version: 1\n' })
    expect(await home.run(['servers'])).toEqual({ code: 0, stdout: 'no servers are configured\n', stderr: '' })
  })

  it('never lets a server command the terminal', async () => {
    const plan = { initialize: { code: -32600, message: 'x\u001b[31m\u202ey' } }
    const home = project({ 'toolgate.yaml': `version: 1\nmcp_servers:\n  rude: ${scripted(plan)}\n` })
    const { stdout } = await home.run(['servers'])
    expect(stdout).toContain('x\\u001b[31m\\u202ey')
    expect(stdout).not.toContain('\u001b')
  })
})

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A program that keeps a toolbox open for a thread, once a tool was called. Resolves when that has answered. */
async function keptOpen(inside: Project, tool: string): Promise<ChildProcess> {
  ensureBuilt()
  const entry = (file: string): string => JSON.stringify(pathToFileURL(join(root, 'dist', file)).href)
  inside.write(
    'keep.mjs',
    `import { loadConfig } from ${entry('index.mjs')}
import { openToolbox } from ${entry('runtime/index.mjs')}
const { config } = await loadConfig('toolgate.yaml', { environment: process.env })
const owner = { user: 'ann', thread: 't-1' }
const toolbox = await openToolbox({ config, owner, program: 'test' })
const outcome = await (await toolbox.callsOf(owner)).call({ name: ${JSON.stringify(tool)}, args: {} })
console.log(outcome.kind)
process.stdin.resume().on('end', () => toolbox.close())
`,
  )
  const child = spawn(process.execPath, ['keep.mjs'], { cwd: inside.folder, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const [said] = await once(child.stdout, 'data')
  expect(String(said)).toBe('result\n')
  return child
}

describe('the sessions of another program [M1]', () => {
  const patient = { timeout: 20_000 }
  const withShelf = (): Project =>
    project({ 'toolgate.yaml': `version: 1\nmcp_servers:\n  shelf: ${scripted(offering('find'))}\n` })
  const boardFiles = (inside: Project): string[] =>
    existsSync(inside.path('.toolgate/running')) ? readdirSync(inside.path('.toolgate/running')) : []

  it('are shown with process and phase, and no more once it was killed', async () => {
    const home = withShelf()
    const child = await keptOpen(home, 'shelf__find')
    const sessionsOf = async () => (await report([], home)).servers[0]?.sessions ?? []
    await expect
      .poll(sessionsOf, patient)
      .toMatchObject([{ program: 'test', programPid: child.pid, phase: 'open', owner: { user: 'ann', thread: 't-1' } }])
    const [session] = await sessionsOf()
    expect(isRunning(String(session?.pid))).toBe(true)

    const { stdout } = await home.run(['servers'], { env: { COLUMNS: '120' } })
    expect(stdout).toMatch(
      new RegExp(
        `^ {2}run test \\(process ${child.pid}\\): process ${session?.pid}, open for \\d+ s, user ann, thread t-1$`,
        'm',
      ),
    )
    expect(stdout).toMatch(new RegExp(`^Running: test \\(process ${child.pid}\\), up for \\d+ s$`, 'm'))

    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await report([], home)).toMatchObject({ servers: [{ sessions: [] }], programs: [] })
    expect(boardFiles(home)).toEqual([])
    await expect.poll(() => isRunning(String(session?.pid)), patient).toBe(false)
  })

  it('are gone once it has ended by itself', async () => {
    const home = withShelf()
    const child = await keptOpen(home, 'shelf__find')
    await expect.poll(() => boardFiles(home).length, patient).toBe(1)
    child.stdin?.end()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect(boardFiles(home)).toEqual([])
  })

  it('are shown below their program where another configuration of the folder is asked about', async () => {
    const home = withShelf()
    await keptOpen(home, 'shelf__find')
    home.write('other.yaml', 'version: 1\n')
    await expect
      .poll(() => report(['--config', 'other.yaml'], home), patient)
      .toMatchObject({ servers: [], programs: [{ program: 'test', sessions: [{ server: 'shelf', phase: 'open' }] }] })
  })

  it('cost nothing when what another program wrote cannot be read', async () => {
    const home = withShelf()
    home.write(`.toolgate/running/${process.pid}-00000000.json`, '{"schema":"toolgate.running/1","pid":')
    expect(await home.run(['servers'])).toMatchObject({ code: 0, stderr: '' })
  })
})
