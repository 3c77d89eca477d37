import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { editFile } from '../../src/workspace/files/edit-file.ts'
import { fileLimits } from '../../src/workspace/files/limits.ts'
import { replaceEntry, writeText } from '../../src/workspace/files/write-file.ts'
import { holdFolder } from '../../src/workspace/held-folder.ts'
import { pathIn } from '../../src/workspace/path-in.ts'
import { aThread, codeOf, faultOf, type Thread, virtual } from './a-thread.ts'

let thread: Thread
beforeEach(async () => {
  thread = await aThread()
})
const write = (path: string, text: string, options = {}) => writeText(thread.workspace, virtual(path), text, options)
const content = (path: string): string => readFileSync(thread.at(path), 'utf8')
const modeOf = (path: string): number => statSync(thread.at(path)).mode & 0o777
const onWindows = process.platform === 'win32'

describe('writing a file [W2]', () => {
  it('makes it with the folders on its way', async () => {
    expect(await write('new/deep/a b.txt', 'text é')).toEqual({
      path: virtual('new/deep/a b.txt'),
      bytes: 7,
      created: true,
    })
    expect(content('new/deep/a b.txt')).toBe('text é')
  })

  it('replaces it whole, and leaves nothing else behind', async () => {
    await write('a.txt', 'a long first text')
    expect(await write('a.txt', 'short')).toMatchObject({ created: false })
    expect(content('a.txt')).toBe('short')
    expect(readdirSync(thread.workspace.cwd).sort()).toEqual(['.tmp', 'a.txt'])
  })

  it('adds to it', async () => {
    await write('a.txt', 'one\n', { append: true })
    await write('a.txt', 'two\n', { append: true })
    expect(content('a.txt')).toBe('one\ntwo\n')
  })

  it.skipIf(onWindows)('keeps the mode of the file that was there', async () => {
    for (const mode of [0o755, 0o600, 0o664]) {
      chmodSync(thread.file('run.sh'), mode)
      await write('run.sh', 'new')
      expect(modeOf('run.sh')).toBe(mode)
      await editFile(thread.workspace, virtual('run.sh'), { oldText: 'new', newText: 'newer' })
      expect(modeOf('run.sh')).toBe(mode)
    }
  })

  it('leaves a file alone that is marked read-only', async () => {
    chmodSync(thread.file('a.txt', 'kept'), 0o444)
    expect(await codeOf(() => write('a.txt', 'x'))).toBe('path-read-only')
    expect(await codeOf(() => write('a.txt', 'x', { append: true }))).toBe('path-read-only')
    expect(content('a.txt')).toBe('kept')
  })

  it('keeps all of what many add at the same time', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => write('log.txt', `line ${index}\n`, { append: true })))
    expect(content('log.txt').trimEnd().split('\n')).toHaveLength(40)
  })

  it('keeps all edits that are made at the same time', async () => {
    thread.file('a.txt', Array.from({ length: 20 }, (_, index) => `<${index}>`).join('\n'))
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        editFile(thread.workspace, virtual('a.txt'), { oldText: `<${index}>`, newText: `done ${index}` }),
      ),
    )
    expect(content('a.txt')).not.toContain('<')
  })

  it('shows a reader the old text or the new one, and nothing between', async () => {
    const [old, fresh] = ['o'.repeat(200_000), 'n'.repeat(200_000)]
    thread.file('a.txt', old)
    const seen = new Set<string>()
    let writing = true
    const writer = (async () => {
      for (let turn = 0; turn < 20; turn += 1) await write('a.txt', turn % 2 === 0 ? fresh : old)
      writing = false
    })()
    while (writing) {
      seen.add(content('a.txt'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writer
    expect([...seen].every((text) => text === old || text === fresh)).toBe(true)
  })

  it('refuses what is over the limit, and half characters', async () => {
    expect(await codeOf(() => write('a.txt', 'x'.repeat(fileLimits.writeBytes + 1)))).toBe('file-too-big')
    expect(await codeOf(() => write('a.txt', 'a\ud800'))).toBe('file-not-text')
    expect(existsSync(thread.at('a.txt'))).toBe(false)
  })

  it.each([
    '/mnt/user-data/x',
    '/mnt/user-data',
    '/mnt/acp-workspace/x',
    '/mnt/skills/x',
    '/etc/passwd',
    '/mnt/user-data/workspace',
  ])('writes nothing to %s', async (path) => {
    const code = await codeOf(() => writeText(thread.workspace, path, 'x'))
    expect(['path-outside', 'path-read-only', 'is-a-folder']).toContain(code)
  })

  it('cleans up after itself when the place of the file was taken by a folder', async () => {
    mkdirSync(thread.at('taken/inner'), { recursive: true })
    expect(await codeOf(() => write('taken', 'x'))).toBe('is-a-folder')
    expect(readdirSync(thread.workspace.cwd).sort()).toEqual(['.tmp', 'taken'])
  })

  it.skipIf(onWindows)('replaces a link that appears at the last moment, and follows it nowhere', async () => {
    const path = pathIn(thread.workspace, virtual('a.txt'))
    if (path.root === undefined) throw new Error('no root')
    const held = holdFolder(path.root, [])
    try {
      const replacing = replaceEntry(held, 'a.txt', Buffer.from('mine'))
      // The name was free when it was looked at; the bytes are being written now.
      symlinkSync(join(thread.outside, 'secret.txt'), thread.at('a.txt'))
      await replacing
    } finally {
      held.close()
    }
    expect(content('a.txt')).toBe('mine')
    expect(readFileSync(join(thread.outside, 'secret.txt'), 'utf8')).toBe('OUTSIDE')
  })
})

describe('editing a file [W2]', () => {
  const edit = (oldText: string, newText: string, all = false) =>
    editFile(thread.workspace, virtual('a.txt'), { oldText, newText, all })

  it('replaces the one place, and says where', async () => {
    thread.file('a.txt', 'one\ntwo\nthree\n')
    expect(await edit('two', '$& $1 two')).toEqual({ path: virtual('a.txt'), count: 1, lines: [2] })
    expect(content('a.txt')).toBe('one\n$& $1 two\nthree\n')
  })

  it('keeps a byte order mark and Windows line ends', async () => {
    thread.file('a.txt', '\ufeffone\r\ntwo\r\nthree\r\n')
    await edit('one\ntwo', 'one\nand\ntwo')
    expect(content('a.txt')).toBe('\ufeffone\r\nand\r\ntwo\r\nthree\r\n')
  })

  it('changes nothing when the place is not clear', async () => {
    thread.file('a.txt', 'x\ny\nx\n')
    expect(await faultOf(() => edit('x', 'z'))).toMatchObject({
      code: 'edit-ambiguous',
      message: expect.stringContaining('2 times, on lines 1, 3'),
      hint: expect.stringContaining('replace_all'),
    })
    expect(await codeOf(() => edit('none', 'z'))).toBe('edit-not-found')
    expect(content('a.txt')).toBe('x\ny\nx\n')
    expect(await edit('x', 'z', true)).toMatchObject({ count: 2, lines: [1, 3] })
    expect(content('a.txt')).toBe('z\ny\nz\n')
  })

  it('refuses what is no text, and files and results over the limit', async () => {
    writeFileSync(thread.at('a.txt'), Buffer.from([0xff, 0x61]))
    expect(await codeOf(() => edit('a', 'b'))).toBe('file-not-text')
    thread.file('a.txt', 'a'.repeat(50_000))
    expect(await codeOf(() => edit('a', 'b'.repeat(1000), true))).toBe('file-too-big')
    thread.file('a.txt', 'a'.repeat(fileLimits.writeBytes + 1))
    expect(await codeOf(() => edit('a', 'b'))).toBe('file-too-big')
  })

  it('makes no file and no folder', async () => {
    expect(await codeOf(() => editFile(thread.workspace, virtual('no/a.txt'), { oldText: 'a', newText: 'b' }))).toBe(
      'path-not-found',
    )
    expect(existsSync(thread.at('no'))).toBe(false)
  })
})
