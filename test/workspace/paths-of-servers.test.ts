import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostArguments, virtualArguments } from '../../src/workspace/mapping/map-arguments.ts'
import { openRootsOf, type PathView } from '../../src/workspace/mapping/path-view.ts'
import { outsideWord, virtualJson, virtualText } from '../../src/workspace/mapping/rewrite-result.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'

const threads = join(mkdtempSync(join(tmpdir(), 'toolgate-test-')), 'threads')
const userData = join(threads, 'u1', 't1', 'user-data')

const workspace: Workspace = {
  owner: { user: 'u1', thread: 't1' },
  userData,
  cwd: join(userData, 'workspace'),
  servers: join(userData, 'servers'),
  temp: join(userData, 'workspace', '.tmp'),
  roots: [
    ...['workspace', 'uploads', 'outputs'].map((name) => ({
      virtual: `/mnt/user-data/${name}`,
      host: join(userData, name),
      writable: true,
    })),
    { virtual: '/mnt/acp-workspace', host: join(threads, 'u1', 't1', 'acp-workspace'), writable: true },
    { virtual: '/mnt/skills/writing', host: '/srv/skills/writing', writable: false },
  ],
}

const view = (more: Partial<PathView> = {}): PathView => ({
  workspace,
  openRoots: ['/home/ada/papers'],
  privateRoots: [threads, '/home/ada', tmpdir()],
  ...more,
})

const seen = (text: string, more: Partial<PathView> = {}): string => virtualText(text, view(more))

