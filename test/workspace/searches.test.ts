import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { findFiles } from '../../src/workspace/files/find-files.ts'
import { fileLimits } from '../../src/workspace/files/limits.ts'
import { listFolder } from '../../src/workspace/files/list-folder.ts'
import { type SearchOptions, searchFiles } from '../../src/workspace/files/search-files.ts'
import { walk } from '../../src/workspace/files/walk.ts'
import { pathIn } from '../../src/workspace/path-in.ts'
import { aThread, codeOf, type Thread, virtual } from './a-thread.ts'

let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})
const workspace = '/mnt/user-data/workspace'
const find = async (pattern: string, path = workspace, more = {}): Promise<readonly string[]> =>
  (await findFiles(thread.workspace, path, { pattern, max: 100, ...more })).paths.map((found) =>
    found.replace(`${workspace}/`, ''),
  )
const search = (pattern: string, options: Partial<SearchOptions> = {}, path = workspace) =>
  searchFiles(thread.workspace, path, { pattern, max: 100, ...options })
const lines = async (...args: Parameters<typeof search>): Promise<readonly string[]> =>
  (await search(...args)).matches.map(({ path, line, text }) => `${path.replace(`${workspace}/`, '')}:${line}: ${text}`)

describe('finding files [W2]', () => {
  it('gives the same paths in the same order, whatever the order on disk', async () => {
    for (const file of ['b.ts', 'a/z.ts', 'a/B.ts', 'a.ts', 'a-b/x.ts', 'Z.ts', 'é.ts', '.h.ts']) thread.file(file)
    const expected = ['.h.ts', 'Z.ts', 'a/B.ts', 'a/z.ts', 'a-b/x.ts', 'a.ts', 'b.ts', 'é.ts']
    expect(await find('**/*.ts')).toEqual(expected)
    expect(await find('**/*.ts')).toEqual(expected)
  })

  it('takes the pattern from the folder that is searched', async () => {
    for (const file of ['a.md', 'docs/b.md', 'docs/deep/c.md', 'src/d.ts']) thread.file(file)
    expect(await find('*.md')).toEqual(['a.md'])
    expect(await find('docs/*.md')).toEqual(['docs/b.md'])
    expect(await find('*.md', virtual('docs'))).toEqual(['docs/b.md'])
    expect(await find('docs/**')).toEqual(['docs/b.md', 'docs/deep/c.md'])
    expect(await find('**/{b,d}.*')).toEqual(['docs/b.md', 'src/d.ts'])
    expect(await find('d*', workspace, { folders: true })).toEqual(['docs/'])
  })

  it('goes over all folders of the thread from above them', async () => {
    thread.file('a.md')
    expect(await find('**/*.md', '/mnt')).toEqual(['a.md'])
    expect(await find('user-data/workspace/*', '/mnt')).toEqual(['a.md'])
    expect(await find('workspace/*', '/mnt/user-data')).toEqual(['a.md'])
  })

  it('leaves out what nobody means, says so, and looks there when it is named', async () => {
    for (const file of ['a.js', 'node_modules/b.js', '.git/c.js', 'src/dist/d.js', '.tmp/e.js']) thread.file(file)
    const found = await findFiles(thread.workspace, workspace, { pattern: '**/*.js', max: 10 })
    expect(found).toMatchObject({ paths: [virtual('a.js')], leftOut: ['.git', 'dist', 'node_modules'] })
    expect(await find('*.js', virtual('node_modules'))).toEqual(['node_modules/b.js'])
    expect(await find('*.js', virtual('.tmp'))).toEqual(['.tmp/e.js'])
  })

  it('counts what it does not give', async () => {
    for (let index = 0; index < 30; index += 1) thread.file(`${index}.txt`)
    const found = await findFiles(thread.workspace, workspace, { pattern: '*', max: 10 })
    expect([found.paths.length, found.total]).toEqual([10, 30])
  })

  it('does not go deeper than its limit, and says where it stopped', async () => {
    thread.file(`${'d/'.repeat(fileLimits.walkDepth + 3)}x.txt`)
    const found = await findFiles(thread.workspace, workspace, { pattern: '**', max: 10 })
    expect(found).toMatchObject({ paths: [], missed: [virtual('d/'.repeat(fileLimits.walkDepth).slice(0, -1))] })
  })

  it.each(['/abs/*', '../*', 'a/../b', '', '/', 'x'.repeat(1001)])('refuses the pattern %j', async (pattern) => {
    expect(await codeOf(() => find(pattern))).toBe('pattern-invalid')
  })
})

