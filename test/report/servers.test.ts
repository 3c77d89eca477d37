import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate, UnavailableState } from '../../src/core/candidate.ts'
import { finding } from '../../src/errors.ts'
import { availability } from '../../src/gates/availability.ts'
import { widthOf } from '../../src/report/layout.ts'
import type { Run, ServerState } from '../../src/report/run.ts'
import { type ProgramLine, type ServersReportOptions, serversReport } from '../../src/report/servers.ts'
import { serversText } from '../../src/report/servers-text.ts'
import { aCandidate, aStandIn, sha256, someFacts } from '../../src/testing/world.ts'

const askedAt = '2026-12-01T08:00:00.000Z'
const now = Date.parse(askedAt)

interface Shown {
  readonly name: string
  readonly state: ServerState['state']
  readonly more?: Partial<ServerState>
}

/** A run with servers in these states; one that is available offers a single tool. */
function aRun(servers: readonly Shown[], more: Partial<Run> = {}): Run {
  const candidates = servers.map(({ name, state }): Candidate => {
    if (state === 'available') return aCandidate({ server: name, originalName: 'find', name: `${name}__find` })
    if (state === 'not-started') return aStandIn(name)
    return aStandIn(name, { availability: { state: state as UnavailableState, detail: 'so it is' } })
  })
  return {
    surface: assemble(someFacts(), candidates, [availability], { sha256 }),
    gates: [availability],
    preset: 'default',
    servers: servers.map(({ name, state, more: facts }, at) => ({
      name,
      transport: 'stdio',
      state,
      ...(state === 'available' || state === 'not-started' ? {} : { detail: 'so it is' }),
      required: false,
      tools: state === 'available' ? 1 : 0,
      origin: { in: 'toolgate.yaml', key: `mcp_servers.${name}`, line: at + 3 },
      ...facts,
    })),
    findings: [],
    ...more,
  }
}

const program = (more: Partial<ProgramLine> = {}): ProgramLine => ({
  pid: 42,
  program: 'serve',
  startedAt: '2026-12-01T07:58:00.000Z',
  sessions: [],
  ...more,
})

const session = (server: string, more: Partial<ProgramLine['sessions'][number]> = {}) => ({
  server,
  owner: { user: 'ann', thread: 't-1' },
  phase: 'open',
  since: '2026-12-01T07:59:57.000Z',
  pid: 77,
  starts: 1,
  ...more,
})

const report = (run: Run, programs: readonly ProgramLine[] = [], more: Partial<ServersReportOptions> = {}) =>
  serversReport(run, programs, { askedAt, ...more })
const text = (run: Run, programs: readonly ProgramLine[] = [], width = 100, lang: 'en' | 'zh' = 'en') =>
  serversText(report(run, programs, { lang }), { lang, now, width })

describe('the servers document [U1]', () => {
  it('has a versioned schema and these keys', () => {
    const document = report(aRun([{ name: 'shelf', state: 'available', more: { protocolVersion: '2025-11-25' } }]))
    expect(Object.keys(document)).toEqual(['schema', 'servers', 'programs'])
    expect(document.schema).toBe('toolgate.servers/1')
    expect(Object.keys(document.servers[0] ?? {})).toEqual([
      'name',
      'transport',
      'state',
      'asked',
      'required',
      'tools',
      'exposed',
      'tokens',
      'cached',
      'protocolVersion',
      'origin',
      'sessions',
    ])
  })

  it.each<[string, Partial<ServerState>, object]>([
    ['that answered on this run', { tookMs: 80 }, { asked: true, cached: false, since: askedAt }],
    [
      'that is told from its stored listing',
      { cached: true, lastListedAt: '2026-11-30T08:00:00.000Z' },
      { asked: false, cached: true, since: '2026-11-30T08:00:00.000Z' },
    ],
  ])('says when a server was asked %s', (_case, more, expected) => {
    expect(report(aRun([{ name: 'shelf', state: 'available', more }])).servers).toMatchObject([expected])
  })

  it('says when a server failed, not when it was listed before', () => {
    const more = { failedAt: '2026-12-01T07:59:59.000Z', lastListedAt: '2026-11-30T08:00:00.000Z' }
    expect(report(aRun([{ name: 'shelf', state: 'timed-out', more }])).servers).toMatchObject([
      { asked: true, since: more.failedAt },
    ])
  })

  it('says of an inventory that nobody was asked', () => {
    const run = aRun([{ name: 'shelf', state: 'available', more: { tookMs: 80 } }])
    const [server] = serversReport(run, [], {}).servers
    expect(server).toMatchObject({ asked: false })
    expect(server).not.toHaveProperty('since')
  })

  it('puts sessions to their servers, and those of other servers to their program', () => {
    const programs = [program({ sessions: [session('shelf'), session('gone')] })]
    const { servers, programs: told } = report(aRun([{ name: 'shelf', state: 'available' }]), programs)
    expect(servers[0]?.sessions).toMatchObject([{ server: 'shelf', pid: 77, program: 'serve', programPid: 42 }])
    expect(told).toEqual([{ ...programs[0], sessions: [session('gone')] }])
  })
})

