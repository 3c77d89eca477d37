// A call has more than one form in which it means the same: none of them is a way past a rule, and none leads out of
// the folders of the thread.

import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import type { CallProgress } from '../../src/sessions/session.ts'
import { aCandidate, aStandIn } from '../../src/testing/world.ts'
import type { PathView } from '../../src/workspace/mapping/path-view.ts'
import { rule, setting, text, toolOf } from './a-setting.ts'

const userData = '/srv/threads/u/t/user-data'
const roots = [{ virtual: '/mnt/user-data/workspace', host: `${userData}/workspace`, writable: true }]
const workspace = {
  owner: { user: 'u', thread: 't' },
  userData,
  cwd: `${userData}/workspace`,
  servers: `${userData}/servers`,
  temp: `${userData}/workspace/.tmp`,
  roots,
}
const base = { virtual: '/mnt/user-data/servers/files', host: `${userData}/servers/files`, has: () => false }
const view: PathView = { workspace, openRoots: [], privateRoots: ['/srv/threads', '/home/ada'], base }
const keep = [rule('deny', 'remove(path:/mnt/user-data/workspace/keep)')]
const any = { type: 'object' }
const remove = toolOf('remove', any)

describe('a ban on a file of the thread holds', () => {
  it.each([
    ['its virtual path', '/mnt/user-data/workspace/keep/a'],
    ['its path on the host', `${userData}/workspace/keep/a`],
    ['its address', `file://${userData}/workspace/keep/a`],
    ['its address with percent signs', `file://${userData}/workspace/k%65ep/a`],
    ['a path from where the server starts', '../../workspace/keep/a'],
  ])('under %s', async (_, path) => {
    const { call, reached } = setting({ rules: keep, tools: [remove], view })
    expect(await call({ name: 'remove', args: { path } })).toMatchObject({ kind: 'refused', code: 'call-denied' })
    expect(reached).toEqual([])
  })

  it('under its virtual path and a relative one, where the operator wrote that of the host', async () => {
    const rules = [rule('deny', `remove(path:${userData}/workspace/keep)`)]
    const { call, reached } = setting({ rules, tools: [remove], view })
    for (const path of ['/mnt/user-data/workspace/keep/a', '../../workspace/keep/a'])
      expect(await call({ name: 'remove', args: { path } })).toMatchObject({ code: 'call-denied' })
    expect(reached).toEqual([])
  })

  it('where the server starts in a folder of the operator', async () => {
    const rules = [rule('deny', 'remove(path:/srv/papers/secret)')]
    const { base: _, ...rest } = view
    const { call } = setting({ rules, tools: [remove], view: { ...rest, folder: '/srv/papers' } })
    expect(await call({ name: 'remove', args: { path: 'secret/a' } })).toMatchObject({ code: 'call-denied' })
    expect((await call({ name: 'remove', args: { path: 'open/a' } })).kind).toBe('result')
  })

  it('and a grant of it is no grant of what a relative path means to the server', async () => {
    const rules = [rule('allow', 'remove(path:/mnt/user-data/workspace/**)')]
    const { call, reached } = setting({ rules, tools: [remove], view, otherwise: 'deny' })
    expect((await call({ name: 'remove', args: { path: '/mnt/user-data/workspace/a' } })).kind).toBe('result')
    expect(await call({ name: 'remove', args: { path: 'a' } })).toMatchObject({ code: 'call-denied' })
    expect(reached).toEqual([{ path: `${userData}/workspace/a` }])
  })
})

describe('a path that leads out of the folder of the server', () => {
  const outside = ['..', '../x', 'a/../../x', '../../../../u2/t2/user-data/x', '..\\x', 'file:../x', 'my dir/../../x']
  it.each(outside)('is refused: %s', async (path) => {
    const { call, reached } = setting({ tools: [remove], view })
    for (const args of [{ path }, { edits: [{ filePath: path }] }, { paths: ['a', path] }])
      expect(await call({ name: 'remove', args })).toMatchObject({ kind: 'refused', code: 'path-traversal' })
    expect(reached).toEqual([])
  })

  it('is no such path where the argument is about something else, or stays inside', async () => {
    const { call, reached } = setting({ tools: [remove], view })
    const args = { content: '../x', path: 'a/../b', oldText: '../../x', url: 'https://a.example/../x' }
    expect((await call({ name: 'remove', args })).kind).toBe('result')
    expect(reached).toEqual([args])
  })
})

describe('what is judged is what is carried out', () => {
  it('also when the arguments are changed while a person thinks', async () => {
    const args = { path: '/x' }
    const { call, reached } = setting({
      rules: [rule('ask', 'remove')],
      tools: [remove],
      approve: async (request) => {
        args.path = '/etc/passwd'
        expect(() => Object.assign(request.call.args, { path: '/etc/passwd' })).toThrow(TypeError)
        return true
      },
    })
    await call({ name: 'remove', args })
    expect(reached).toEqual([{ path: '/x' }])
  })

  it('and what is no JSON, circular or bottomless is no call', async () => {
    const { call, reached } = setting({ tools: [remove] })
    const circle: { self?: unknown } = {}
    circle.self = circle
    let deep: Json = 'x'
    for (let level = 0; level < 10_000; level += 1) deep = [deep]
    for (const args of [circle, { deep }, { big: 1n }])
      expect(await call({ name: 'remove', args })).toMatchObject({ code: 'arguments-invalid' })
    expect(reached).toEqual([])
  })
})

