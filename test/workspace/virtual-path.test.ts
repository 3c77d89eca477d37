import { isAbsolute, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostPathOf, parseVirtualPath, rootsBelow, type VirtualPath } from '../../src/workspace/virtual-path.ts'
import type { VirtualRoot } from '../../src/workspace/workspace.ts'

const root = (virtual: string, writable = true): VirtualRoot => ({ virtual, host: `/host${virtual}`, writable })
const roots = [
  root('/mnt/user-data/workspace'),
  root('/mnt/user-data/outputs'),
  root('/mnt/user-data/uploads'),
  root('/mnt/acp-workspace', false),
  root('/mnt/skills/pdf', false),
]
const parse = (given: unknown, platform: NodeJS.Platform = 'linux') => parseVirtualPath(given, roots, platform)

/** The canonical path, or the code. */
const said = (given: unknown, platform?: NodeJS.Platform): string => {
  const parsed = parse(given, platform)
  return 'fault' in parsed ? parsed.fault.code : parsed.canonical
}

const w = '/mnt/user-data/workspace'

describe('a virtual path [W2]', () => {
  it.each([
    [`${w}/a.txt`, `${w}/a.txt`],
    [`//mnt//user-data/workspace///a.txt`, `${w}/a.txt`],
    [`${w}/./././a.txt`, `${w}/a.txt`],
    [`${w}/`, w],
    [`${w}/./`, w],
    ['/./mnt/user-data/', '/mnt/user-data'],
    ['/mnt/skills', '/mnt/skills'],
    ['/', '/'],
    [`${w}/...hidden..name...`, `${w}/...hidden..name...`],
    [`${w}/..../x`, `${w}/..../x`],
    [`${w}/.. /x`, `${w}/.. /x`],
    [`${w}/%2e%2e/x`, `${w}/%2e%2e/x`],
    [`${w}/~/$HOME/-rf`, `${w}/~/$HOME/-rf`],
    [`${w}/．．/x`, `${w}/．．/x`],
    [`${w}/..∕..∕etc`, `${w}/..∕..∕etc`],
    [`${w}/ a `, `${w}/ a `],
    [`${w}/${'a'.repeat(255)}`, `${w}/${'a'.repeat(255)}`],
  ])('%j is %j', (given, canonical) => {
    expect(said(given)).toBe(canonical)
  })

  it.each([
    [['/mnt'], 'path-type'],
    [{ toString: () => w }, 'path-type'],
    [null, 'path-type'],
    [undefined, 'path-type'],
    [7, 'path-type'],
    ['', 'path-empty'],
    ['a.txt', 'path-relative'],
    ['./a.txt', 'path-relative'],
    ['~/a.txt', 'path-relative'],
    ['C:/mnt', 'path-relative'],
    ['file:///mnt/user-data/workspace/a', 'path-scheme'],
    ['HTTP://x/', 'path-scheme'],
    [`${w}\\a`, 'path-separator'],
    [`${w}/a\u0000.png`, 'path-control-char'],
    [`${w}/a\nb`, 'path-control-char'],
    [`${w}/a\u009bb`, 'path-control-char'],
    [`${w}/a\ud800`, 'path-encoding'],
    [`${w}/${'a'.repeat(256)}`, 'path-too-long'],
    [`${w}/${'é'.repeat(128)}`, 'path-too-long'],
    [`${w}${'/aaaaaaaa'.repeat(500)}`, 'path-too-long'],
    [`${w}${'/a'.repeat(130)}`, 'path-too-long'],
    [`${w}/..`, 'path-traversal'],
    [`${w}/a/../b`, 'path-traversal'],
    ['/../mnt/user-data/workspace', 'path-traversal'],
    ['/etc/passwd', 'path-outside'],
    ['/mnt/user-data-evil/x', 'path-outside'],
    ['/mnt/user-data/workspace-old/x', 'path-outside'],
    ['/mnt/user-data/x', 'path-outside'],
    ['/mnt/skills/other/SKILL.md', 'path-outside'],
    ['/MNT/user-data/workspace/a', 'path-outside'],
    ['/proc/self/root/etc/passwd', 'path-outside'],
  ])('%j is refused with %s', (given, code) => {
    expect(said(given)).toBe(code)
  })

  it('belongs to a root, or stands above the roots', () => {
    expect(parse(`${w}/a/b`)).toMatchObject({ root: { virtual: w }, parts: ['a', 'b'] })
    expect(parse('/mnt/skills/pdf')).toMatchObject({ root: { virtual: '/mnt/skills/pdf' }, parts: [] })
    expect(parse('/mnt/user-data')).toEqual({ canonical: '/mnt/user-data', parts: [] })
    expect(rootsBelow('/mnt/user-data', roots).map(({ virtual }) => virtual)).toEqual([
      '/mnt/user-data/outputs',
      '/mnt/user-data/uploads',
      '/mnt/user-data/workspace',
    ])
  })

  it('is no name that Windows takes for another file, on Windows', () => {
    for (const name of ['a.', 'a ', 'a:b', 'con', 'NUL.txt', 'com1.log', 'a?', 'a"b', 'COM¹'])
      expect([name, said(`${w}/${name}`, 'win32')]).toEqual([name, 'path-name'])
    for (const name of ['a.b', 'console', '.a', 'a b']) expect(said(`${w}/${name}`, 'win32')).toBe(`${w}/${name}`)
    expect(said(`${w}/con`, 'darwin')).toBe(`${w}/con`)
  })

  it('is told in printable lines that show no host path', () => {
    for (const given of [
      `${w}/a\nb`,
      `${w}/\u202e/../x`,
      '/etc/\u001b[2J',
      'x'.repeat(9000),
      `${w}/${'b'.repeat(3000)}`,
    ]) {
      const parsed = parse(given)
      const text = 'fault' in parsed ? JSON.stringify(parsed.fault) : ''
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(text).not.toContain('/host')
      expect(text.length).toBeLessThan(1500)
    }
  })
})

