import { existsSync, mkdirSync, realpathSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFolder } from '../../src/workspace/files/list-folder.ts'
import { readText } from '../../src/workspace/files/read-text.ts'
import { writeText } from '../../src/workspace/files/write-file.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { aThread, codeOf, freshFolder, virtual } from './a-thread.ts'

const skill = (folder: string, text = 'a skill'): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), text)
}

describe('the workspace of a thread [W1]', () => {
  it('has folders of its own, closed to others', async () => {
    const { workspace, base } = await aThread()
    const thread = join(base, 'threads/ann/t1')
    expect(workspace).toMatchObject({
      owner: { user: 'ann', thread: 't1' },
      userData: join(thread, 'user-data'),
      cwd: join(thread, 'user-data/workspace'),
      temp: join(thread, 'user-data/workspace/.tmp'),
    })
    for (const folder of [
      '',
      'user-data',
      'user-data/workspace',
      'user-data/uploads',
      'user-data/outputs',
      'acp-workspace',
    ])
      expect([folder, statSync(join(thread, folder)).mode & 0o777]).toEqual([folder, 0o700])
    expect(statSync(workspace.temp).isDirectory()).toBe(true)
    expect(statSync(join(base, 'threads')).mode & 0o777).toBe(0o700)
  })

  it('names its roots, longest first, and says which may be written', async () => {
    const { workspace } = await aThread()
    expect(workspace.roots.map(({ virtual, writable }) => [virtual, writable])).toEqual([
      ['/mnt/user-data/workspace', true],
      ['/mnt/user-data/outputs', true],
      ['/mnt/user-data/servers', false],
      ['/mnt/user-data/uploads', true],
      ['/mnt/acp-workspace', false],
    ])
  })

  it('is found again with its files, by many at once', async () => {
    const threadsFolder = join(freshFolder(), 'deep/threads')
    const owner = { user: 'ann', thread: 'con' }
    const [first, ...others] = await Promise.all(
      Array.from({ length: 8 }, () => openWorkspace({ threadsFolder, owner })),
    )
    expect(first).toBeDefined()
    if (first === undefined) return
    for (const other of others) expect(other).toEqual(first)
    await writeText(first, virtual('a.txt'), 'kept')
    expect((await readText(await openWorkspace({ threadsFolder, owner }), virtual('a.txt'))).text).toBe('kept')
  })

  it('is another for every owner, whatever the ids spell', async () => {
    const threadsFolder = freshFolder()
    const owners = ['ann', 'Ann', '__proto__', 'constructor', 'con', 'nul', '-rf'].flatMap((user) =>
      ['t', 'T', 'ann'].map((thread) => ({ user, thread })),
    )
    const opened = await Promise.all(owners.map((owner) => openWorkspace({ threadsFolder, owner })))
    expect(new Set(opened.map(({ userData }) => userData.toLowerCase())).size).toBe(owners.length)
    const [first, second] = opened
    if (first === undefined || second === undefined) return
    await writeText(first, virtual('a.txt'), 'mine')
    expect(await codeOf(() => readText(second, virtual('a.txt')))).toBe('path-not-found')
  })

  it('is not opened for ids that would lead elsewhere, and nothing is made then', async () => {
    const threadsFolder = join(freshFolder(), 'threads')
    const owner = { user: '..', thread: 'x' }
    expect(await codeOf(() => openWorkspace({ threadsFolder, owner }))).toBe('invalid-id')
    expect(existsSync(threadsFolder)).toBe(false)
  })

  it('may lie behind a link of the operator', async () => {
    const base = freshFolder()
    mkdirSync(join(base, 'disk'))
    symlinkSync(join(base, 'disk'), join(base, 'threads'))
    const workspace = await openWorkspace({ threadsFolder: join(base, 'threads'), owner: { user: 'u', thread: 't' } })
    await writeText(workspace, virtual('a.txt'), 'there')
    expect(existsSync(join(base, 'disk/u/t/user-data/workspace/a.txt'))).toBe(true)
  })

  it.each(['user-data', 'user-data/workspace', 'user-data/outputs', 'acp-workspace', 'user-data/workspace/.tmp'])(
    'is not opened when %s was replaced by a link',
    async (folder) => {
      const { base, outside } = await aThread()
      const thread = join(base, 'threads/ann/t1')
      renameSync(join(thread, folder), join(base, 'away'))
      symlinkSync(outside, join(thread, folder))
      const owner = { user: 'ann', thread: 't1' }
      expect(await codeOf(() => openWorkspace({ threadsFolder: join(base, 'threads'), owner }))).toBe('symlink-escape')
      expect(existsSync(join(outside, 'workspace'))).toBe(false)
    },
  )

  it('is not opened when a file stands where a folder should', async () => {
    const { base } = await aThread()
    renameSync(join(base, 'threads/ann/t1'), join(base, 'away'))
    writeFileSync(join(base, 'threads/ann/t1'), '')
    const owner = { user: 'ann', thread: 't1' }
    expect(await codeOf(() => openWorkspace({ threadsFolder: join(base, 'threads'), owner }))).toBe('not-a-folder')
  })
})

describe('the folders of skills [W1]', () => {
  it('are read-only roots under their own names, the first of one name first', async () => {
    const base = freshFolder()
    skill(join(base, 'one/pdf'), 'the first')
    skill(join(base, 'two/pdf'), 'the second')
    skill(join(base, 'two/web'))
    skill(join(base, 'single'))
    mkdirSync(join(base, 'one/no-skill'))
    skill(join(base, 'one/.hidden'))
    const { workspace } = await aThread(['one', 'two', 'single', 'absent'].map((name) => join(base, name)))
    const skills = workspace.roots.filter(({ virtual }) => virtual.startsWith('/mnt/skills/'))
    expect(skills.map(({ virtual, writable }) => [virtual, writable])).toEqual([
      ['/mnt/skills/single', false],
      ['/mnt/skills/pdf', false],
      ['/mnt/skills/web', false],
    ])
    expect((await readText(workspace, '/mnt/skills/pdf/SKILL.md')).text).toBe('the first')
    expect(await codeOf(() => writeText(workspace, '/mnt/skills/pdf/SKILL.md', 'x'))).toBe('path-read-only')
    expect((await listFolder(workspace, '/mnt/skills')).entries.map(({ name }) => name)).toEqual([
      'pdf',
      'single',
      'web',
    ])
  })

  it('are followed inside the configured folder and not out of it', async () => {
    const base = freshFolder()
    skill(join(base, 'skills/.shared/pdf'))
    skill(join(base, 'elsewhere/web'))
    symlinkSync(join(base, 'skills/.shared/pdf'), join(base, 'skills/pdf'))
    symlinkSync(join(base, 'elsewhere/web'), join(base, 'skills/web'))
    const { workspace } = await aThread([join(base, 'skills')])
    const skills = workspace.roots.filter(({ virtual }) => virtual.startsWith('/mnt/skills/'))
    expect(skills).toEqual([
      { virtual: '/mnt/skills/pdf', host: realpathSync(join(base, 'skills/.shared/pdf')), writable: false },
    ])
  })

  it('are left out when no path could name them', async () => {
    const base = freshFolder()
    skill(join(base, 'skills/a\nb'))
    skill(join(base, 'skills/a\\b'))
    skill(join(base, 'skills/good one'))
    const { workspace } = await aThread([join(base, 'skills')])
    expect(workspace.roots.map(({ virtual }) => virtual).filter((path) => path.startsWith('/mnt/skills'))).toEqual([
      '/mnt/skills/good one',
    ])
  })
})
