import { describe, expect, it } from 'vitest'
import { bootstrap } from '../../src/report/bootstrap.ts'
import { bootstrapText } from '../../src/report/bootstrap-text.ts'
import { toolsReport } from '../../src/report/tools-report.ts'
import { aDesk } from './desk.ts'

const skills = {
  mode: 'active' as const,
  list: [
    {
      name: 'site-audit',
      enabled: true,
      active: true,
      allowedTools: ['read_file', 'mail__search_mail', 'tool_search'],
      origin: { in: 'SKILL.md' },
    },
    { name: 'broken', enabled: true, active: false, malformed: 'no list', origin: { in: 'SKILL.md' } },
    { name: 'plain', enabled: false, active: false, origin: { in: 'SKILL.md' } },
  ],
}
const run = aDesk({ facts: { skills } })
const report = bootstrap(run, { lang: 'en', prompt: 'search my mail' })

describe('the session report [D1]', () => {
  it('tells the same figures as the tools document of the same run', () => {
    const { totals, surface, servers, findings } = toolsReport(run, { lang: 'en' })
    expect(report).toMatchObject({ schema: 'toolgate.bootstrap/1', totals, surface, servers, findings })
    expect([report.eager.length, report.deferred.length]).toEqual([totals.eager, totals.deferred])
  })

  it('tells rules by scope and skills by what they restrict', () => {
    expect(report.rules).toEqual({
      otherwise: 'allow',
      scopes: [
        { scope: 'config', deny: 1, ask: 1, allow: 0 },
        { scope: 'agent main', deny: 1, ask: 0, allow: 0 },
      ],
    })
    expect(report.skills.list).toEqual([
      { name: 'site-audit', enabled: true, active: true, tools: 3 },
      { name: 'broken', enabled: true, active: false, malformed: 'no list' },
      { name: 'plain', enabled: false, active: false },
    ])
  })

  it('routes the prompt on the same surface, and not without one', () => {
    expect(report.route?.matches[0]?.name).toBe('mail__search_mail')
    expect(report.route?.surface).toBe(run.surface.hash)
    expect(bootstrap(run, { lang: 'en' })).not.toHaveProperty('route')
  })

  it('follows the switches of the run', () => {
    const off = bootstrap(aDesk({ facts: { mcp: { on: false }, simpleMode: { on: true }, attended: { on: false } } }), {
      lang: 'en',
    })
    expect(off.switches).toMatchObject({ mcp: false, simpleMode: true, attended: false })
  })

  it('keeps a group list that is empty apart from one that is absent', () => {
    const groups = (of?: readonly string[]) =>
      bootstrapText(
        bootstrap(
          aDesk({ facts: { agent: { name: 'a', ...(of === undefined ? {} : { groups: of }), origins: {} } } }),
          { lang: 'en' },
        ),
        { lang: 'en' },
      )
    expect(groups([])).toContain('a (groups none)')
    expect(groups()).toMatch(/agent {8}a\n/)
  })

  it('reads so at 100 columns', () => {
    expect(bootstrapText(report, { lang: 'en', width: 100 })).toMatchInlineSnapshot(`
      "agent        main (groups file:read, mail)
      model        small (tools, context 32,000 tokens)
      target       common, preset default
      switches     simple mode off, MCP on, sandbox none, delegation 0/1, deferral on, somebody is there
                   to be asked
      rules        config: 1 deny, 1 ask; agent main: 1 deny; otherwise allow
      skills       site-audit (in use, 3 tools), broken (ready, unreadable, allows nothing), plain
                   (disabled)
      sources      config 1 of 1 tools, builtin 1 of 2 tools, mcp 2 of 6 tools
      servers      files  available        3 tools  0.8 s
                   mail   available        2 tools  1.2 s
                   lab    failed-to-start           the program "labd" was not found · toolgate.yaml:31 m…
      candidates   9 = 2 eager + 2 deferred + 5 excluded
      left out by  permissions 2, tool-groups 2, availability 1
      eager        read_file, tool_search
      deferred     mail__send_invoice, mail__search_mail
      tokens       about 117 with each request, about 152 if all were eager; deferral saves about 35
                   (23.0%), net of names and tool_search
      findings     1 warning: toolgate check
      surface      245cebd57458

      > search my mail
      NAME                SCORE  OUTCOME   SOURCE    MATCHED
      mail__search_mail    2.86  deferred  mcp mail  search (name, arguments, description), mail (name, s…
      tool_search          1.16  eager     builtin   search (name, arguments, description)
      mail__send_invoice   0.79  deferred  mcp mail  mail (description, server)
      showing 3 of 3"
    `)
  })

  it('reads so in Chinese [U5]', () => {
    expect(bootstrapText(bootstrap(run, { lang: 'zh' }), { lang: 'zh', width: 100 })).toMatchInlineSnapshot(`
      "智能体    main (分组 file:read, mail)
      模型      small (tools, 上下文 32,000 词元)
      目标      common, 预设 default
      开关      简单模式 关, MCP 开, 沙箱 none, 委派 0/1, 按需加载 on, 有人可询问
      规则      config: 1 deny, 1 ask; agent main: 1 deny; 其余 allow
      技能      site-audit (使用中, 3 个工具), broken (可用, 无法读取，不允许任何工具), plain (已停用)
      来源      config 1 个工具中的 1 个, builtin 2 个工具中的 1 个, mcp 6 个工具中的 2 个
      服务器    files  available        3 个工具  0.8 s
                mail   available        2 个工具  1.2 s
                lab    failed-to-start            the program "labd" was not found · toolgate.yaml:31 mcp…
      候选      9 = 直接提供 2 + 按需加载 2 + 已排除 5
      排除于    permissions 2, tool-groups 2, availability 1
      直接提供  read_file, tool_search
      按需加载  mail__send_invoice, mail__search_mail
      词元      每次请求约 117，若全部直接提供约 152；扣除名称列表与 tool_search 后，按需加载节省约
                35（23.0%）
      问题      1 个警告: toolgate check
      工具面    245cebd57458"
    `)
  })
})
