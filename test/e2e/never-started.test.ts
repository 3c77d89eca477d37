// Servers that nothing on the run may use are not started: each would write a marker file. And what a missing server
// means for the exit code.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { offering, project, scripted } from './project.ts'

const names = ['open', 'denied', 'denied-wide', 'off', 'shared', 'grouped', 'narrowed'] as const
const marked = (name: string) =>
  scripted({ marker: `started/${name}`, ...offering('find') }, name === 'grouped' ? 'group: far' : '')

const home = project({
  'started/.keep': '',
  'shared.json': `{ "mcpServers": { "shared": ${JSON.stringify({ command: process.execPath, args: ['-e', "require('fs').writeFileSync('started/shared', '')"] })} } }`,
  'toolgate.yaml': `version: 1
mcp_config_files: [shared.json]
mcp_servers:
  open: ${marked('open')}
  denied: ${marked('denied')}
  denied-wide: ${marked('denied-wide')}
  off: ${marked('off').replace(/ }$/, ', enabled: false }')}
  grouped: ${marked('grouped')}
  narrowed: ${marked('narrowed').replace(/ }$/, ', include_tools: [] }')}
agents:
  main: { groups: [near] }
  picky: { servers: [open] }
  alone: { servers: [] }
  nothing: { groups: [] }
permissions: { deny: ["denied/*", "mcp__denied-wide"] }
`,
})

const started = (): string[] =>
  readdirSync(home.path('started'))
    .filter((name) => name !== '.keep')
    .sort()
beforeEach(() => {
  for (const name of started()) rmSync(home.path(`started/${name}`))
})

describe('a server that nothing may use is never started [S9]', () => {
  it.each([
    { how: 'denied, disabled, not approved, of a group that is not asked for', words: [], runs: ['open'] },
    { how: 'over MCP, with --no-mcp', words: ['--no-mcp'], runs: [] },
    { how: 'denied by flag', words: ['--deny-tool', 'open/*'], runs: [] },
    { how: 'denied by a prefix', words: ['--deny-prefix', 'open'], runs: [] },
    { how: 'without a basic tool, with --simple-mode', words: ['--simple-mode'], runs: [] },
    { how: 'not among the servers of the agent', words: ['--agent', 'picky'], runs: ['open'] },
    { how: 'for an agent without servers', words: ['--agent', 'alone'], runs: [] },
    { how: 'for an agent with an empty list of groups', words: ['--agent', 'nothing'], runs: [] },
    { how: 'for a child that may not use it', words: ['--agent', 'picky', '--subagent', 'alone'], runs: [] },
  ])('$how', async ({ words, runs }) => {
    // What is stored of a server from the case before must not be the reason why it is not started.
    const report = await home.tools([...words, '--refresh'])
    expect(started()).toEqual(runs)
    expect(report.servers.map(({ name }) => name).sort()).toEqual([...names].sort())
    for (const { server, outcome } of report.decisions) {
      if (server !== undefined && !(runs as readonly string[]).includes(server)) expect(outcome).toBe('excluded')
    }
  })

  it('and `why` names the gate that leaves it out, with the place of the rule', async () => {
    const { decisions } = await home.why('denied/find')
    expect(decisions).toMatchObject([
      { id: 'mcp:denied/*', availability: 'not-started', settledBy: 'permissions', code: 'denied' },
    ])
    expect(decisions[0]?.change.origin).toMatchObject({ in: 'toolgate.yaml', key: 'permissions.deny[0]' })
    expect(started()).not.toContain('denied')
  })

  it('by any command that is given a stored inventory [S6]', async () => {
    expect((await home.run(['snapshot'])).code).toBe(0)
    rmSync(home.path('started/open'))
    const { code, stdout } = await home.run([
      'tools',
      '--snapshot',
      'toolgate.snapshot.json',
      '--config',
      'toolgate.yaml',
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('open__find')
    expect(existsSync(home.path('started/open'))).toBe(false)
  })
})

describe('a required server that is missing', () => {
  const files = (more: string) => ({
    'toolgate.yaml': `version: 1
mcp_servers:
  vital: ${more}
  other: ${scripted(offering('find'))}
`,
  })
  const commands = [['tools'], ['tool-pool'], ['bootstrap'], ['check'], ['snapshot', '--out', '-'], ['lock']]

  it.each(commands)('gives exit code 4: %s', async (...words) => {
    const lab = project(files('{ command: no-such-program, required: true }'))
    const { code, stdout } = await lab.run([...words, '--json'])
    expect(code).toBe(4)
    expect(() => JSON.parse(stdout)).not.toThrow()
  })

  it('gives 4 as well when its entry cannot be used at all', async () => {
    const lab = project(files('{ command: node, url: "http://127.0.0.1:1/mcp", required: true }'))
    const { code, stdout } = await lab.run(['tools'])
    expect(code).toBe(4)
    expect(stdout).toMatch(/vital +not-configured/)
  })

  it('is a finding with file and line, and costs no other server', async () => {
    const lab = project(files('{ command: no-such-program, required: true }'))
    const { findings, decisions } = await lab.tools()
    expect(findings).toMatchObject([
      {
        code: 'required-server-missing',
        severity: 'error',
        subject: 'vital',
        origin: { in: 'toolgate.yaml', line: 3 },
      },
    ])
    expect(decisions.find(({ id }) => id === 'mcp:other/find')?.outcome).toBe('eager')
  })

  it('gives 4 as well when the flags of the run leave it out', async () => {
    const lab = project(files(scripted(offering('find'), 'required: true')))
    expect((await lab.run(['tools'])).code).toBe(0)
    const { code, stdout } = await lab.run(['tools', '--no-mcp'])
    expect(code).toBe(4)
    expect(stdout).toMatch(/vital +not-started/)
  })

  it('that is optional gives 0', async () => {
    expect((await project(files('{ command: no-such-program }')).run(['tools'])).code).toBe(0)
  })
})
