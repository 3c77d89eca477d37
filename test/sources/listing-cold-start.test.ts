// A run that lists from the disk: when it may, that it starts nothing then, and that it comes to the same.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import type { Listing } from '../../src/sessions/listing/listing.ts'
import { listingIdentity } from '../../src/sessions/listing/listing-identity.ts'
import { mcp } from '../../src/sources/mcp.ts'
import type { Listings, SourceInput } from '../../src/sources/source.ts'
import type { ServerPlan } from '../../src/testing/scripted-server.ts'
import { config, freshFolder, input, listedTool, markedPids, onePage, scripted, serverConfig } from './scripted.ts'

const day = 86_400_000

type Asked = NonNullable<Listings['list']>
type Answer = Awaited<ReturnType<Asked>>

const listing = (server: McpServerConfig, tools: readonly unknown[], more: Partial<Listing> = {}): Listing => ({
  identity: listingIdentity(server),
  era: 'modern',
  tools,
  problems: [],
  tookMs: 5,
  ...more,
})
const down = { state: 'failed-to-start', message: 'it is down' } as Answer

/** A server that answers as it is told to, and how often it was asked. */
function lab(more: Partial<McpServerConfig> = {}) {
  const server = serverConfig('lab', { transport: 'http', url: 'http://127.0.0.1:1/mcp', ...more })
  const stateFolder = freshFolder()
  const state = { tools: [listedTool('a')] as readonly unknown[], more: {} as Partial<Listing>, down: false, asked: 0 }
  const list: Asked = async (asked) => {
    state.asked += 1
    return state.down ? down : listing(asked, state.tools, state.more)
  }
  const run = (
    over: Partial<SourceInput> & {
      readonly maxAgeMs?: number
      readonly refresh?: Listings['refresh']
      readonly server?: Partial<McpServerConfig>
    } = {},
  ) => {
    const { maxAgeMs = day, refresh, server: changes, ...rest } = over
    return mcp.collect(
      input({
        stateFolder,
        config: config({ listings: { maxAgeMs }, mcpServers: [{ ...server, ...changes }] }),
        listings: { list, ...(refresh === undefined ? {} : { refresh }) },
        ...rest,
      }),
    )
  }
  const listings = join(stateFolder, 'listings')
  const file = (): string => join(listings, readdirSync(listings).find((name) => name.endsWith('.json')) ?? '')
  const edit = (change: (stored: Record<string, unknown>) => void) => {
    const value = JSON.parse(readFileSync(file(), 'utf8'))
    change(value)
    writeFileSync(file(), JSON.stringify(value))
  }
  return { state, run, edit, listings, stateFolder }
}

const age = (stored: Record<string, unknown>, ms: number) => {
  stored.listedAt = new Date(Date.now() - ms).toISOString()
}

describe('a cold start [M5]', () => {
  it('lists from the disk without asking, and comes to the same candidates and findings', async () => {
    const { state, run } = lab({ includeTools: ['a', 'c'] })
    state.tools = [listedTool('a'), listedTool('b'), { name: 'bad' }, null]
    state.more = { problems: ['it prints text to standard output'], protocolVersion: '2026-07-28' }
    const first = await run()
    state.tools = [listedTool('other')]
    const second = await run()
    expect(state.asked).toBe(1)
    expect(second.candidates).toEqual(first.candidates)
    expect(second.findings).toEqual(first.findings)
    expect(first.findings.map(({ code }) => code)).toContain('listing-malformed')
    expect(second.servers).toMatchObject([
      { state: 'available', tools: 3, cached: true, lastListedAt: expect.any(String), protocolVersion: '2026-07-28' },
    ])
    expect(second.servers[0]?.listedAgoMs).toBeGreaterThanOrEqual(0)
    expect(first.servers[0]).not.toHaveProperty('cached')
  })

  it('starts no process; a run that may not rest on the disk starts one', async () => {
    const stateFolder = freshFolder()
    const marker = join(freshFolder(), 'pids')
    const plan: ServerPlan = { marker, ...onePage(listedTool('a')) }
    const servers = ['one', 'two', 'three'].map((name) => scripted(name, plan))
    const run = (refresh?: true) =>
      mcp.collect(
        input({
          stateFolder,
          config: config({ listings: { maxAgeMs: day }, mcpServers: servers }),
          ...(refresh === undefined ? {} : { listings: { refresh } }),
        }),
      )
    const first = await run()
    expect(markedPids(marker)).toHaveLength(3)
    const lines: string[] = []
    const second = await mcp.collect(
      input({
        stateFolder,
        config: config({ listings: { maxAgeMs: day }, mcpServers: servers }),
        progress: (line) => lines.push(line),
      }),
    )
    expect(markedPids(marker)).toHaveLength(3)
    expect(second.candidates).toEqual(first.candidates)
    expect(lines).toContain('one: 1 tool, from its stored listing')
    await run(true)
    expect(markedPids(marker)).toHaveLength(6)
  })

  it('still explains tools that were listed once', async () => {
    const { state, run } = lab()
    state.tools = [listedTool('a'), listedTool('old')]
    await run()
    state.tools = [listedTool('a')]
    const asked = await run({ refresh: true })
    const stored = await run()
    expect(stored.servers[0]?.cached).toBe(true)
    expect(stored.candidates).toEqual(asked.candidates)
    expect(stored.candidates.map(({ availability }) => availability.state)).toEqual(['available', 'no-longer-listed'])
  })

  it('does not serve a server that is switched off or not approved as if it were there', async () => {
    const { run } = lab()
    await run()
    for (const server of [{ enabled: false }, { approved: false }]) {
      const { servers, candidates } = await run({ server })
      expect(servers[0]).not.toHaveProperty('cached')
      expect(candidates.map(({ availability }) => availability.state)).not.toContain('available')
    }
  })
})

