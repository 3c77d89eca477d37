import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { editFile } from '../../src/workspace/files/edit-file.ts'
import { findFiles } from '../../src/workspace/files/find-files.ts'
import { listFolder } from '../../src/workspace/files/list-folder.ts'
import { readText } from '../../src/workspace/files/read-text.ts'
import { searchFiles } from '../../src/workspace/files/search-files.ts'
import { writeText } from '../../src/workspace/files/write-file.ts'
import { type Reach, systemReach } from '../../src/workspace/held-folder.ts'
import { aThread, codeOf, faultOf, makePipe, openFiles, type Thread, virtual } from './a-thread.ts'

const reaches: readonly Reach[] = systemReach === 'descriptors' ? ['descriptors', 'names'] : ['names']
const onWindows = process.platform === 'win32'

describe.skipIf(onWindows).each(reaches)('what leads out of a thread, reached by %s [W2]', (reach) => {
  let thread: Thread
  beforeEach(async () => {
    thread = await aThread()
  })
  const read = (path: string) => readText(thread.workspace, virtual(path), { reach })
  const write = (path: string) => writeText(thread.workspace, virtual(path), 'WRITTEN', { reach })
  const edit = (path: string) => editFile(thread.workspace, virtual(path), { oldText: 'E', newText: 'X', reach })
  const list = (path: string) => listFolder(thread.workspace, virtual(path), { reach })
  const search = (path: string) => searchFiles(thread.workspace, virtual(path), { pattern: 'OUTSIDE', max: 9, reach })
  const find = (path: string) => findFiles(thread.workspace, virtual(path), { pattern: '**', max: 9, reach })
  const everyWay = [read, write, edit, list, search, find]

  const outsideIsWhole = (): void => {
    expect(readdirSync(thread.outside)).toEqual(['secret.txt'])
    expect(readFileSync(join(thread.outside, 'secret.txt'), 'utf8')).toBe('OUTSIDE')
  }

  it.each([
    ['a link to a file', (at: Thread) => symlinkSync(join(at.outside, 'secret.txt'), at.at('l')), 'l'],
    ['a file behind a linked folder', (at: Thread) => symlinkSync(at.outside, at.at('d')), 'd/secret.txt'],
    ['a new file behind a linked folder', (at: Thread) => symlinkSync(at.outside, at.at('d')), 'd/new/deep.txt'],
    ['a link that leads nowhere yet', (at: Thread) => symlinkSync(join(at.outside, 'made.txt'), at.at('l')), 'l'],
    ['a relative link upwards', (at: Thread) => symlinkSync('../../../../../outside/secret.txt', at.at('l')), 'l'],
    ['a link to itself', (at: Thread) => symlinkSync('l', at.at('l')), 'l'],
    ['a link to a file inside', (at: Thread) => symlinkSync(at.file('real.txt'), at.at('l')), 'l'],
    [
      'a link into the root of the system',
      (at: Thread) => symlinkSync('/proc/self/root', at.at('p')),
      'p/etc/hostname',
    ],
  ])('%s is refused by every function', async (_what, make, path) => {
    make(thread)
    for (const way of everyWay) expect(await codeOf(() => way(path))).toBe('symlink-escape')
    outsideIsWhole()
  })

  it('a root that was replaced by a link is refused by every function', async () => {
    renameSync(thread.workspace.cwd, `${thread.workspace.cwd}.away`)
    symlinkSync(thread.outside, thread.workspace.cwd)
    for (const way of everyWay) expect(await codeOf(() => way('secret.txt'))).toBe('symlink-escape')
    expect(await codeOf(() => listFolder(thread.workspace, '/mnt/user-data/workspace', { reach }))).toBe(
      'symlink-escape',
    )
    outsideIsWhole()
  })

  it('a folder above the root that was replaced by a link is refused as well', async () => {
    const { userData } = thread.workspace
    renameSync(userData, `${userData}.away`)
    mkdirSync(join(thread.outside, 'workspace'))
    symlinkSync(thread.outside, userData)
    for (const way of [read, write, list]) expect(await codeOf(() => way('secret.txt'))).toBe('symlink-escape')
    expect(readdirSync(join(thread.outside, 'workspace'))).toEqual([])
  })

  it('a file with a second name is neither read nor written', async () => {
    linkSync(join(thread.outside, 'secret.txt'), thread.at('h.txt'))
    for (const way of [read, write, edit, search]) expect(await codeOf(() => way('h.txt'))).toBe('hardlink')
    const append = () => writeText(thread.workspace, virtual('h.txt'), 'x', { append: true, reach })
    expect(await codeOf(append)).toBe('hardlink')
    outsideIsWhole()
  })

  it('a pipe is refused at once, though nobody writes to it', async () => {
    makePipe(thread.at('pipe'))
    for (const way of [read, write, edit, search, list]) expect(await codeOf(() => way('pipe'))).toBe('special-file')
    expect(await codeOf(() => read('pipe/x'))).toBe('special-file')
  })

  it('a socket is refused', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(thread.at('s'), resolve))
    try {
      for (const way of [read, write, edit, list]) expect(await codeOf(() => way('s'))).toBe('special-file')
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('a search and a listing pass links, pipes and second names by', async () => {
    symlinkSync(thread.outside, thread.at('d'))
    symlinkSync(join(thread.outside, 'secret.txt'), thread.at('l'))
    linkSync(join(thread.outside, 'secret.txt'), thread.at('h.txt'))
    makePipe(thread.at('pipe'))
    const found = await searchFiles(thread.workspace, '/mnt', { pattern: 'OUTSIDE', max: 9, reach })
    expect(found).toMatchObject({ matches: [], searched: 0, refused: 1 })
    expect(
      (await findFiles(thread.workspace, '/mnt', { pattern: '**/*', folders: true, max: 9, reach })).paths,
    ).toEqual(['/mnt/user-data/workspace/h.txt'])
    const { entries } = await listFolder(thread.workspace, '/mnt/user-data/workspace', { reach })
    expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
      ['d', 'link'],
      ['h.txt', 'file'],
      ['l', 'link'],
      ['pipe', 'other'],
    ])
  })

  it('a folder where a file is wanted, and a file where a folder is wanted, are told apart', async () => {
    thread.file('f.txt')
    mkdirSync(thread.at('d'))
    for (const way of [read, write, edit]) expect(await codeOf(() => way('d'))).toBe('is-a-folder')
    for (const way of [read, write, edit, list, search]) expect(await codeOf(() => way('f.txt/x'))).toBe('not-a-folder')
    for (const way of [list, find]) expect(await codeOf(() => way('f.txt'))).toBe('not-a-folder')
    for (const way of [read, edit, list, search, find]) expect(await codeOf(() => way('none'))).toBe('path-not-found')
    for (const way of [read, write, edit]) expect(await codeOf(() => way('.'))).toBe('is-a-folder')
  })

  it.runIf(systemReach === 'descriptors')('no attempt leaves a file open, however it ends', async () => {
    symlinkSync(thread.outside, thread.at('d'))
    linkSync(join(thread.outside, 'secret.txt'), thread.at('h.txt'))
    thread.file('f.txt', 'E')
    thread.file('a/b/c.txt', 'E')
    makePipe(thread.at('pipe'))
    const attempts = async (): Promise<void> => {
      for (const path of ['d', 'd/secret.txt', 'h.txt', 'f.txt', 'f.txt/x', 'a/b', 'a/b/c.txt', 'pipe', 'none/x', 'a'])
        for (const way of everyWay) await way(path).catch(() => {})
    }
    await attempts()
    const before = openFiles()
    for (let round = 0; round < 5; round += 1) await attempts()
    expect(openFiles()).toBe(before)
  })
})