describe('a result of a server [M3]', () => {
  it('names files of the thread by their virtual paths', () => {
    expect(seen(`Saved to ${userData}/workspace/shot.png.`)).toBe('Saved to /mnt/user-data/workspace/shot.png.')
    expect(seen(`(${userData}/outputs/a b.pdf)`)).toBe('(/mnt/user-data/outputs/a b.pdf)')
    expect(seen(userData)).toBe('/mnt/user-data')
  })

  it('keeps a folder apart whose name only begins the same', () => {
    expect(seen(`see ${userData}-old/x.txt`)).toBe(`see ${outsideWord}`)
    expect(seen('/srv/home/ada/x')).toBe('/srv/home/ada/x')
  })

  it('tells nothing of other threads, of the home folder and of temporary files', () => {
    expect(seen(`see ${threads}/u2/t1/user-data/workspace/x.txt, please`)).toBe(`see ${outsideWord}, please`)
    expect(seen('{"path":"/home/ada/my secret.txt"}')).toBe(`{"path":"${outsideWord}"}`)
    expect(seen('it lies in /home/ada/x.txt.')).toBe(`it lies in ${outsideWord}.`)
  })

  it('shows what the operator named for the server', () => {
    expect(seen('/home/ada/papers/notes.md')).toBe('/home/ada/papers/notes.md')
    expect(seen('/home/ada/papers-old/notes.md')).toBe(outsideWord)
  })

  it('leaves paths of the system and of addresses alone', () => {
    const text = `GET https://tools.example/${userData}/workspace/x from /etc/nginx/nginx.conf`
    expect(seen(text)).toBe(text)
  })

  it('reads file addresses, and keeps the address of a resource an address', () => {
    expect(seen(`file://${userData}/workspace/my%20shot.png`)).toBe('/mnt/user-data/workspace/my shot.png')
    const block = { type: 'resource_link', uri: `file://${userData}/workspace/my%20shot.png`, name: 'shot' }
    expect(virtualJson(block, view())).toEqual({ ...block, uri: 'file:///mnt/user-data/workspace/my%20shot.png' })
  })

  it('rewrites embedded resources and keys, and leaves bytes', () => {
    const host = `${userData}/workspace/a.txt`
    const bytes = Buffer.from(host).toString('base64')
    const value = {
      content: [
        { type: 'image', data: host, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: `file://${host}`, text: host, blob: bytes } },
      ],
      structuredContent: { [host]: 1 },
    }
    expect(virtualJson(value, view())).toEqual({
      content: [
        { type: 'image', data: host, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'file:///mnt/user-data/workspace/a.txt',
            text: '/mnt/user-data/workspace/a.txt',
            blob: bytes,
          },
        },
      ],
      structuredContent: { '/mnt/user-data/workspace/a.txt': 1 },
    })
  })

  it('reads the way in which JSON of some languages writes a slash', () => {
    const text = JSON.stringify(`${userData}/workspace/a.txt`).replaceAll('/', '\\/')
    expect(JSON.parse(seen(text))).toBe('/mnt/user-data/workspace/a.txt')
  })

  it('is rewritten at the end of a sentence, behind a flag, between marks of emphasis, and in an address', () => {
    expect(seen(`It runs in ${userData}/workspace.`)).toBe('It runs in /mnt/user-data/workspace.')
    expect(seen(`It runs in ${userData}/workspace...`)).toBe('It runs in /mnt/user-data/workspace...')
    expect(seen('Its folder is /home/ada.')).toBe(`Its folder is ${outsideWord}.`)
    expect(seen('cc -I/home/ada/include')).toBe(`cc -I${outsideWord}`)
    expect(seen('_/home/ada_')).not.toContain('ada')
    expect(seen('http://localhost:8080/?open=%2Fhome%2Fada%2Fx.txt')).not.toContain('ada')
    expect(seen('http://localhost:8080/?open=%2fhome%2fada%2fx.txt')).not.toContain('ada')
    const address = `http://localhost/?open=${encodeURIComponent(`${userData}/workspace/a.txt`)}`
    expect(seen(address)).toBe('http://localhost/?open=%2Fmnt%2Fuser-data%2Fworkspace%2Fa.txt')
  })

  it('tells nothing of a private file by its address, also behind blanks, in capitals and with a host', () => {
    for (const url of [
      'file:///home/ada/my%20secret.txt',
      'FILE:///home/ada/secret.txt',
      'file:/home/ad%61/secret.txt',
      'file://box/home/ada/secret.txt',
    ]) {
      expect(seen(`see ${url}`)).not.toMatch(/ada|secret/)
      expect(JSON.stringify(virtualJson({ uri: url }, view()))).not.toMatch(/ada|secret/)
    }
  })

  it('is rewritten under the real name of a folder that a link leads to', () => {
    const realName = { of: threads, is: '/data/threads' }
    expect(seen('/data/threads/u1/t1/user-data/workspace/a.txt', { realName })).toBe('/mnt/user-data/workspace/a.txt')
    expect(seen('/data/threads/u2/t1/x', { realName })).toBe(outsideWord)
  })

  it('keeps both of two names that become one', () => {
    const value = virtualJson({ '/home/ada/a': 1, '/home/ada/b': 2 }, view())
    expect(Object.values(value)).toEqual([1, 2])
    expect(JSON.stringify(value)).not.toContain('ada')
  })

  it('ends with any folder that a system names, none and a relative one included', () => {
    const odd = view({ privateRoots: ['', 'relative', '/'] })
    expect(virtualText('relative /x', odd)).toBe('relative /x')
  })

  it('links a file that the server wrote by its virtual path, and leaves other links', () => {
    const base = {
      virtual: '/mnt/user-data/servers/web',
      host: join(userData, 'servers/web'),
      has: (path: string) => path === 'shot.png' || path === 'a/b.yml',
    }
    expect(seen('- [Screenshot](./shot.png), [page](a/b.yml)', { base })).toBe(
      '- [Screenshot](/mnt/user-data/servers/web/shot.png), [page](/mnt/user-data/servers/web/a/b.yml)',
    )
    const others = '[x](other.png) [y](../shot.png) [z](https://a.example/shot.png) [w](/shot.png) shot.png'
    expect(seen(others, { base })).toBe(others)
  })

  it('never holds a folder of the thread, and rewriting twice changes nothing', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...workspace.roots.map(({ host }) => host),
        userData,
        threads,
        '/home/ada',
        '/mnt/user-data/workspace',
        'file://',
        '/',
        '..',
        '"',
        ' ',
        '-',
        '%20',
      ),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = seen(pieces.join(''))
        expect(seen(once)).toBe(once)
        const border = /[A-Za-z0-9_.~%-]/
        for (const { host } of workspace.roots.filter(({ writable }) => writable)) {
          for (let at = once.indexOf(host); at !== -1; at = once.indexOf(host, at + 1)) {
            expect(border.test(once[at - 1] ?? ' ')).toBe(true)
          }
        }
      }),
      { numRuns: 3000 },
    )
  })
})