describe('a server is asked [M5, N17]', () => {
  it('when its listing is too old, and once a day is over by default', async () => {
    const { state, run, edit } = lab()
    await run()
    edit((stored) => age(stored, day - 60_000))
    await run()
    expect(state.asked).toBe(1)
    edit((stored) => age(stored, day))
    await run()
    expect(state.asked).toBe(2)
    await run({ maxAgeMs: 0 })
    expect(state.asked).toBe(3)
  })

  it('when it is named by a refresh, and only then', async () => {
    const { state, run } = lab()
    await run()
    await run({ refresh: new Set(['other']) })
    await run({ refresh: new Set() })
    expect(state.asked).toBe(1)
    await run({ refresh: new Set(['lab']) })
    await run({ refresh: true })
    expect(state.asked).toBe(3)
  })

  it('on every run when it is required', async () => {
    const { state, run } = lab({ required: true })
    await run()
    state.down = true
    const { findings, servers } = await run()
    expect(state.asked).toBe(2)
    expect(servers[0]?.state).toBe('failed-to-start')
    expect(findings.map(({ code }) => code)).toEqual(['required-server-missing'])
  })

  it('when a value of its variables or headers changed', async () => {
    const { state, run } = lab()
    await run({ server: { headers: { Authorization: 'one' } } })
    await run({ server: { headers: { Authorization: 'one' } } })
    expect(state.asked).toBe(1)
    const { servers } = await run({ server: { headers: { Authorization: 'two' } } })
    expect(state.asked).toBe(2)
    // It is the same server all the same: what it listed before is known.
    expect(servers[0]).toMatchObject({ changed: false })
  })

  it('when its script was edited', async () => {
    const folder = freshFolder()
    const script = join(folder, 'server.js')
    writeFileSync(script, '1')
    const { state, run } = lab({ transport: 'stdio', command: process.execPath, args: [script] })
    await run()
    await run()
    expect(state.asked).toBe(1)
    writeFileSync(script, '2')
    await run()
    expect(state.asked).toBe(2)
  })

  it('sooner when it said so itself (2026-07-28), and not for a hint of 0', async () => {
    const { state, run, edit } = lab()
    state.more = { ttlMs: 60_000 }
    await run()
    edit((stored) => age(stored, 30_000))
    await run()
    expect(state.asked).toBe(1)
    edit((stored) => age(stored, 61_000))
    state.more = { ttlMs: 0 }
    await run()
    expect(state.asked).toBe(2)
    edit((stored) => age(stored, 61_000))
    await run()
    expect(state.asked).toBe(2)
  })

  it('when some of its tools could not be stored', async () => {
    let deep: object = {}
    for (let level = 0; level < 1000; level += 1) deep = { a: deep }
    const { state, run } = lab()
    state.tools = [listedTool('a'), listedTool('deep', { inputSchema: deep })]
    const first = await run()
    const second = await run()
    expect(state.asked).toBe(2)
    expect(second.candidates.map(({ id }) => id)).toEqual(first.candidates.map(({ id }) => id))
  })

  it('when the listing was stored by an earlier version', async () => {
    const { state, run, edit } = lab()
    await run()
    edit((stored) => {
      for (const key of ['launch', 'whole', 'fingerprint', 'problems']) delete stored[key]
    })
    const { servers } = await run()
    expect(state.asked).toBe(2)
    expect(servers[0]).toMatchObject({ state: 'available', changed: false })
  })
})

