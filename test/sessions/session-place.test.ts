import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anchoredArguments, sessionPlace } from '../../src/sessions/processes/session-place.ts'
import { aServer } from './pool-stage.ts'

const workspace = { cwd: '/threads/u/t/user-data/workspace', temp: '/threads/u/t/user-data/workspace/.tmp' }
const environment = { PATH: '/bin', HOME: '/home/a', TMPDIR: '/elsewhere', SECRET: 'CANARY' }
const options = { configFolder: '/config', environment, platform: 'linux', exists: () => false } as const

describe('the folder a server starts in [M2]', () => {
  const entry = aServer('files')

  it.each([
    ['the thread’s workspace', entry, { workspace }, workspace.cwd],
    ['the folder of its entry', { ...entry, cwd: '/srv' }, { workspace }, '/srv'],
    ['the configuration’s folder without a thread', entry, {}, '/config'],
    ['the folder of its entry without a thread', { ...entry, cwd: '/srv' }, {}, '/srv'],
  ])('is %s', (_what, server, more, cwd) => {
    expect(sessionPlace(server, { ...options, ...more }).cwd).toBe(cwd)
  })

  it('means nothing for a server on the network, which is left as it is', () => {
    const remote = aServer('remote', { transport: 'http', url: 'https://x.test', args: ['./x'] })
    const place = sessionPlace(remote, { ...options, workspace, exists: () => expect.unreachable() })
    expect(place.server).toBe(remote)
    expect(place.env).toEqual({})
  })
})

describe('the arguments of a server [M2, C-164]', () => {
  const there = ['/config/papers', '/config/server.py', '/config/dist/index.js', '/config/mode', '/config/.', '/shared']
  const anchor = { folder: '/config', platform: 'linux', exists: (path: string) => there.includes(path) } as const

  it.each([
    ['a file', 'server.py', '/config/server.py'],
    ['a file in a folder', 'dist/index.js', '/config/dist/index.js'],
    ['a folder', 'papers', '/config/papers'],
    ['a folder with a slash', 'papers/', '/config/papers/'],
    ['a way up', '../../node_modules/x/index.js', '/node_modules/x/index.js'],
    ['a way down to what is not there yet', './out/new.db', '/config/out/new.db'],
    ['the folder itself', '.', '/config'],
    ['the folder itself with a slash', './', '/config/'],
    ['the folder above', '..', '/'],
    ['a way behind an option', '--config=./x.json', '--config=/config/x.json'],
    ['a way up behind an option', '-c=../x.json', '-c=/x.json'],
  ])('name %s in full: %s', (_what, arg, wanted) => {
    expect(anchoredArguments([arg], anchor)).toEqual([wanted])
  })

  it.each([
    ['a word that names nothing', 'stdio'],
    ['a package', '@modelcontextprotocol/server-filesystem@latest'],
    ['an absolute path', '/shared'],
    ['a flag', '-y'],
    ['a flag that is called like a file', '-papers'],
    ['two dashes', '--'],
    ['a word behind an option, there or not', '--mode=mode'],
    ['an assignment', 'KEY=./papers'],
    ['a URL', 'https://example.com/./a'],
    ['nothing', ''],
    ['dots that are a name', '..papers'],
    ['three dots', '...'],
    ['a home folder', '~/papers'],
    ['a backslash, which is a letter here', '.\\papers'],
    ['a NUL', 'a\0b'],
  ])('leave %s as it is: %s', (_what, arg) => {
    expect(anchoredArguments([arg], anchor)).toEqual([arg])
  })

  it.each([
    ['bin/server', '/config/bin/server'],
    ['../server', '/server'],
    ['/usr/bin/node', '/usr/bin/node'],
    ['npx', 'npx'],
  ])('follow a command that is a path from the configuration, or a name: %s', (command, wanted) => {
    const place = sessionPlace(aServer('files', { command }), { ...options, workspace, exists: () => true })
    expect(place.server.command).toBe(wanted)
  })

  it('are untouched in a server that says where it starts', () => {
    const server = aServer('files', { cwd: '/config', args: ['papers', './x'] })
    expect(sessionPlace(server, { ...options, workspace, exists: anchor.exists }).server).toBe(server)
  })

  it('mean the same with a thread and without one', () => {
    const server = aServer('files', { args: ['papers', './x', 'word'] })
    const [listed, called] = [{}, { workspace }].map((more) =>
      sessionPlace(server, { ...options, ...more, exists: anchor.exists }),
    )
    expect(listed?.server.args).toEqual(['/config/papers', '/config/x', 'word'])
    expect(called?.server.args).toEqual(listed?.server.args)
  })

  it('are paths of Windows on Windows', () => {
    const exists = (path: string) => path === 'C:\\config\\papers'
    const windows = { folder: 'C:\\config', platform: 'win32', exists } as const
    const given = ['papers', '.\\x', '../y', '--z=.\\z', 'D:papers', 'E:\\papers', 'word']
    expect(anchoredArguments(given, windows)).toEqual([
      'C:\\config\\papers',
      'C:\\config\\x',
      'C:\\y',
      '--z=C:\\config\\z',
      'D:papers',
      'E:\\papers',
      'word',
    ])
  })

  describe('on the disk', () => {
    let folder = ''
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'toolgate-place-'))
      mkdirSync(join(folder, 'papers'))
      writeFileSync(join(folder, 'server.py'), '')
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    it('are looked up as they are, and what is no path of any system names nothing', () => {
      const args = ['papers', 'server.py', 'server.py/x', 'other', 'a\0b', 'x'.repeat(100_000)]
      const { server } = sessionPlace(aServer('files', { args }), { configFolder: folder, environment })
      expect(server.args).toEqual([join(folder, 'papers'), join(folder, 'server.py'), ...args.slice(2)])
    })
  })
})

