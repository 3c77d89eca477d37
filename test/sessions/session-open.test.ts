import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listAndKeep, listOpen, listServer } from '../../src/sessions/listing/list-server.ts'
import { listTools } from '../../src/sessions/listing/list-tools.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import { Unavailable } from '../../src/sessions/unavailable.ts'
import type { ServerPlan } from '../../src/testing/scripted-plan.ts'
import {
  freshFolder,
  isAlive,
  listedTool,
  listening,
  markedPids,
  onePage,
  root,
  scripted,
  serverConfig,
} from '../sources/scripted.ts'
import { call, opened, textOf, until, wires } from './session-wires.ts'

const options = { env: { PATH: process.env.PATH ?? '' }, cwd: freshFolder(), timeoutMs: 15_000 }
const unavailable = (promise: Promise<unknown>): Promise<Unavailable> =>
  promise.then(
    () => {
      throw new Error('it was opened')
    },
    (error: Unavailable) => error,
  )

describe.each(wires)('a session over $wire in the $era era [S4, M1]', (wire) => {
  it('says what was agreed on, and who we are', async () => {
    const { session, received } = await opened(wire, { calls: { look: {} } })
    expect(session).toMatchObject({
      era: wire.era,
      hasTools: true,
      pid: wire.wire === 'stdio' ? expect.any(Number) : undefined,
    })
    expect(session.protocolVersion).toBe(wire.era === 'modern' ? '2026-07-28' : '2025-11-25')
    expect([session.isOpen(), session.received() > 0, session.findings()]).toEqual([true, true, []])
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(JSON.stringify(received())).toContain(JSON.stringify({ name: 'toolgate', version }))
  })

  it('knows whether the server answers', async () => {
    const { session } = await opened(wire, {})
    expect(await session.ping(5000)).toBe(true)
  })

  it('ends once however often it is asked to, and then calls nothing', async () => {
    const { session, received } = await opened(wire, { calls: { look: { hang: true } } })
    const running = call(session, 'look')
    running.catch(() => {})
    await until(() => received().some(({ method }) => method === 'tools/call'))
    await Promise.all([session.end(), session.end()])
    await session.end()
    expect(await session.closed).toBe('was ended')
    await expect(running).rejects.toMatchObject({ code: 'upstream-died' })
    await expect(call(session, 'look')).rejects.toMatchObject({ code: 'server-unavailable', sent: false })
    expect([session.isOpen(), await session.ping(100)]).toEqual([false, false])
    if (session.pid !== undefined) expect(isAlive(session.pid)).toBe(false)
    if (wire.wire === 'http' && wire.era === 'legacy')
      expect(received().some(({ verb }) => verb === 'DELETE')).toBe(true)
  })
})

it('answers the pings of a server, and refuses everything else that it asks', async () => {
  const asks = ['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create', 'made/up']
  const lines = asks.map((method, at) => `{"jsonrpc":"2.0","id":${at},"method":"${method}","params":{},"more":1}`)
  const answer = '{"jsonrpc":"2.0","id":$CALL,"result":{"content":[]}}'
  const raw = Buffer.from(`${[...lines, answer].join('\n')}\n`).toString('base64')
  const { session, received } = await opened({ wire: 'stdio', era: 'legacy' }, { calls: { look: { raw } } })
  await call(session, 'look')
  const answers = () => received().filter(({ method, id }) => method === undefined && id !== undefined)
  expect(await until(() => answers().length === asks.length)).toBe(true)
  const said = answers().map(({ id, result, error }) => [id, result ?? (error as { readonly code: number }).code])
  expect(said.sort(([a], [b]) => Number(a) - Number(b))).toEqual([
    [0, {}],
    ...asks.slice(1).map((_, at) => [at + 1, -32601]),
  ])
})

