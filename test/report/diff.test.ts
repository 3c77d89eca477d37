import { describe, expect, it } from 'vitest'
import { diffSurfaces } from '../../src/report/diff.ts'
import { diffText } from '../../src/report/diff-text.ts'
import { type ToolsReport, toolsReport } from '../../src/report/tools-report.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { aDesk, type DeskOptions, deskCandidates } from './desk.ts'

const report = (options: DeskOptions = {}, lang: 'en' | 'zh' = 'en'): ToolsReport =>
  toolsReport(aDesk(options), { lang })
const reader: DeskOptions = { facts: { agent: { name: 'reader', groups: ['web', 'mail'], origins: {} } } }
const before = report()

describe('diff, as data [D4]', () => {
  it('has a versioned schema and these keys', () => {
    const diff = diffSurfaces(before, report(reader))
    expect(diff.schema).toBe('toolgate.diff/1')
    expect(Object.keys(diff)).toEqual([
      'schema',
      'same',
      'before',
      'after',
      'facts',
      'added',
      'removed',
      'changed',
      'unchanged',
    ])
  })

  it('is nothing between a run and itself', () => {
    expect(diffSurfaces(before, report())).toMatchObject({
      same: true,
      facts: [],
      added: [],
      removed: [],
      changed: [],
      unchanged: 9,
    })
  })

  it('gives the reason on both sides, with its place', () => {
    const diff = diffSurfaces(before, report(reader))
    expect(diff.facts).toEqual(['agent'])
    expect(diff.changed.find(({ id }) => id === 'mcp:files/move_file')).toMatchObject({
      name: 'files__move_file',
      reasons: ['outcome', 'reason'],
      before: { outcome: 'excluded', why: 'the agent does not ask for group "web"', origin: { line: 40 } },
      after: { outcome: 'deferred', why: 'the schemas of servers cost more than 50 tokens', origin: { line: 60 } },
    })
  })

  it('tells candidates that only one side has, by identity and not by name', () => {
    const other = aCandidate({ server: 'other', originalName: 'read_file', name: 'read_file', group: 'mail' })
    const diff = diffSurfaces(before, report({ candidates: [...deskCandidates().slice(1), other] }))
    expect(diff.added.map(({ id, outcome }) => [id, outcome])).toEqual([['mcp:other/read_file', 'deferred']])
    expect(diff.removed.map(({ id, outcome }) => [id, outcome])).toEqual([['config:read_file', 'eager']])
  })

  it.each<[string, DeskOptions, string, readonly string[]]>([
    ['approval', { facts: { permissions: { rules: [] } } }, 'mcp:mail/send_invoice', ['approval', 'conditions']],
    [
      'a definition',
      { candidates: deskCandidates().map((one) => ({ ...one, definitionHash: '0'.repeat(64) })) },
      'config:read_file',
      ['definition'],
    ],
    [
      'another form of a definition',
      { candidates: deskCandidates().map((one) => ({ ...one, definitionChars: 1 })) },
      'config:read_file',
      ['adaptation'],
    ],
    [
      'a name',
      { candidates: deskCandidates().map((one) => ({ ...one, name: one.name.replace('read', 'load') })) },
      'config:read_file',
      ['name'],
    ],
  ])('finds a change of %s', (_what, options, id, reasons) => {
    expect(diffSurfaces(before, report(options)).changed.find((one) => one.id === id)?.reasons).toEqual(reasons)
  })

  it('works on a document that was stored', () => {
    const stored = JSON.parse(JSON.stringify(before)) as ToolsReport
    expect(diffSurfaces(stored, report(reader))).toEqual(diffSurfaces(before, report(reader)))
  })

  it('takes a line that moved in a file for no difference of the facts', () => {
    const moved = report({
      facts: {
        agent: { name: 'main', groups: ['file:read', 'mail'], origins: { groups: { in: 'toolgate.yaml', line: 99 } } },
      },
    })
    expect(diffSurfaces(before, moved).facts).toEqual([])
  })
})