describe('errors about files [W2]', () => {
  it('show virtual paths and no host path, in printable lines', async () => {
    const { workspace, base, at, outside } = await aThread()
    if (!onWindows) symlinkSync(outside, at('d'))
    writeFileSync(at('f.txt'), 'x')
    const attempts = [
      () => readText(workspace, virtual('d/secret.txt')),
      () => readText(workspace, virtual('none')),
      () => readText(workspace, virtual('f.txt/x')),
      () => readText(workspace, virtual('')),
      () => writeText(workspace, '/mnt/skills/x', ''),
      () => writeText(workspace, '/mnt/acp-workspace/x', ''),
      () => writeText(workspace, virtual('f.txt/x'), ''),
      () => editFile(workspace, virtual('f.txt'), { oldText: 'none', newText: '' }),
      () => listFolder(workspace, virtual('d')),
    ]
    for (const attempt of attempts) {
      const text = JSON.stringify(await faultOf(attempt))
      expect(text).toContain('/mnt/')
      expect(text).not.toContain(base)
      expect(text).not.toContain('OUTSIDE')
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}]|\/proc\//u)
    }
  })

  it('name what was probably meant', async () => {
    const { workspace, file } = await aThread()
    file('report.md')
    file('src/main.ts')
    expect(await faultOf(() => readText(workspace, virtual('reprot.md')))).toMatchObject({
      code: 'path-not-found',
      hint: 'did you mean "report.md"',
    })
    expect(await faultOf(() => readText(workspace, virtual('scr/main.ts')))).toMatchObject({
      message: '/mnt/user-data/workspace/scr is not there',
      hint: 'did you mean "src"',
    })
    expect(existsSync(join(workspace.cwd, 'scr'))).toBe(false)
  })
})
