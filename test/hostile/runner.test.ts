import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Expectation,
  entryOf,
  fileOf,
  type HostileCase,
  type Kind,
  readCases,
} from '../../scripts/hostile/case.ts'
import { misses, type Observed, toldBy } from '../../scripts/hostile/expected.ts'
import { runCases } from '../../scripts/hostile/run-cases.ts'
import { watched } from '../../scripts/hostile/watched.ts'
import { inWorld } from '../../scripts/hostile/world.ts'
import { finding } from '../../src/errors.ts'

const aCase = (expect: Partial<Expectation> = {}, kind = 'probe'): HostileCase => ({
  id: 'one',
  kind,
  file: 'inputs.json',
  expect: { outcome: 'accept', text: '', ...expect },
  why: '',
  threat: '',
})
const told = toldBy(
  finding('config-type', 'error', 'it is a text and no list (line 4)', {
    subject: 'deny_tools[1]',
    origin: { in: 'toolgate.yaml', key: 'deny_tools[1]', line: 4 },
  }),
)
const seen = (given: Partial<Observed> = {}): Observed => ({
  outcome: 'accept',
  errors: [],
  told: [],
  shown: [],
  ...given,
})
const rejected = seen({ outcome: 'reject', errors: [told], told: [told] })

describe('what counts as a miss [Q3]', () => {
  it.each<[string, Partial<Expectation>, Observed, RegExp | undefined]>([
    ['nothing, when all is as it must be', {}, seen(), undefined],
    ['another outcome', { outcome: 'accept' }, rejected, /outcome is reject, not accept/],
    ['nothing, when the other outcome is safe too', { outcome: 'accept', or: ['reject'] }, rejected, undefined],
    [
      'a word that no error names',
      { outcome: 'reject', names: [['config-type'], ['use']] },
      rejected,
      /no error names use/,
    ],
    [
      'nothing, when one word of each list is named, in any case',
      { outcome: 'reject', names: [['x', 'CONFIG-TYPE'], ['deny_tools'], [':4']] },
      rejected,
      undefined,
    ],
    ['a reject without an error', { outcome: 'reject' }, seen({ outcome: 'reject' }), /without an error/],
    ['a flag that is missing', { flags: ['hidden-text'] }, seen({ told: [told] }), /no finding "hidden-text"/],
    ['a long error', { outcome: 'reject', error_max_chars: 30 }, rejected, /over 30/],
    ['a raw control character', {}, seen({ told: [{ ...told, message: 'a\u001b[2J' }] }), /no printable line/],
    ['a line break in a hint', {}, seen({ told: [{ ...told, hint: 'a\nb' }] }), /no printable line/],
    ['a secret in an error', {}, seen({ told: [{ ...told, hint: 'CANARY-1' }] }), /a secret is shown/],
    ['a secret in what is shown', {}, seen({ shown: ['x CANARY-1'] }), /a secret is shown/],
  ])('%s', (_what, expectation, observed, miss) => {
    const found = misses(aCase(expectation), observed)
    if (miss === undefined) expect(found).toEqual([])
    else expect(found.join('\n')).toMatch(miss)
  })
})

describe('what is seen from outside', () => {
  const busy = (ms: number): void => {
    const end = performance.now() + ms
    while (performance.now() < end) Math.sqrt(end)
  }

  it('finds nothing in a case that behaves', async () => {
    expect(await watched(aCase(), async () => [])).toEqual([])
  })

  it('keeps what the case itself found', async () => {
    expect(await watched(aCase(), async () => ['a miss'])).toEqual(['a miss'])
  })

  it('finds an event loop that is held', async () => {
    const found = await watched(aCase(), async () => {
      busy(1500)
      return []
    })
    expect(found.join()).toMatch(/held the event loop for \d+ ms/)
  })

  it('finds a case that takes longer than it may', async () => {
    const found = await watched(aCase({ max_ms: 5 }), async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return []
    })
    expect(found.join()).toMatch(/took \d+ ms, over 5/)
  })

  it('finds a prototype that was changed', async () => {
    const found = await watched(aCase(), async () => {
      Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true, enumerable: false })
      return []
    })
    Reflect.deleteProperty(Object.prototype, 'polluted')
    expect(found).toEqual(['a prototype was changed'])
  })

  it('finds a secret that is printed', async () => {
    const found = await watched(aCase(), async () => {
      process.stderr.write('CANARY of the runner`s own test\n')
      return []
    })
    expect(found).toEqual(['a secret was printed'])
  })

  it('tells of a runner that throws, in one line', async () => {
    const found = await watched(aCase(), async () => {
      throw new Error('first\nsecond')
    })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^the runner threw: Error: first\\u000asecond/)
  })
})