describe('a failed attempt [M5, C-150, C-156]', () => {
  it('is told, leaves the last good listing, and is tried again on the next run', async () => {
    const { state, run } = lab()
    await run()
    state.down = true
    const failed = await run({ refresh: true })
    expect(failed.servers[0]).toMatchObject({
      state: 'failed-to-start',
      detail: 'it is down',
      failedAt: expect.any(String),
    })
    expect(failed.candidates.map(({ originalName }) => originalName)).toEqual(['a'])
    expect((await run()).servers[0]?.state).toBe('failed-to-start')
    expect(state.asked).toBe(3)
    state.down = false
    expect((await run()).servers[0]).toMatchObject({ state: 'available' })
    expect((await run()).servers[0]).toMatchObject({ state: 'available', cached: true })
    expect(state.asked).toBe(4)
  })

  it('leaves a mark that a good listing removes, and that counts when nobody can read it', async () => {
    const { state, run, listings } = lab()
    await run()
    state.down = true
    await run({ refresh: true })
    const mark = readdirSync(listings).find((name) => name.endsWith('.failed')) ?? ''
    expect(Date.parse(readFileSync(join(listings, mark), 'utf8'))).toBeGreaterThan(0)
    writeFileSync(join(listings, mark), 'what is this')
    state.down = false
    await run()
    expect(state.asked).toBe(3)
    expect(existsSync(join(listings, mark))).toBe(false)
  })

  it('is none when the run was broken off by whoever wanted it', async () => {
    const { state, run } = lab()
    await run()
    state.down = true
    const stop = new AbortController()
    stop.abort()
    await run({ refresh: true, signal: stop.signal })
    expect((await run()).servers[0]).toMatchObject({ cached: true })
    expect(state.asked).toBe(2)
  })

  it('is none when the server is still starting', async () => {
    const { state, run, listings } = lab()
    await run()
    const starting = { state: 'starting', message: 'it is starting' } as Answer
    const { servers, findings, candidates } = await run({ listings: { refresh: true, list: async () => starting } })
    expect(servers[0]).toMatchObject({ state: 'starting', tools: 1 })
    expect(servers[0]).not.toHaveProperty('failedAt')
    expect(findings.map(({ severity }) => severity)).toEqual(['info'])
    expect(candidates.map(({ availability }) => availability.state)).toEqual(['starting'])
    expect(readdirSync(listings)).toHaveLength(1)
    expect((await run()).servers[0]).toMatchObject({ cached: true })
    expect(state.asked).toBe(1)
  })

  it('costs one server only, even when whoever asks breaks its word and throws', async () => {
    const list: Asked = async (server) => {
      if (server.name === 'bad') throw new Error('no \u001b[2Jsession')
      return listing(server, [listedTool('a')])
    }
    const servers = ['bad', 'good'].map((name) => serverConfig(name))
    const result = await mcp.collect(input({ config: config({ mcpServers: servers }), listings: { list } }))
    expect(result.servers).toMatchObject([
      { name: 'bad', state: 'listing-failed', detail: 'asking it failed: no \\u001b[2Jsession' },
      { name: 'good', state: 'available' },
    ])
  })
})

describe('whether a list changed [M4]', () => {
  it('is told of a server that was asked and had listed before', async () => {
    const { state, run } = lab()
    state.tools = [listedTool('a'), listedTool('b')]
    const changedOn = async () => (await run({ refresh: true })).servers[0]?.changed
    expect(await changedOn()).toBeUndefined()
    state.tools = [listedTool('b'), listedTool('a')]
    expect(await changedOn()).toBe(false)
    state.tools = [listedTool('b'), listedTool('a', { description: 'Does more.' })]
    expect(await changedOn()).toBe(true)
    expect(await changedOn()).toBe(false)
    expect((await run()).servers[0]).not.toHaveProperty('changed')
  })
})