describe('a walk [W2]', () => {
  const visited = async (options: Partial<Parameters<typeof walk>[2]> = {}) => {
    const seen: string[] = []
    const path = pathIn(thread.workspace, workspace)
    const walked = await walk(thread.workspace, path, {
      visit: ({ way, kind }) => {
        seen.push(`${kind} ${way}`)
        return 'on'
      },
      ...options,
    })
    return { seen, walked }
  }

  it('shows links and enters none', async () => {
    thread.file('real/a.txt')
    symlinkSync(thread.at('real'), thread.at('inside'))
    symlinkSync(thread.outside, thread.at('outside'))
    symlinkSync('..', thread.at('real/up'))
    expect((await visited()).seen).toEqual([
      'link inside',
      'link outside',
      'folder real',
      'file real/a.txt',
      'link real/up',
    ])
  })

  it('goes on when a folder disappears or turns into a link under it', async () => {
    for (const file of ['a/1.txt', 'b/2.txt', 'c/3.txt']) thread.file(file)
    const seen: string[] = []
    const { walked } = await visited({
      visit: ({ way }) => {
        seen.push(way)
        if (way === 'a') rmSync(thread.at('a'), { recursive: true })
        if (way === 'b') {
          rmSync(thread.at('b'), { recursive: true })
          symlinkSync(thread.outside, thread.at('b'))
        }
        return 'on'
      },
    })
    expect(seen).toEqual(['a', 'b', 'c', 'c/3.txt'])
    expect(walked.missed).toEqual([virtual('a'), virtual('b')])
  })

  it('over several roots loses only the one that cannot be opened', async () => {
    thread.file('a.txt')
    const uploads = join(thread.workspace.userData, 'uploads')
    rmSync(uploads, { recursive: true })
    symlinkSync(thread.outside, uploads)
    const found = await findFiles(thread.workspace, '/mnt/user-data', { pattern: '**', max: 10 })
    expect(found).toMatchObject({ paths: [virtual('a.txt')], missed: ['/mnt/user-data/uploads'] })
    expect(await codeOf(() => find('**', '/mnt/user-data/uploads'))).toBe('symlink-escape')
  })

  it('ends when its time is up, and when nobody waits any more', async () => {
    for (let index = 0; index < 5; index += 1) thread.file(`${index}.txt`)
    let clock = 0
    const { seen, walked } = await visited({ now: () => (clock += fileLimits.walkMs / 3) })
    expect(walked.stopped).toBe('time')
    expect(seen.length).toBeLessThan(5)
    await expect(visited({ signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })
})

describe('searching lines [W2]', () => {
  it('gives path, line number and line; letter case counts when asked', async () => {
    thread.file('a.txt', 'one\nTwo\r\nthree two\n')
    expect(await lines('two')).toEqual(['a.txt:2: Two', 'a.txt:3: three two'])
    expect(await lines('two', { caseSensitive: true })).toEqual(['a.txt:3: three two'])
    expect(await lines('^two$')).toEqual(['a.txt:2: Two'])
  })

  it('takes a plain text as it stands', async () => {
    thread.file('a.txt', 'a.b(c\naxb(c\n\\E$&\n')
    expect(await lines('a.b(c', { literal: true })).toEqual(['a.txt:1: a.b(c'])
    expect(await lines('\\E$&', { literal: true })).toEqual(['a.txt:3: \\E$&'])
    expect(await codeOf(() => lines('a.b(c'))).toBe('pattern-invalid')
  })

  it('searches only files that the glob covers, at any depth for a name alone', async () => {
    for (const file of ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'd.md']) thread.file(file, 'x')
    expect(await lines('x', { glob: '*.ts' })).toEqual(['a.ts:1: x', 'src/b.ts:1: x', 'src/deep/c.ts:1: x'])
    expect(await lines('x', { glob: 'src/*.ts' })).toEqual(['src/b.ts:1: x'])
  })

  it('searches one file, and says why it cannot', async () => {
    thread.file('a.txt', 'x\ny\n')
    thread.file('b.bin', 'x\u0000')
    truncateSync(thread.file('c.big', 'x'), fileLimits.searchedBytes + 1)
    expect(await lines('y', {}, virtual('a.txt'))).toEqual(['a.txt:2: y'])
    expect(await codeOf(() => search('x', {}, virtual('b.bin')))).toBe('file-not-text')
    expect(await codeOf(() => search('x', {}, virtual('c.big')))).toBe('file-too-big')
    expect(await search('x')).toMatchObject({ searched: 1, notText: 1, tooBig: 1 })
  })

  it('stops at the number that was asked for, and says that there is more', async () => {
    thread.file('a.txt', 'x\n'.repeat(50))
    thread.file('b.txt', 'x\n')
    const found = await search('x', { max: 20 })
    expect([found.matches.length, found.more]).toEqual([20, true])
    expect((await search('x', { max: 51 })).more).toBe(false)
  })

  it('shows of a long line the part around the match', async () => {
    thread.file('a.txt', `${'a'.repeat(5000)}NEEDLE${'b'.repeat(5000)}`)
    const [match] = (await search('needle')).matches
    expect(match?.text).toMatch(/^…a+NEEDLEb+…$/)
    expect(match?.text.length).toBeLessThanOrEqual(fileLimits.shownChars + 2)
  })

  it('says when the end of a very long line was not looked at', async () => {
    thread.file('a.txt', `${'a'.repeat(fileLimits.searchedChars)}NEEDLE`)
    expect(await search('needle')).toMatchObject({ matches: [], cutLines: 1, searched: 1 })
  })

  it('searches text that is no UTF-8', async () => {
    thread.file('a.txt', Buffer.from([0x66, 0xfc, 0x72, 0x0a, 0x78]))
    expect(await lines('^x')).toEqual(['a.txt:2: x'])
  })

  it.each([
    '(?:a?){200}a{200}b',
    '(a+)+$',
    '(?:.{0,400}){1,2}[xy]',
    'a(?:a|b){500}[cd]',
    '(?:a.{0,30}b.{0,30}){1,15}[xy]',
    '(\\w+\\s?)+!',
  ])('ends with a hostile pattern, and others get their turns: %s', async (pattern) => {
    thread.file('a.txt', `${'ab'.repeat(8000)}\n${'aaab'.repeat(400)}!x\n`.repeat(5))
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    try {
      expect((await search(pattern)).stopped).toBeUndefined()
    } finally {
      clearInterval(timer)
    }
    expect(turns).toBeGreaterThan(0)
  })

  it('ends when its time is up, in the midst of a file', async () => {
    thread.file('a.txt', 'x\n'.repeat(10_000))
    let clock = 0
    const found = await search('none', { now: () => (clock += fileLimits.walkMs / 10) })
    expect(found.stopped).toBe('time')
  })

  it('ends when nobody waits any more', async () => {
    thread.file('a.txt', 'x\n'.repeat(10_000))
    await expect(search('none', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })

  it.each(['(?=a)', '(a)\\1', '[', '(', 'a{1001}', '(?:a{1000}b{1000}c{1000})', '', 'x'.repeat(1001)])(
    'refuses the pattern %j',
    async (pattern) => {
      expect(await codeOf(() => search(pattern))).toBe('pattern-invalid')
    },
  )
})

describe('listing a folder [W2]', () => {
  const listed = async (path = workspace) => {
    const { entries, more } = await listFolder(thread.workspace, path)
    return { names: entries.map(({ name, inner }) => [name, inner?.entries.map((entry) => entry.name)]), more }
  }

  it('shows two levels in a fixed order', async () => {
    for (const file of ['b.txt', 'a/2.txt', 'a/1/deep.txt', 'node_modules/x/y.js']) thread.file(file)
    mkdirSync(thread.at('empty'))
    expect(await listed()).toEqual({
      names: [
        ['a', ['1', '2.txt']],
        ['b.txt', undefined],
        ['empty', []],
        ['node_modules', undefined],
      ],
      more: 0,
    })
  })

  it('shows the folders of the thread from above them', async () => {
    expect((await listed('/mnt')).names).toEqual([
      ['acp-workspace', undefined],
      ['user-data', undefined],
    ])
    expect((await listed('/mnt/user-data')).names.map(([name]) => name)).toEqual([
      'outputs',
      'servers',
      'uploads',
      'workspace',
    ])
  })

  it('shows a bounded number of entries and counts the others', async () => {
    for (let index = 0; index < fileLimits.listedInner + 5; index += 1) thread.file(`many/${index}`)
    const { entries } = await listFolder(thread.workspace, workspace)
    expect(entries[0]?.inner).toMatchObject({ more: 5 })
    expect(entries[0]?.inner?.entries).toHaveLength(fileLimits.listedInner)
    for (let index = 0; index < fileLimits.listedEntries + 7; index += 1) thread.file(`flat/${index}`)
    const { more, names } = await listed(join(workspace, 'flat'))
    expect([more, names.length]).toEqual([7, fileLimits.listedEntries])
  })
})
