import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { McpServerConfig } from '../../src/config/config.ts'
import { listingFingerprint } from '../../src/sessions/listing/listing-fingerprint.ts'
import { type Freshness, isFresh } from '../../src/sessions/listing/listing-freshness.ts'
import { isSameLaunch, type LaunchStamp, launchStamp } from '../../src/sessions/listing/listing-launch.ts'
import type { StoredListing } from '../../src/sessions/listing/listing-store.ts'
import { freshFolder, listedTool, serverConfig } from './scripted.ts'

const stamp: LaunchStamp = { files: 'f', salt: 's', values: 'v' }
const now = Date.parse('2026-12-01T12:00:00Z')
const hour = 3_600_000
const ago = (ms: number): string => new Date(now - ms).toISOString()

const stored = (more: Partial<StoredListing> = {}): StoredListing => ({
  server: 'lab',
  identity: 'i',
  era: 'legacy',
  listedAt: ago(hour),
  tools: [],
  whole: true,
  launch: stamp,
  problems: [],
  gone: [],
  ...more,
})
const at = (more: Partial<Freshness> = {}): Freshness => ({ now, maxAgeMs: 24 * hour, launch: stamp, ...more })

describe('a stored listing is served [M5]', () => {
  const { launch: _, ...unknown } = stored()
  it.each<{
    readonly when: string
    readonly listing: StoredListing
    readonly at?: Partial<Freshness>
    readonly is: boolean
  }>([
    { when: 'it is young and nothing changed', listing: stored(), is: true },
    { when: 'it is as old as may be', listing: stored({ listedAt: ago(24 * hour) }), is: false },
    { when: 'no age is allowed', listing: stored({ listedAt: ago(0) }), at: { maxAgeMs: 0 }, is: false },
    { when: 'it comes from the future', listing: stored({ listedAt: ago(-1) }), is: false },
    { when: 'something else would be started', listing: stored(), at: { launch: { ...stamp, files: 'g' } }, is: false },
    { when: 'a variable has another value', listing: stored(), at: { launch: { ...stamp, values: 'w' } }, is: false },
    { when: 'nobody knows what was started', listing: unknown, is: false },
    { when: 'some of its tools could not be stored', listing: stored({ whole: false }), is: false },
    { when: 'an attempt failed since', listing: stored({ failedAt: ago(hour / 2) }), is: false },
    { when: 'an attempt failed at that moment', listing: stored({ failedAt: ago(hour) }), is: false },
    { when: 'an attempt failed before it', listing: stored({ failedAt: ago(2 * hour) }), is: true },
    { when: 'its server gave it longer', listing: stored({ ttlMs: 2 * hour }), is: true },
    { when: 'its server gave it no longer', listing: stored({ ttlMs: hour }), is: false },
    { when: 'its server said nothing of use', listing: stored({ ttlMs: 0 }), is: true },
    {
      when: 'its server gave it longer than the configuration does',
      listing: stored({ listedAt: ago(25 * hour), ttlMs: 100 * hour }),
      is: false,
    },
  ])('$is: when $when', ({ listing, at: more, is }) => {
    expect(isFresh(listing, at(more))).toBe(is)
  })

  it('never beyond the age that the configuration allows, whatever the server says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10, max: 1000 }),
        fc.nat(1000),
        fc.option(fc.nat(2000), { nil: undefined }),
        (age, maxAgeMs, ttlMs) => {
          const listing = stored({ listedAt: ago(age), ...(ttlMs === undefined ? {} : { ttlMs }) })
          if (isFresh(listing, at({ maxAgeMs }))) expect(age >= 0 && age < maxAgeMs).toBe(true)
        },
      ),
    )
  })
})

