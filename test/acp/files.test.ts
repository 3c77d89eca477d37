// What an agent asks us to read and write: its own folder, and nothing else, by whatever name.

import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentFiles } from '../../src/acp/agent-files.ts'
import { agentPlace } from '../../src/acp/agent-place.ts'
import { freshFolder } from '../sources/scripted.ts'
import { agentConfig, scripted, withFiles } from './acp-world.ts'

const onWindows = process.platform === 'win32'

/** The files of an agent in a fresh thread, without an agent. */
async function filesHere() {
  const { workspace, folder } = await scripted([])
  const place = agentPlace(agentConfig(), { workspace, configFolder: freshFolder(), environment: {} })
  return { files: agentFiles(workspace, place), folder, workspace }
}

const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error) => error.finding?.code ?? error,
  )

describe('files of an external agent [S5, W2]', () => {
  it('are read and written over the protocol, by paths of the host and by virtual ones', async () => {
    const { run, folder, brought } = await scripted([
      { write: { path: '{cwd}/made/notes.md', content: 'eins\r\nzwei\r\ndrei' } },
      { read: { path: '/mnt/acp-workspace/made/notes.md' } },
      { read: { path: '{cwd}/made/notes.md', line: 2, limit: 1 } },
      { read: { path: '{cwd}/made/notes.md', line: 2 } },
      { read: { path: '{cwd}/made/notes.md', line: 9 } },
      { read: { path: '{cwd}/none/none.md' } },
    ])
    expect((await run()).structure.status).toBe('answered')
    expect(readFileSync(join(folder, 'made/notes.md'), 'utf8')).toBe('eins\r\nzwei\r\ndrei')
    expect(brought('write')).toMatchObject([{ result: {} }])
    expect(brought('read').map(({ result, error }) => result ?? error?.code)).toEqual([
      { content: 'eins\r\nzwei\r\ndrei' },
      { content: 'zwei\r\n' },
      { content: 'zwei\r\ndrei' },
      { content: '' },
      { content: '' },
    ])
  })

  it('outside of it are answered with an error, and the turn goes on', async () => {
    const { run, folder, workspace, brought } = await scripted([
      { read: { path: '{cwd}/../user-data/workspace/secret.txt' } },
      { read: { path: '/mnt/user-data/workspace/secret.txt' } },
      { read: { path: '{cwd}-old/secret.txt' } },
      { read: { path: 'notes.md' } },
      { write: { path: '{cwd}/../escaped.txt', content: 'x' } },
      { write: { path: '/etc/toolgate-test', content: 'x' } },
      { request: { method: 'fs/read_text_file', params: { sessionId: 'other', path: '{cwd}/notes.md' } } },
      { request: { method: 'terminal/create', params: { sessionId: 'the-session', command: 'id' } } },
      { text: 'still here' },
    ])
    withFiles(folder, { 'notes.md': 'own', '../acp-workspace-old/secret.txt': 's' })
    writeFileSync(join(workspace.cwd, 'secret.txt'), 'secret')
    const { structure } = await run()
    expect(structure).toMatchObject({ status: 'answered', text: 'still here' })
    expect(brought('read').map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602, -32602])
    expect(brought('write').map(({ error }) => error?.code)).toEqual([-32602, -32602])
    expect(brought('request').map(({ error }) => error?.code)).toEqual([-32002, -32601])
    expect(existsSync(join(folder, '../escaped.txt'))).toBe(false)
    expect(existsSync('/etc/toolgate-test')).toBe(false)
  })

  it('may be asked for many at once: as many are open as there is room for, and each is answered', async () => {
    const { run, folder, brought } = await scripted([{ readAtOnce: { path: '{cwd}/long.txt', times: 60 } }])
    withFiles(folder, { 'long.txt': 'x'.repeat(300_000) })
    await run()
    expect(brought('readAtOnce')).toMatchObject([{ result: Array(60).fill(300_000) }])
  })

  it('that lie behind a link or a second name are refused, and nothing outside is changed', async () => {
    const { files, folder } = await filesHere()
    const outside = freshFolder()
    withFiles(outside, { 'secret.txt': 'secret' })
    symlinkSync(outside, join(folder, 'way'), 'junction')
    linkSync(join(outside, 'secret.txt'), join(folder, 'second.txt'))
    const refused = ['symlink-escape', 'not-a-folder']
    expect(refused).toContain(await code(files.read(join(folder, 'way/secret.txt'))))
    expect(refused).toContain(await code(files.write(join(folder, 'way/made.txt'), 'x')))
    expect(await code(files.read(join(folder, 'second.txt')))).toBe('hardlink')
    expect(await code(files.write(join(folder, 'second.txt'), 'x'))).toBe('hardlink')
    expect(existsSync(join(outside, 'made.txt'))).toBe(false)
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  it.skipIf(onWindows)('that are links, pipes or folders are refused', async () => {
    const { files, folder } = await filesHere()
    const outside = join(freshFolder(), 'secret.txt')
    writeFileSync(outside, 'secret')
    symlinkSync(outside, join(folder, 'link.txt'))
    mkdirSync(join(folder, 'sub'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(await code(files.read(join(folder, 'link.txt')))).toBe('symlink-escape')
    expect(await code(files.write(join(folder, 'link.txt'), 'x'))).toBe('symlink-escape')
    expect(await code(files.read(join(folder, 'pipe')))).toBe('special-file')
    expect(await code(files.read(join(folder, 'sub')))).toBe('is-a-folder')
    expect(await code(files.read(folder))).toBe('is-a-folder')
    expect(lstatSync(join(folder, 'link.txt')).isSymbolicLink()).toBe(true)
    expect(readFileSync(outside, 'utf8')).toBe('secret')
  })

  it('that are too long or no text are refused', async () => {
    const { files, folder } = await filesHere()
    withFiles(folder, {
      'long.txt': Buffer.alloc(11 * 1024 * 1024, 'x'),
      'picture.png': Buffer.from([0x89, 0x50, 0xff]),
    })
    expect(await code(files.read(join(folder, 'long.txt')))).toBe('file-too-big')
    expect(await code(files.read(join(folder, 'picture.png')))).toBe('file-not-text')
  })

  it('are those of this thread: the folder of another is outside', async () => {
    const [one, other] = [await filesHere(), await filesHere()]
    withFiles(other.folder, { 'a.txt': 'of another' })
    expect(await code(one.files.read(join(other.folder, 'a.txt')))).toBe('path-outside')
  })

  it.skipIf(onWindows)('may be named by the real name of the folder, where a link leads to it', async () => {
    const real = freshFolder()
    const link = join(freshFolder(), 'link')
    symlinkSync(real, link)
    withFiles(real, { 'a.txt': 'own' })
    const { workspace } = await scripted([])
    const agent = agentConfig({ cwd: link })
    const place = agentPlace(agent, { workspace, configFolder: real, environment: {} })
    const files = agentFiles(workspace, place)
    expect([await files.read(join(link, 'a.txt')), await files.read(join(real, 'a.txt'))]).toEqual(['own', 'own'])
  })
})