describe('a person who is asked', () => {
  const asking = (approve: () => Promise<boolean>) =>
    setting({ rules: [rule('ask', 'remove')], tools: [remove], approve })

  it('and cannot be reached approves nothing', async () => {
    const { call, reached } = asking(async () => {
      throw new Error('the terminal is gone')
    })
    const outcome = await call({ name: 'remove', args: {} })
    expect(outcome).toMatchObject({ kind: 'refused', code: 'approval-needed' })
    expect(outcome.kind === 'refused' ? outcome.message : '').toContain('the terminal is gone')
    expect(reached).toEqual([])
  })

  it('approves by nothing but true', async () => {
    const { call, reached } = asking(async () => 'no' as unknown as boolean)
    expect(await call({ name: 'remove', args: {} })).toMatchObject({ code: 'call-denied' })
    expect(reached).toEqual([])
  })

  it('is not waited for when the call is called off', async () => {
    const { call, reached } = asking(() => new Promise(() => {}))
    const stop = new AbortController()
    const outcome = call({ name: 'remove', args: {}, signal: stop.signal })
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'failed', code: 'call-cancelled', sent: false })
    expect(reached).toEqual([])
  })
})

describe('nothing is told that should not be', () => {
  it('by signs of progress', async () => {
    const seen: CallProgress[] = []
    const { call } = setting({
      tools: [remove],
      view,
      tool: async ({ onProgress }) => {
        onProgress?.({ progress: 1, message: `read ${userData}/workspace/a with hunter2 in /home/ada/x` })
        onProgress?.({ progress: 2 })
        return text('done')
      },
    })
    await call({ name: 'remove', args: {}, onProgress: (sign) => seen.push(sign) })
    expect(seen).toEqual([
      { progress: 1, message: 'read /mnt/user-data/workspace/a with *** in [path outside the workspace]' },
      { progress: 2 },
    ])
  })

  it('by names in results, by `_meta`, and by what to do about a failure', async () => {
    const structuredContent: JsonObject = { hunter2: 1, '/home/ada/a': 2, '/home/ada/b': 3 }
    const meta = { 'example/file': `${userData}/workspace/a` }
    const result = setting({ tools: [remove], view, answer: { ...text('ok'), structuredContent, meta } })
    const outcome = await result.call({ name: 'remove', args: {} })
    expect(JSON.stringify(outcome)).not.toMatch(/hunter2|ada|srv/)
    expect(outcome).toMatchObject({ meta: { 'example/file': '/mnt/user-data/workspace/a' } })
    expect(Object.values(outcome.kind === 'result' ? (outcome.structuredContent ?? {}) : {})).toEqual([1, 2, 3])
    const failure = { kind: 'failed', code: 'x', message: '', action: 'see /home/ada/log', sent: true } as const
    const failed = setting({ tools: [remove], view, answer: failure })
    expect(JSON.stringify(await failed.call({ name: 'remove', args: {} }))).not.toContain('ada')
  })

  it('by the reason why a server is not there', async () => {
    const down: Candidate = aCandidate({
      server: 'files',
      name: 'read',
      availability: { state: 'failed-to-start', detail: 'Cannot find module /home/ada/server.js' },
    })
    const { call } = setting({ tools: [down], view })
    const outcome = await call({ name: 'read', args: {} })
    expect(outcome).toMatchObject({ kind: 'refused', code: 'failed-to-start' })
    expect(JSON.stringify(outcome)).not.toContain('ada')
  })
})

describe('names', () => {
  it('that stand for a whole server can never be called', async () => {
    const standIn = aStandIn('files', { availability: { state: 'available' } })
    const { call, reached, surface } = setting({ tools: [standIn] })
    const name = surface.decisions[0]?.name ?? ''
    expect(surface.find(name)).toBeDefined()
    expect(await call({ name, args: {} })).toMatchObject({ kind: 'refused', code: 'tool-not-executable' })
    expect(reached).toEqual([])
  })

  it('of every object are no tools, and keep their arguments', async () => {
    const { call, reached } = setting({ tools: [remove], view })
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect(await call({ name, args: {} })).toMatchObject({ code: 'unknown-tool' })
    await call({ name: 'remove', args: JSON.parse('{"__proto__": {"path": "/x"}, "constructor": 1}') })
    expect(JSON.stringify(reached)).toBe('[{"__proto__":{"path":"/x"},"constructor":1}]')
    expect(Object.getPrototypeOf({}).path).toBeUndefined()
  })
})