describe('what cannot be opened', () => {
  it.each<[string, ServerPlan, Partial<Unavailable>]>([
    [
      'has left',
      { exit: { at: 'initialize', code: 3 } },
      { state: 'failed-to-start', message: 'it exited with code 3 before it answered' },
    ],
    ['refuses', { initialize: { code: 1, message: 'no' } }, { state: 'handshake-failed' }],
    ['is silent', { initialize: 'silent' }, { state: 'timed-out', message: 'no answer to initialize within 0.6 s' }],
  ])('is told when it %s, and nothing of it is left', async (_what, plan, expected) => {
    const marker = join(freshFolder(), 'pids')
    const timeoutMs = plan.initialize === 'silent' ? 600 : 15_000
    const why = await unavailable(
      openSession(scripted('lab', { ...plan, marker, grandchild: true }), { ...options, timeoutMs }),
    )
    expect(why).toBeInstanceOf(Unavailable)
    expect(why).toMatchObject(expected)
    expect(markedPids(marker).filter(isAlive)).toEqual([])
  })

  it('is told when nobody waits any more', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 200)
    const why = await unavailable(
      openSession(scripted('lab', { initialize: 'silent' }), { ...options, signal: stop.signal }),
    )
    expect(why).toMatchObject({ state: 'timed-out', message: /the run was stopped/ })
    const already = await unavailable(openSession(scripted('lab', {}), { ...options, signal: AbortSignal.abort() }))
    expect(already).toMatchObject({ state: 'timed-out' })
  })

  it('is told when it prints nothing but text', async () => {
    const stdout = Array.from({ length: 1100 }, (_, line) => `line ${line}`)
    const why = await unavailable(openSession(scripted('lab', { stdout }), options))
    expect(why).toMatchObject({ state: 'failed-to-start' })
    expect(why.message).toMatch(/^it was ended, for it printed 1000 lines .* the first: line 0 before it answered$/)
  })

  it('passes on what the login says [M6]', async () => {
    const { url, close } = await listening({ bearer: 'right' })
    const refuse = new Unavailable('login-needed', 'the stored login has ended; run `toolgate login web`')
    const web = serverConfig('web', { transport: 'http', url })
    const sent: unknown[] = []
    const auth = {
      token: async () => 'wrong',
      onUnauthorized: async () => {
        sent.push('asked')
        throw refuse
      },
    }
    expect(await unavailable(openSession(web, { ...options, auth }))).toBe(refuse)
    expect(sent).toEqual(['asked'])
    const session = await openSession(web, { ...options, auth: { ...auth, token: async () => 'right' } })
    expect(textOf(await call(session, 'look'))).toBe('ok')
    await session.end()
    await close()
  })
})

describe('the era [S4]', () => {
  it('that worked the last time is tried first, on one process in any case', async () => {
    for (const [plan, era] of [
      [{ discover: true }, 'modern'],
      [{ discover: true }, 'legacy'],
      [{}, 'modern'],
    ] as const) {
      const marker = join(freshFolder(), 'pids')
      const session = await openSession(scripted('lab', { ...plan, marker }), { ...options, era })
      expect(session.era).toBe('discover' in plan ? era : 'legacy')
      await session.end()
      expect(markedPids(marker)).toHaveLength(1)
    }
  })
})

describe('listing and keeping', () => {
  const list = { folder: freshFolder(), environment: process.env }

  it('hands over the session that listed, for calls', async () => {
    const marker = join(freshFolder(), 'pids')
    const kept = await listAndKeep(scripted('lab', { ...onePage(listedTool('a')), marker }), list)
    if (kept instanceof Unavailable) throw kept
    expect(kept.listing.tools).toMatchObject([{ name: 'a' }])
    expect(textOf(await call(kept.session, 'a'))).toBe('ok')
    await kept.session.end()
    expect(markedPids(marker)).toHaveLength(1)
  })

  it('ends the session when there is nothing to keep', async () => {
    for (const plan of [onePage(), { list: { code: 1, message: 'no' } }, { pages: [{ tools: [], nextCursor: 7 }] }]) {
      const marker = join(freshFolder(), 'pids')
      const kept = await listAndKeep(scripted('lab', { ...plan, marker }), list)
      expect(kept).toBeInstanceOf(Unavailable)
      expect(markedPids(marker).filter(isAlive)).toEqual([])
    }
  })

  it('lists again through an open session, and tells of a list that cannot be had without ending it', async () => {
    const server = scripted('lab', { ...onePage(listedTool('a')), calls: { change: { list: 0 } }, lists: [[]] })
    const kept = await listAndKeep(server, list)
    if (kept instanceof Unavailable) throw kept
    const { session } = kept
    expect(await listOpen(server, session)).toMatchObject({ era: 'legacy', tools: [{ name: 'a' }], problems: [] })
    expect(await listOpen(server, session, { signal: AbortSignal.abort() })).toMatchObject({ state: 'timed-out' })
    await call(session, 'change')
    expect(await listOpen(server, session)).toMatchObject({ state: 'listed-nothing' })
    expect(session.isOpen()).toBe(true)
    await session.end()
    expect(await listOpen(server, session)).toMatchObject({ state: 'listing-failed' })
  })

  it('weighs a list by itself, however much the session has received before', async () => {
    let received = 1e9
    const page = async () => {
      received += 1000
      return { tools: [listedTool('a')] }
    }
    expect(await listTools({ page, received: () => received })).toMatchObject({ tools: [{ name: 'a' }] })
    const heavy = async () => {
      received += 1e9
      return { tools: [] }
    }
    await expect(listTools({ page: heavy, received: () => received })).rejects.toThrow(/list-too-big/)
  })

  it('keeps what the server says of how long the list is good [M5]', async () => {
    const plan = { ...onePage(listedTool('a')), discover: true, ttlMs: 5000 }
    expect(await listServer(scripted('lab', plan), { ...list, era: 'modern' })).toMatchObject({ ttlMs: 5000 })
    expect(await listServer(scripted('lab', onePage(listedTool('a'))), list)).not.toHaveProperty('ttlMs')
  })
})