describe('the variables of a server [M2]', () => {
  const env = (configured: { readonly [name: string]: string }, more: object = { workspace }) =>
    sessionPlace(aServer('files', { env: configured }), { ...options, ...more }).env

  it('hold the base, what the entry sets, and the thread’s own temporary folder', () => {
    const { temp } = workspace
    expect(env({ TOKEN: 'x' })).toEqual({
      PATH: '/bin',
      HOME: '/home/a',
      TOKEN: 'x',
      TMPDIR: temp,
      TMP: temp,
      TEMP: temp,
    })
  })

  it('leave temporary files to an entry that says where', () => {
    expect(env({ TMP: '/var/tmp' })).toEqual({ PATH: '/bin', HOME: '/home/a', TMP: '/var/tmp' })
  })

  it('say nothing of temporary files without a thread', () => {
    expect(env({}, {})).toEqual({ PATH: '/bin', HOME: '/home/a' })
  })

  it('know the temporary folder of Windows by any letter case', () => {
    const windows = {
      workspace,
      platform: 'win32',
      environment: { Path: 'C:\\bin', Temp: 'C:\\Temp', tmp: 'C:\\Temp' },
    }
    const { temp } = workspace
    expect(env({}, windows)).toEqual({ Path: 'C:\\bin', TMPDIR: temp, TMP: temp, TEMP: temp })
    expect(env({ Temp: 'D:\\' }, windows)).toEqual({ Path: 'C:\\bin', Temp: 'D:\\', tmp: 'C:\\Temp' })
  })

  it('look no program up in the workspace: relative folders of PATH mean the configuration’s', () => {
    const relative = { PATH: '.:/bin::node_modules/.bin:../x' }
    const wanted = '/config:/bin:/config/node_modules/.bin:/x'
    expect(env({}, { workspace, environment: relative }).PATH).toBe(wanted)
    expect(env(relative).PATH).toBe(wanted)
    expect(env(relative, {}).PATH).toBe(relative.PATH)
  })
})