describe('a session of another program', () => {
  it('is not told as busy: when its calls end is not told either', () => {
    const busy = { ...session('shelf', { phase: 'busy' }), busy: 2 }
    const programs = [program({ sessions: [busy, { ...busy, server: 'gone' }] })]
    const { servers, programs: told } = report(aRun([{ name: 'shelf', state: 'available' }]), programs)
    expect([servers[0]?.sessions[0]?.phase, told[0]?.sessions[0]?.phase]).toEqual(['open', 'open'])
    expect(JSON.stringify([servers, told])).not.toContain('busy')
  })
})

describe('the next step of a server [G13]', () => {
  const nextOf = (shown: Shown, more: Partial<ServersReportOptions> = {}, run: Partial<Run> = {}) =>
    report(aRun([shown], run), [], more).servers[0]?.next

  it.each<[ServerState['state'], string | undefined]>([
    ['available', undefined],
    ['not-started', undefined],
    ['disabled', undefined],
    ['login-needed', 'toolgate login docs'],
    ['not-approved', 'look at its entry, then add "docs" to `approved_servers`'],
    ['failed-to-start', 'run its command by hand and mend what it reports'],
    ['timed-out', 'raise its `timeouts.start_ms` if it is meant to take that long'],
    ['handshake-failed', 'check that server "docs" speaks MCP on this transport'],
    ['listing-failed', 'look at the log of server "docs" and mend what fails there'],
    ['listed-nothing', 'check the settings of server "docs" that decide what it offers'],
    ['unsupported-transport', 'configure server "docs" with stdio, http or sse'],
    ['not-configured', 'complete the configuration of server "docs"'],
  ])('%s: %s', (state, next) => {
    expect(nextOf({ name: 'docs', state })).toBe(next)
  })

  it('is no login where the configuration holds a header that the server refused', () => {
    expect(nextOf({ name: 'docs', state: 'login-needed' }, { withHeader: new Set(['docs']) })).toBe(
      'renew its Authorization header, or remove the header and run `toolgate login docs`',
    )
  })

  it('is an approval by pin where what it runs has changed', () => {
    const findings = [finding('launch-changed', 'error', 'docs: changed', { subject: 'docs' })]
    expect(nextOf({ name: 'docs', state: 'not-approved' }, {}, { findings })).toBe(
      'look at it with `toolgate pin`, then `toolgate pin --approve docs`',
    )
  })

  it('of a server with a URL is to look whether it is up', () => {
    expect(nextOf({ name: 'docs', state: 'failed-to-start', more: { transport: 'http' } })).toBe(
      'check that it is up and that its `url` is right',
    )
  })

  it('is told in Chinese too', () => {
    for (const state of ['not-approved', 'failed-to-start', 'timed-out', 'handshake-failed'])
      expect(nextOf({ name: 'docs', state }, { lang: 'zh' })).toMatch(/请/)
  })
})