describe('what would be started [M5]', () => {
  /** A folder with a script, its settings, a folder of papers, and a program on its PATH. */
  const place = () => {
    const folder = freshFolder()
    for (const file of ['server.js', 'settings.json', 'bin/run', 'elsewhere/run']) {
      mkdirSync(join(folder, file, '..'), { recursive: true })
      writeFileSync(join(folder, file), 'one', { mode: 0o755 })
    }
    mkdirSync(join(folder, 'papers'))
    // Installers give every file one date.
    utimesSync(join(folder, 'server.js'), 1, 1)
    const server = serverConfig('lab', {
      command: 'run',
      args: ['server.js', '--config=settings.json', 'papers', '@plan', '-v'],
      env: { TOKEN: 'one' },
    })
    const environment = { PATH: [join(folder, 'bin'), join(folder, 'elsewhere')].join(delimiter) }
    const stampOf = (more: Partial<McpServerConfig> = {}, salt?: string) =>
      launchStamp({ ...server, ...more }, { folder, environment }, salt)
    const path = (file: string): string => join(folder, file)
    return { path, stampOf }
  }
  type Place = ReturnType<typeof place>

  it.each<{ readonly what: string; readonly change: (place: Place) => void; readonly same: boolean }>([
    { what: 'nothing', change: () => {}, same: true },
    { what: 'the script is edited', change: ({ path }) => writeFileSync(path('server.js'), 'two'), same: false },
    {
      what: 'the script is replaced by one of the same size and date',
      change: ({ path }) => {
        writeFileSync(path('new.js'), 'two')
        utimesSync(path('new.js'), 1, 1)
        renameSync(path('new.js'), path('server.js'))
        utimesSync(path('server.js'), 1, 1)
      },
      same: false,
    },
    {
      what: 'the settings that an option names are edited',
      change: ({ path }) => writeFileSync(path('settings.json'), '{}'),
      same: false,
    },
    { what: 'a file of arguments appears', change: ({ path }) => writeFileSync(path('plan'), '{}'), same: false },
    { what: 'the program is another', change: ({ path }) => writeFileSync(path('bin/run'), 'another'), same: false },
    {
      what: 'the program is gone, and another of its name is found',
      change: ({ path }) => renameSync(path('bin/run'), path('bin/ran')),
      same: false,
    },
    {
      what: 'a file appears in a folder that is named',
      change: ({ path }) => writeFileSync(path('papers/a.txt'), 'a'),
      same: true,
    },
  ])('is seen by size and times of the files that are named: $what', async ({ change, same }) => {
    const lab = place()
    const before = await lab.stampOf()
    change(lab)
    expect(isSameLaunch(before, await lab.stampOf({}, before.salt))).toBe(same)
  })

  it('is another with other values of variables or headers, in another folder, and under another salt', async () => {
    const { stampOf } = place()
    const before = await stampOf()
    const others = [{ env: { TOKEN: 'two' } }, { headers: { Authorization: 'two' } }, { cwd: freshFolder() }]
    for (const more of others) expect(isSameLaunch(before, await stampOf(more, before.salt))).toBe(false)
    expect(isSameLaunch(before, await stampOf())).toBe(false)
  })

  it('holds too little of a value to find it by trying', async () => {
    const { stampOf } = place()
    const { salt, values } = await stampOf({ env: { TOKEN: 'secret' } })
    expect(values).toMatch(/^[0-9a-f]{4}$/)
    const guesses = await Promise.all(
      Array.from({ length: 3000 }, async (_, at) =>
        launchStamp(
          serverConfig('lab', { transport: 'http', env: { TOKEN: `guess-${at}` } }),
          { folder: '/', environment: {} },
          salt,
        ),
      ),
    )
    // Of so many guesses some look alike: whoever tries all words of a list is left with many of them.
    expect(new Set(guesses.map((guess) => guess.values)).size).toBeLessThan(3000)
  })

  it('is told for a command that is not there, and for arguments of any kind', async () => {
    const { stampOf } = place()
    const odd = { command: 'no-such-program', args: ['', '=', '@', 'a\0b', 'x'.repeat(100_000), '{"a":1}'] }
    const before = await stampOf(odd)
    expect(isSameLaunch(before, await stampOf(odd, before.salt))).toBe(true)
  })
})

describe('two listings say the same [M4, M5]', () => {
  it('when they hold the same tools in another order, with keys in another order, under other icons', () => {
    const one = [listedTool('a', { icons: ['x'], _meta: { at: 1 } }), listedTool('b')]
    const other = [listedTool('b'), Object.fromEntries(Object.entries(listedTool('a')).reverse())]
    expect(listingFingerprint(one)).toBe(listingFingerprint(other))
  })

  it.each([
    { what: 'a tool more', tools: [listedTool('a'), listedTool('b'), listedTool('c')] },
    { what: 'a tool twice', tools: [listedTool('a'), listedTool('a'), listedTool('b')] },
    { what: 'another description', tools: [listedTool('a', { description: 'other' }), listedTool('b')] },
    { what: 'another schema', tools: [listedTool('a', { inputSchema: { type: 'object' } }), listedTool('b')] },
    { what: 'another mark', tools: [listedTool('a', { annotations: { readOnlyHint: true } }), listedTool('b')] },
    { what: 'an entry that is no tool', tools: [listedTool('a'), listedTool('b'), null] },
  ])('not with $what', ({ tools }) => {
    expect(listingFingerprint(tools)).not.toBe(listingFingerprint([listedTool('a'), listedTool('b')]))
  })
})
