// What a call meets on its way.

import { describe, expect, it } from 'vitest'
import type { ApprovalRequest } from '../../src/runtime/middleware.ts'
import { rule, setting, text, toolOf } from './a-setting.ts'

describe('a call', () => {
  it('of a tool on the surface reaches it with its arguments', async () => {
    const { call, reached } = setting({})
    expect(await call({ name: 'list', args: { path: '/x' } })).toEqual(text('done'))
    expect(reached).toEqual([{ path: '/x' }])
  })

  it('of a tool that a rule took away is refused with the reason that `why` gives [C-064]', async () => {
    const { call, reached } = setting({ rules: [rule('deny', 'remove')] })
    const outcome = await call({ name: 'remove', args: { path: '/x' } })
    expect(outcome).toMatchObject({ kind: 'refused', code: 'denied-by-name' })
    expect(outcome.kind === 'refused' ? outcome.message : '').toMatch(/"remove" is not on this run: .*"remove"/)
    expect(reached).toEqual([])
  })

  it('of a name that is not byte for byte that of a tool reaches nothing', async () => {
    const { call, reached } = setting({})
    for (const name of ['List', ' list', 'list\n', 'ｌist', 'files/list', 'mcp__files__list', '__proto__', '']) {
      expect(await call({ name, args: { path: '/x' } })).toMatchObject({ kind: 'refused', code: 'unknown-tool' })
    }
    expect(reached).toEqual([])
    expect(await call({ name: 'lst', args: {} })).toMatchObject({ action: 'did you mean "list"' })
  })

  it('with arguments that do not fit is refused, and the argument is named', async () => {
    const { call, reached } = setting({})
    const cases: readonly (readonly [args: unknown, words: RegExp])[] = [
      [{ path: 7 }, /argument "path"/],
      [{ path: '/x', depth: 9 }, /argument "depth"/],
      [{}, /path/],
      [{ path: '/x', force: true }, /force/],
      [['/x'], /no JSON object/],
      ['{"path":"/x"}', /no JSON object/],
    ]
    for (const [args, words] of cases) {
      const outcome = await call({ name: 'list', args })
      expect(outcome).toMatchObject({ kind: 'refused', code: 'arguments-invalid' })
      expect(outcome.kind === 'refused' ? outcome.message : '').toMatch(words)
    }
    expect(reached).toEqual([])
  })

  it('needs no argument that has a default, whatever the schema demands', async () => {
    const scale = { type: 'string', enum: ['css', 'device'], default: 'css' }
    const shot = toolOf('shot', { type: 'object', properties: { scale }, required: ['scale'] })
    const { call, reached } = setting({ tools: [shot] })
    expect((await call({ name: 'shot', args: {} })).kind).toBe('result')
    expect(await call({ name: 'shot', args: { scale: 'huge' } })).toMatchObject({ code: 'arguments-invalid' })
    expect(reached).toEqual([{}])
  })

  it('without arguments is one with none', async () => {
    const { call, reached } = setting({ tools: [toolOf('ping', { type: 'object' })] })
    for (const args of [undefined, null, {}]) expect((await call({ name: 'ping', args })).kind).toBe('result')
    expect(reached).toEqual([{}, {}, {}])
  })

  it('is refused where a rule denies it for its arguments', async () => {
    const { call, reached } = setting({ rules: [rule('deny', 'remove(path:/etc/**)')] })
    expect(await call({ name: 'remove', args: { path: '/etc/passwd' } })).toMatchObject({
      kind: 'refused',
      code: 'call-denied',
      rule: { text: 'remove(path:/etc/**)' },
    })
    expect((await call({ name: 'remove', args: { path: '/tmp/x' } })).kind).toBe('result')
    expect(reached).toEqual([{ path: '/tmp/x' }])
  })

  it('is refused under the host path of a file as well, where a rule denies its virtual path', async () => {
    const root = { virtual: '/mnt/user-data/workspace', host: '/srv/threads/u/t/user-data/workspace', writable: true }
    const workspace = {
      owner: { user: 'u', thread: 't' },
      userData: '/srv/threads/u/t/user-data',
      cwd: root.host,
      servers: '/srv/threads/u/t/user-data/servers',
      temp: `${root.host}/.tmp`,
      roots: [root],
    }
    const view = { workspace, openRoots: [], privateRoots: ['/srv/threads'] }
    const { call, reached } = setting({ rules: [rule('deny', 'remove(path:/mnt/user-data/workspace/keep)')], view })
    for (const folder of [root.virtual, root.host])
      expect(await call({ name: 'remove', args: { path: `${folder}/keep/a` } })).toMatchObject({ code: 'call-denied' })
    expect((await call({ name: 'remove', args: { path: `${root.virtual}/other` } })).kind).toBe('result')
    expect(reached).toEqual([{ path: `${root.host}/other` }])
  })

  it('that a rule asks for waits for a person, and runs only when the person agrees', async () => {
    const asked: string[] = []
    const person = (answer: boolean) => async (request: ApprovalRequest) => {
      asked.push(request.call.decision.name)
      return answer
    }
    const rules = [rule('ask', 'remove')]
    const refused = setting({ rules, approve: person(false) })
    expect(await refused.call({ name: 'remove', args: { path: '/x' } })).toMatchObject({ code: 'call-denied' })
    expect(refused.reached).toEqual([])
    const agreed = setting({ rules, approve: person(true) })
    expect((await agreed.call({ name: 'remove', args: { path: '/x' } })).kind).toBe('result')
    expect(asked).toEqual(['remove', 'remove'])
  })

  it('that a rule asks for is refused where nobody is there', async () => {
    const { call, reached } = setting({ rules: [rule('ask', 'remove')] })
    expect(await call({ name: 'remove', args: { path: '/x' } })).toMatchObject({ code: 'approval-needed' })
    expect(reached).toEqual([])
  })

  it('never shows a secret of the configuration, in results and in errors', async () => {
    const shown = setting({ answer: text('the password is hunter2') })
    expect(await shown.call({ name: 'list', args: { path: '/x' } })).toEqual(text('the password is ***'))
    const failing = setting({
      answer: { kind: 'failed', code: 'upstream-error', message: 'no access with hunter2', action: '', sent: true },
    })
    expect(await failing.call({ name: 'list', args: { path: '/x' } })).toMatchObject({ message: 'no access with ***' })
  })
})