describe('the servers for people', () => {
  it('are one line each, with why, where and what to do below', () => {
    const run = aRun([
      { name: 'shelf', state: 'available', more: { tookMs: 80, protocolVersion: '2025-11-25' } },
      { name: 'docs', state: 'login-needed', more: { failedAt: askedAt } },
      { name: 'old', state: 'available', more: { cached: true, lastListedAt: '2026-12-01T05:00:00.000Z', tools: 3 } },
    ])
    expect(text(run)).toBe(
      [
        'SERVER  STATE           ASKED   TOOLS  TOKENS  PROTOCOL',
        'shelf   available         now       1      32  2025-11-25',
        'docs    login-needed      now       0       0',
        '  so it is',
        '  at toolgate.yaml:4 mcp_servers.docs',
        '  do toolgate login docs',
        'old     available     3 h ago  1 of 3      31',
        '',
        'Not asked now: the tools are those of the last listing. --refresh asks every server.',
      ].join('\n'),
    )
  })

  it('say that a server which is missing is required', () => {
    const run = aRun([{ name: 'vital', state: 'failed-to-start', more: { required: true } }])
    expect(text(run)).toContain('\n  it is required: there is no run without it\n')
    expect(text(aRun([{ name: 'vital', state: 'available', more: { required: true } }]))).not.toContain('required')
  })

  it('say that there are none', () => {
    expect(text(aRun([]))).toBe('no servers are configured')
  })

  it('show the sessions of running programs, and why one has none', () => {
    const run = aRun([
      { name: 'shelf', state: 'available' },
      { name: 'docs', state: 'timed-out' },
    ])
    const { pid: _, ...none } = session('docs', { phase: 'waiting', lastError: 'it fell over' })
    const lines = text(run, [program({ sessions: [session('shelf'), none] })], 120).split('\n')
    expect(lines).toContain('  run serve (process 42): process 77, open for 3 s, user ann, thread t-1')
    expect(lines).toContain(
      '  run serve (process 42): no process, waiting: it failed 3 s ago and will be tried again, user ann, thread t-1',
    )
    expect(lines).toContain('  it fell over')
    expect(lines.at(-1)).toBe('Running: serve (process 42), up for 2 min')
  })

  it('do not tell one fault twice', () => {
    const run = aRun([{ name: 'docs', state: 'timed-out' }])
    const sessions = [session('docs', { phase: 'broken', lastError: 'so it is' })]
    expect(text(run, [program({ sessions })]).match(/so it is/g)).toHaveLength(1)
  })

  it('show a session of a server that is not configured here below its program', () => {
    expect(text(aRun([]), [program({ sessions: [session('gone')] })])).toBe(
      [
        'no servers are configured',
        '',
        'Running: serve (process 42), up for 2 min',
        '  run gone: process 77, open for 3 s, user ann, thread t-1',
      ].join('\n'),
    )
  })

  it.each([80, 120])('are never wider than %d columns', (width) => {
    const long = 'a reason of very many words that goes on and on '.repeat(6)
    const name = 'a-name-that-is-rather-long-for-a-server'
    const run = aRun([
      {
        name,
        state: 'unsupported-transport',
        more: { detail: long, lastListedAt: '2020-01-01T00:00:00Z', tools: 1000 },
      },
      { name: 'shelf', state: 'available', more: { cached: true, protocolVersion: '2025-11-25' } },
    ])
    const programs = [
      program({ sessions: [session('shelf', { lastError: long }), session(name, { phase: 'broken' })] }),
    ]
    for (const lang of ['en', 'zh'] as const)
      for (const line of text(run, programs, width, lang).split('\n'))
        expect(widthOf(line), line).toBeLessThanOrEqual(width)
  })

  it('let nothing that a server or another program says command the terminal', () => {
    const esc = '\u001b[31m\u202e\n'
    const run = aRun([{ name: `docs${esc}`, state: 'failed-to-start', more: { detail: esc, protocolVersion: esc } }])
    const told = session(`docs${esc}`, { phase: esc, lastError: `x${esc}`, owner: { user: esc, thread: esc } })
    const programs = [program({ program: esc, sessions: [told, { ...told, server: esc }] })]
    const shown = text(run, programs)
    expect(shown).not.toContain('\u001b')
    expect(shown).not.toContain('\u202e')
    expect(shown).toContain('\\u001b[31m')
    expect(shown.split('\n').length).toBeLessThan(25)
  })
})
