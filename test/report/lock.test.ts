import { describe, expect, it } from 'vitest'
import { ToolgateError } from '../../src/errors.ts'
import { driftOf, driftText } from '../../src/report/drift.ts'
import { lockOf, lockText } from '../../src/report/lock.ts'
import { parseLock } from '../../src/report/parse-lock.ts'
import { sha256 } from '../../src/testing/world.ts'
import { aDesk, type DeskOptions, deskCandidates } from './desk.ts'

const lock = lockOf(aDesk(), sha256)
const drift = (options: DeskOptions, lang: 'en' | 'zh' = 'en') => driftOf(lock, aDesk(options), { sha256, lang })
const found = (options: DeskOptions) => drift(options).differences.map(({ code, name }) => [code, name])

describe('the lock [D9]', () => {
  it('holds what is exposed, by name, and nothing else', () => {
    expect(lock.schema).toBe('toolgate.lock/1')
    expect(lock.tools.map(({ name }) => name)).toEqual([
      'mail__search_mail',
      'mail__send_invoice',
      'read_file',
      'tool_search',
    ])
    expect(lock.tools[1]).toEqual({
      name: 'mail__send_invoice',
      id: 'mcp:mail/send_invoice',
      outcome: 'deferred',
      approval: 'ask',
      conditions: ['deny mail/send_invoice(to:*@example.org)'],
      definitionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('is the same bytes for candidates in another order of servers', () => {
    const [first, ...rest] = deskCandidates()
    const turned = aDesk({
      candidates: [
        ...rest.filter(({ server }) => server === 'mail').reverse(),
        ...(first ? [first] : []),
        ...rest.filter(({ server }) => server !== 'mail'),
      ],
    })
    expect(lockText(lockOf(turned, sha256))).toBe(lockText(lock))
  })

  it('does not depend on lines in files, user or thread', () => {
    const moved = aDesk({
      facts: {
        agent: { name: 'main', groups: ['file:read', 'mail'], origins: { groups: { in: 'other.yaml', line: 1 } } },
        user: 'u-1',
        thread: 't-1',
      },
    })
    expect(lockOf(moved, sha256).facts).toBe(lock.facts)
  })

  it('is read back as it was written', () => {
    expect(parseLock(lockText(lock), 'toolgate.lock.json')).toEqual(lock)
  })

  it.each([
    ['no JSON', '{', 'it is not JSON'],
    ['a list', '[]', 'it is not a JSON object'],
    ['another schema', '{"schema":"toolgate.lock/2"}', 'its schema is not'],
    ['no facts', JSON.stringify({ ...lock, facts: 1 }), '"facts" is not a text'],
    ['no tools', JSON.stringify({ ...lock, tools: {} }), '"tools" is not a list'],
    ['half a tool', JSON.stringify({ ...lock, tools: [{ name: 'x' }] }), 'tools[0] is not a locked tool'],
    ['an excluded tool', JSON.stringify({ ...lock, tools: [{ ...lock.tools[0], outcome: 'excluded' }] }), 'tools[0]'],
    ['a tool twice', JSON.stringify({ ...lock, tools: [lock.tools[0], lock.tools[0]] }), 'stands in it twice'],
  ])('refuses a file with %s', (_what, text, message) => {
    const read = (): unknown => parseLock(text, 'toolgate.lock.json')
    expect(read).toThrow(ToolgateError)
    expect(read).toThrow(message)
  })
})

describe('drift [D9]', () => {
  it('is none for the locked surface', () => {
    expect(drift({})).toEqual({ schema: 'toolgate.drift/1', same: true, differences: [] })
    expect(driftText(drift({}), 'en')).toBe('the surface is the locked one')
  })

  it('tells a lost tool with its reason', () => {
    const lost = drift({ facts: { agent: { name: 'main', groups: ['file:read'], origins: {} } } })
    expect(lost.same).toBe(false)
    expect(lost.differences[0]).toEqual({
      code: 'tool-lost',
      name: 'mail__search_mail',
      id: 'mcp:mail/search_mail',
      message: 'the lock has it and the model does not: tool-groups: the agent does not ask for group "mail"',
    })
  })

  it('tells a tool that nothing offers any more', () => {
    const [gone] = drift({ candidates: deskCandidates().slice(1) }).differences
    expect(gone?.message).toBe('the lock has it and the model does not: nothing offers it any more')
  })

  it('tells a gained tool', () => {
    expect(found({ facts: { agent: { name: 'main', groups: ['file:read', 'mail', 'web'], origins: {} } } })).toEqual([
      ['tool-gained', 'files__move_file'],
      ['facts-changed', undefined],
    ])
  })

  it.each<[string, DeskOptions, readonly (readonly [string, string | undefined])[]]>([
    [
      'rules',
      { facts: { permissions: { rules: [{ effect: 'deny', text: 'bash', scope: 'config', origin: { in: 'x' } }] } } },
      [
        ['approval-changed', 'mail__send_invoice'],
        ['conditions-changed', 'mail__send_invoice'],
        ['facts-changed', undefined],
      ],
    ],
    [
      'a definition',
      {
        candidates: deskCandidates().map((one) =>
          one.originalName === 'search_mail' ? { ...one, definitionHash: 'f'.repeat(64) } : one,
        ),
      },
      [['definition-changed', 'mail__search_mail']],
    ],
    [
      'the way it is offered',
      {
        candidates: deskCandidates().map((one) =>
          one.originalName === 'search_mail' ? { ...one, source: 'acp' as const } : one,
        ),
      },
      [['outcome-changed', 'mail__search_mail']],
    ],
    [
      'a name',
      {
        candidates: deskCandidates().map((one) =>
          one.originalName === 'search_mail' ? { ...one, name: 'find_mail' } : one,
        ),
      },
      [['name-changed', 'find_mail']],
    ],
  ])('tells a change of %s by its code', (_what, options, expected) => {
    expect(found(options)).toEqual(expected)
  })

  it('takes other facts alone for no drift, but tells them', () => {
    const other = drift({ facts: { model: { name: 'big', can: ['tools'] } } })
    expect(other).toMatchObject({ same: true, differences: [{ code: 'facts-changed' }] })
    const chinese = drift({ facts: { model: { name: 'big', can: ['tools'] } } }, 'zh')
    expect(driftText(chinese, 'zh')).toBe('工具面与锁文件一致\nfacts-changed  智能体、模型、规则或设置与锁文件不同')
  })
})