it('sees what is made, changed or removed outside the state folder', async () => {
  await inWorld(async (world) => {
    world.write('toolgate.yaml', 'version: 1')
    writeFileSync(join(world.state, 'log'), 'x')
    expect(world.changes()).toEqual([])
    writeFileSync(join(world.root, 'pwned'), '')
    writeFileSync(join(world.config, 'toolgate.yaml'), 'version: 2')
    rmSync(join(world.config, 'fixtures/good.mjs'))
    const changes = world.changes().map((line) => line.replace(world.root, '').replace('config/', ''))
    expect(changes.sort()).toEqual([
      'made or changed /pwned',
      'made or changed /toolgate.yaml',
      'removed /fixtures/good.mjs',
    ])
  })
})

describe('feeding a folder', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolgate-runner-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (manifest: unknown): void => writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  const probe: Kind = { kind: 'probe', run: async (one) => (one.id === 'bad' ? ['first', 'second'] : []) }
  const feed = async (kinds: readonly Kind[], only?: string) => {
    const lines: string[] = []
    const tally = await runCases(folder, {
      kinds,
      say: (line) => lines.push(line),
      ...(only === undefined ? {} : { only }),
    })
    return { tally, lines }
  }

  it('says a line for each miss, counts cases, and tells of kinds that nothing feeds', async () => {
    write({ cases: [aCase(), { ...aCase(), id: 'bad' }, aCase({}, 'later'), aCase({}, 'later')] })
    const { tally, lines } = await feed([probe])
    expect(tally).toEqual({ passed: 1, failed: 1 })
    expect(lines).toEqual(['probe bad: first', 'probe bad: second', 'not fed yet: later 2'])
  })

  it('feeds one kind alone', async () => {
    write({ cases: [aCase(), aCase({}, 'later')] })
    expect(await feed([probe], 'probe')).toEqual({ tally: { passed: 1, failed: 0 }, lines: [] })
  })

  it('refuses a kind that nothing feeds, one without cases, and a folder without a manifest', async () => {
    await expect(feed([probe])).rejects.toThrow()
    write({ cases: [aCase({}, 'later')] })
    await expect(feed([probe], 'later')).rejects.toThrow('kind "later" is not fed yet')
    await expect(feed([probe], 'probe')).rejects.toThrow('no case of kind "probe"')
    write({ cases: [{ id: 'x' }] })
    await expect(feed([probe])).rejects.toThrow('case 0 is not of the known form')
  })

  it('reads the entry that a case points at, and nothing outside the folder', () => {
    write({ cases: [{ ...aCase(), at: '/list/1' }] })
    writeFileSync(join(folder, 'inputs.json'), JSON.stringify({ list: [{ name: 'a' }, { name: 'b' }] }))
    mkdirSync(join(folder, 'inner'))
    const [one] = readCases(folder)
    expect(one).toBeDefined()
    if (one === undefined) return
    expect(entryOf(one, folder)).toEqual({ name: 'b' })
    expect(() => entryOf({ ...one, at: '/list/2' }, folder)).toThrow('nothing at /list/2')
    expect(() => fileOf({ ...one, file: '../other.json' }, join(folder, 'inner'))).toThrow('outside the folder')
  })
})