describe('the arguments of a call [M3]', () => {
  const mapped = (text: string): unknown => hostArguments({ path: text }, view()).path

  it('name the files that the server works with', () => {
    expect(mapped('/mnt/user-data/workspace/a b.txt')).toBe(`${userData}/workspace/a b.txt`)
    expect(mapped('/mnt/user-data/uploads')).toBe(`${userData}/uploads`)
    expect(mapped('cat "/mnt/user-data/outputs/x" > /mnt/user-data/workspace/y')).toBe(
      `cat "${userData}/outputs/x" > ${userData}/workspace/y`,
    )
    expect(mapped('file:///mnt/user-data/workspace/a%20b.txt')).toBe(
      `file://${encodeURI(userData)}/workspace/a%20b.txt`,
    )
  })

  it('are left as they are where a path leads upwards, also behind a blank', () => {
    for (const path of [
      '/mnt/user-data/workspace/../../other',
      '/mnt/user-data/workspace/my dir/../../../x',
      '/mnt/user-data/workspace/..',
      'file:///mnt/user-data/workspace/%2e%2e/x',
      // A name may hold a quote or a line break, and a step upwards may stand before any mark.
      "/mnt/user-data/workspace/it's/../../../../u2",
      '/mnt/user-data/workspace/a\n/../../../../u2',
      '/mnt/user-data/workspace/..%2f..%2fu2',
      '(ls /mnt/user-data/workspace/..)',
      'ls /mnt/user-data/workspace/..;ls',
      'ls "/mnt/user-data/workspace/a\\"/../../.."',
    ])
      expect(mapped(path)).toBe(path)
  })

  it('are left as they are where a folder only begins the same, and for folders that are read-only', () => {
    for (const path of ['/mnt/user-data-evil/x', '/mnt/user-data/workspace-old/x', '/mnt/skills/writing/SKILL.md'])
      expect(mapped(path)).not.toContain('/srv/skills')
    expect(mapped('/mnt/user-data-evil/x')).toBe('/mnt/user-data-evil/x')
    expect(mapped('/x/mnt/user-data/workspace/y')).toBe('/x/mnt/user-data/workspace/y')
  })

  it('name what the server itself wrote where it starts, and nothing of other servers', () => {
    const base = { virtual: '/mnt/user-data/servers/web', host: join(userData, 'servers/web'), has: () => false }
    const from = (path: string) => hostArguments({ path }, view({ base })).path
    expect(from('/mnt/user-data/servers/web/a.pdf')).toBe(join(userData, 'servers/web/a.pdf'))
    expect(from('/mnt/user-data/servers/web')).toBe(join(userData, 'servers/web'))
    for (const path of ['/mnt/user-data/servers/files/x', '/mnt/user-data/servers', '/mnt/user-data/servers/web-2/x'])
      expect(from(path)).toBe(path)
  })

  it('never name the folder of another server by a second way to write it', () => {
    for (const path of [
      '/mnt/user-data//servers/npx/node_modules/.bin/x',
      '/mnt/user-data/./servers/npx/.env',
      '/mnt/user-data/servers/./npx/.env',
      'file:///mnt/user-data/%73ervers/npx/.env',
      '/mnt/user-data\\servers\\npx',
    ])
      expect(mapped(path)).not.toContain(userData)
    expect(mapped('/mnt/user-data/')).toBe(`${userData}/`)
    expect(mapped('ls /mnt/user-data')).toBe(`ls ${userData}`)
  })

  it('are mapped in names of objects as well', () => {
    const args = { files: { '/mnt/user-data/workspace/a.txt': 'x' } }
    expect(hostArguments(args, view())).toEqual({ files: { [`${userData}/workspace/a.txt`]: 'x' } })
  })

  it('are judged whole in the form that an agent would write', () => {
    const args = { type: 'image', data: `${userData}/workspace/a`, blob: `${userData}/uploads`, [`${userData}/x`]: 1 }
    expect(virtualArguments(args, view())).toEqual({
      type: 'image',
      data: '/mnt/user-data/workspace/a',
      blob: '/mnt/user-data/uploads',
      '/mnt/user-data/x': 1,
    })
  })

  it('come back as they went: the virtual path of a mapped path is the path itself', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9 _.-]{1,12}$/).filter((text) => !/^\.+$/.test(text.trim()))
    fc.assert(
      fc.property(
        fc.constantFrom('/mnt/user-data/workspace', '/mnt/user-data/outputs', '/mnt/acp-workspace'),
        fc.array(name, { maxLength: 4 }),
        (root, names) => {
          const path = [root, ...names].join('/')
          expect(seen(String(mapped(path)))).toBe(path)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('the folders that an operator named for a server', () => {
  it('are its folder, its arguments and its variables, also behind flags and in lists', () => {
    const roots = openRootsOf(
      { args: ['papers', '--root=/srv/a', '--verbose', '/b:/c'], env: { DATA: '/d' }, cwd: '/e' },
      '/conf',
    )
    for (const root of ['/e', '/conf/papers', '/srv/a', '/b', '/c', '/d']) expect(roots).toContain(root)
    expect(roots).not.toContain('/conf')
    expect(roots).not.toContain('/')
  })
})