describe('the map of paths [W2, P22]', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '.',
      '..',
      '',
      'a',
      'A',
      '...',
      '~',
      '%2e',
      'mnt',
      'user-data',
      'workspace',
      'outputs',
      '．．',
      'x y',
      '\\',
      '\n',
    ),
    fc.string({ maxLength: 6 }),
  )
  const below = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/'))
  const aPath = fc.oneof(
    below.map((rest) => `${w}/${rest}`),
    below.map((rest) => `/mnt/user-data/${rest}`),
    below.map((rest) => `/mnt/skills/pdf/${rest}`),
    below.map((rest) => `/${rest}`),
    fc.string(),
  )
  const inRoot = (path: VirtualPath): { host: string; root: VirtualRoot } | undefined =>
    path.root === undefined ? undefined : { host: hostPathOf(path.root, path.parts), root: path.root }

  it('gives a place inside a root, or refuses', () => {
    fc.assert(
      fc.property(aPath, (given) => {
        const parsed = parse(given)
        if ('fault' in parsed) {
          expect(parsed.fault.code).toMatch(/^path-/)
          return
        }
        const place = inRoot(parsed)
        if (place === undefined) {
          expect(rootsBelow(parsed.canonical, roots)).not.toEqual([])
          return
        }
        const way = relative(place.root.host, place.host)
        expect(isAbsolute(way) || way.split('/').includes('..')).toBe(false)
      }),
      { numRuns: 10_000 },
    )
  })

  it('has one canonical path for each, which stays as it is', () => {
    fc.assert(
      fc.property(aPath, (given) => {
        const parsed = parse(given)
        if ('fault' in parsed) return
        expect(parse(parsed.canonical)).toEqual(parsed)
        const { root: own, parts, canonical } = parsed
        if (own !== undefined) expect([own.virtual, ...parts].join('/')).toBe(canonical)
      }),
      { numRuns: 10_000 },
    )
  })

  it('gives two canonical paths two files, and one canonical path one file', () => {
    fc.assert(
      fc.property(aPath, aPath, (one, other) => {
        const [a, b] = [parse(one), parse(other)]
        if ('fault' in a || 'fault' in b) return
        const [place, otherPlace] = [inRoot(a), inRoot(b)]
        if (place === undefined || otherPlace === undefined) return
        expect(place.host === otherPlace.host).toBe(a.canonical === b.canonical)
      }),
      { numRuns: 10_000 },
    )
  })
})
