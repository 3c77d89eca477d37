import { describe, expect, it } from 'vitest'
import type { Paint } from '../../src/report/paint.ts'
import { toolsReport } from '../../src/report/tools-report.ts'
import { toolsTable } from '../../src/report/tools-table.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { aDesk } from './desk.ts'

const report = toolsReport(aDesk(), { lang: 'en' })

describe('the table [D7]', () => {
  it('reads so at 80 columns', () => {
    expect(toolsTable(report, { lang: 'en', width: 80 })).toMatchInlineSnapshot(`
      "agent main · model small · target common · preset default

      NAME                OUTCOME       SOURCE     TOKENS  WHY
      read_file           eager         config         46  unique-name: first
      tool_search         eager         builtin        47  unique-name: first
      mail__send_invoice  deferred ask  mcp mail       61  deferral: over-budget
      mail__search_mail   deferred      mcp mail       45  deferral: over-budget
      bash                excluded      builtin        43  permissions: rule-denies
      read_file           excluded      mcp files      40  tool-groups: group-not-ask…
      files__move_file    excluded      mcp files      68  tool-groups: group-not-ask…
      bash                excluded      mcp files      46  permissions: rule-denies
      lab__*              excluded      mcp lab         0  availability: failed-to-st…
      showing 9 of 9

      SERVER  TOOLS  DEFERRED  TOKENS  IF EAGER  SAVED
      mail        2         2      10       106  90.5%
      remove mail: -2 tools, about -10 tokens

      candidates   9 = 2 eager + 2 deferred + 5 excluded
      left out by  permissions 2, tool-groups 2, availability 1
      tokens       about 117 with each request, about 152 if all were eager; deferral
                   saves about 35 (23.0%), net of names and tool_search
      servers      files  available        3 tools  0.8 s
                   mail   available        2 tools  1.2 s
                   lab    failed-to-start           the program "labd" was not found…
      findings     1 warning: toolgate check
      surface      245cebd57458"
    `)
  })

  it('reads so at 120 columns', () => {
    expect(toolsTable(report, { lang: 'en', width: 120 })).toMatchInlineSnapshot(`
      "agent main · model small · target common · preset default

      NAME                OUTCOME       SOURCE     TOKENS  WHY
      read_file           eager         config         46  unique-name: no earlier candidate bears this name
      tool_search         eager         builtin        47  unique-name: no earlier candidate bears this name
      mail__send_invoice  deferred ask  mcp mail       61  deferral: the schemas of servers cost more than 50 tokens
      mail__search_mail   deferred      mcp mail       45  deferral: the schemas of servers cost more than 50 tokens
      bash                excluded      builtin        43  permissions: rule "deny bash" names it
      read_file           excluded      mcp files      40  tool-groups: the agent does not ask for group "web"
      files__move_file    excluded      mcp files      68  tool-groups: the agent does not ask for group "web"
      bash                excluded      mcp files      46  permissions: rule "deny bash" names it
      lab__*              excluded      mcp lab         0  availability: its server did not start: the program "labd" was not…
      showing 9 of 9

      SERVER  TOOLS  DEFERRED  TOKENS  IF EAGER  SAVED
      mail        2         2      10       106  90.5%
      remove mail: -2 tools, about -10 tokens

      candidates   9 = 2 eager + 2 deferred + 5 excluded
      left out by  permissions 2, tool-groups 2, availability 1
      tokens       about 117 with each request, about 152 if all were eager; deferral saves about 35 (23.0%), net of names and
                   tool_search
      servers      files  available        3 tools  0.8 s
                   mail   available        2 tools  1.2 s
                   lab    failed-to-start           the program "labd" was not found · toolgate.yaml:31 mcp_servers.lab
      findings     1 warning: toolgate check
      surface      245cebd57458"
    `)
  })

  it('reads so in Chinese [U5]', () => {
    const chinese = toolsReport(aDesk(), { lang: 'zh' })
    expect(toolsTable(chinese, { lang: 'zh', width: 110 })).toMatchInlineSnapshot(`
      "智能体 main · 模型 small · 目标 common · 预设 default

      名称                结果             来源       词元  原因
      read_file           直接提供         config       46  unique-name: 之前没有候选使用该名称
      tool_search         直接提供         builtin      47  unique-name: 之前没有候选使用该名称
      mail__send_invoice  按需加载 需确认  mcp mail     61  deferral: 服务器工具的参数定义超过 50 词元
      mail__search_mail   按需加载         mcp mail     45  deferral: 服务器工具的参数定义超过 50 词元
      bash                已排除           builtin      43  permissions: 规则 "deny bash" 指名拒绝它
      read_file           已排除           mcp files    40  tool-groups: 智能体未申请分组 "web"
      files__move_file    已排除           mcp files    68  tool-groups: 智能体未申请分组 "web"
      bash                已排除           mcp files    46  permissions: 规则 "deny bash" 指名拒绝它
      lab__*              已排除           mcp lab       0  availability: 其服务器未能启动：the program "labd" was…
      显示 9 / 9

      服务器  工具  按需加载  词元  若直接提供   节省
      mail       2         2    10         106  90.5%
      移除 mail：-2 个工具，约 -10 词元

      候选    9 = 直接提供 2 + 按需加载 2 + 已排除 5
      排除于  permissions 2, tool-groups 2, availability 1
      词元    每次请求约 117，若全部直接提供约 152；扣除名称列表与 tool_search 后，按需加载节省约 35（23.0%）
      服务器  files  available        3 个工具  0.8 s
              mail   available        2 个工具  1.2 s
              lab    failed-to-start            the program "labd" was not found · toolgate.yaml:31 mcp_servers.lab
      问题    1 个警告: toolgate check
      工具面  245cebd57458"
    `)
  })

  it('shows what is exposed first, and says how many there are', () => {
    const text = toolsTable(report, { lang: 'en', width: 80, limit: 4 })
    expect(text).toContain('showing 4 of 9 · --all shows the rest')
    expect(text).not.toContain('permissions: rule-denies')
  })

  it('shows all when asked, whatever the limit', () => {
    expect(toolsTable(report, { lang: 'en', limit: 1, all: true })).toContain('showing 9 of 9\n')
  })

  it('keeps its sums when it shows no row', () => {
    const text = toolsTable(report, { lang: 'en', limit: 0 })
    expect(text).not.toContain('NAME')
    expect(text).toContain('candidates   9 = 2 eager + 2 deferred + 5 excluded')
  })

  it('puts one outcome into one colour, after measuring', () => {
    const mark = (colour: string) => (text: string) => `<${colour}>${text}</>`
    const paint: Paint = {
      bold: (text) => text,
      dim: (text) => text,
      red: mark('red'),
      green: mark('green'),
      yellow: mark('yellow'),
      cyan: (text) => text,
    }
    const text = toolsTable(report, { lang: 'en', width: 120, paint })
    expect(text).toContain('<green>eager       </>')
    expect(text).toContain('<yellow>deferred    </>')
    expect(text).toContain('<red>excluded    </>')
  })

  it('keeps columns straight beside wide characters', () => {
    const run = aDesk({
      candidates: [aCandidate({ name: '读取文件' }), aCandidate({ name: 'read_file' })],
      facts: { agent: { name: 'main' } },
    })
    const [, , , first = '', second = ''] = toolsTable(toolsReport(run, { lang: 'en' }), { lang: 'en' }).split('\n')
    expect(first).toMatch(/^读取文件 {3}eager/)
    expect(second).toMatch(/^read_file {2}eager/)
  })
})