describe('diff, for people [D4]', () => {
  it('reads so at 100 columns', () => {
    expect(diffText(diffSurfaces(before, report(reader)), { lang: 'en', width: 100 })).toMatchInlineSnapshot(`
      "before  agent main · model small · target common · preset default · 4 of 9 tools
      after   agent reader · model small · target common · preset default · 5 of 9 tools
      facts that differ: agent

      + read_file  excluded → deferred
          before  tool-groups: the agent does not ask for group "web" (toolgate.yaml:40
                  agents.main.groups)
          after   deferral: the schemas of servers cost more than 50 tokens (toolgate.yaml:60
                  tool_search.budget)
      + files__move_file  excluded → deferred
          before  tool-groups: the agent does not ask for group "web" (toolgate.yaml:40
                  agents.main.groups)
          after   deferral: the schemas of servers cost more than 50 tokens (toolgate.yaml:60
                  tool_search.budget)
      - read_file  eager → excluded
          before  unique-name: no earlier candidate bears this name
          after   tool-groups: the agent does not ask for group "file:read"

      2 gained, 1 lost, 0 changed; 6 the same"
    `)
  })

  it('reads so in Chinese [U5]', () => {
    expect(
      diffText(diffSurfaces(report({}, 'zh'), report(reader, 'zh')), { lang: 'zh', width: 100 }),
    ).toMatchInlineSnapshot(`
      "之前  智能体 main · 模型 small · 目标 common · 预设 default · 9 个工具中的 4 个
      之后  智能体 reader · 模型 small · 目标 common · 预设 default · 9 个工具中的 5 个
      不同的事实：agent

      + read_file  已排除 → 按需加载
          之前  tool-groups: 智能体未申请分组 "web" (toolgate.yaml:40 agents.main.groups)
          之后  deferral: 服务器工具的参数定义超过 50 词元 (toolgate.yaml:60 tool_search.budget)
      + files__move_file  已排除 → 按需加载
          之前  tool-groups: 智能体未申请分组 "web" (toolgate.yaml:40 agents.main.groups)
          之后  deferral: 服务器工具的参数定义超过 50 词元 (toolgate.yaml:60 tool_search.budget)
      - read_file  直接提供 → 已排除
          之前  unique-name: 之前没有候选使用该名称
          之后  tool-groups: 智能体未申请分组 "file:read"

      新增 2，失去 1，变化 0；6 个相同"
    `)
  })

  it('is one line when there is no difference', () => {
    expect(diffText(diffSurfaces(before, report()), { lang: 'en' })).toBe(
      `no difference: both are surface ${before.surface.slice(0, 12)}`,
    )
  })

  it('keeps what neither side exposes for --all, and counts it', () => {
    const deny = {
      effect: 'deny',
      text: 'files/move_file',
      scope: 'config',
      origin: { in: 'toolgate.yaml', line: 9 },
    } as const
    const { facts } = reader
    const diff = diffSurfaces(
      report({ facts: { ...facts, permissions: { rules: [] } } }),
      report({ facts: { ...facts, permissions: { rules: [deny] } } }),
    )
    const stillOut = diffSurfaces(
      report({ facts: { permissions: { rules: [] } } }),
      report({ facts: { ...facts, permissions: { rules: [deny] } } }),
    )
    expect(diffText(diff, { lang: 'en' })).toContain('- files__move_file  deferred → excluded')
    expect(diffText(stillOut, { lang: 'en' })).not.toContain('files__move_file')
    expect(diffText(stillOut, { lang: 'en' })).toContain('1 otherwise settled')
    expect(diffText(stillOut, { lang: 'en', all: true })).toContain(
      '~ files__move_file  excluded\n    before  tool-groups: ',
    )
  })

  it('says how many more there are past the limit', () => {
    expect(diffText(diffSurfaces(before, report(reader)), { lang: 'en', limit: 1 })).toContain('… and 2 more')
  })
})
