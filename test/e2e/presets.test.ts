// The two presets that stand for other products, as their users would try them out: the surprises of the first are
// reproduced and flagged; the counts of the second come out, beside the corrected ones.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ClawReport } from '../../src/report/claw.ts'
import type { ToolPool } from '../../src/report/tool-pool.ts'
import type { ToolsReport } from '../../src/report/tools-report.ts'
import { root } from './built.ts'
import { offering, project, scripted } from './project.ts'

describe('the preset deerflow [G15]', () => {
  const lab = project({
    'own.mjs': `export const presentFiles = { name: 'present_files', description: 'Shows files.', inputSchema: { type: 'object', properties: {} }, execute: () => '' }`,
    'toolgate.yaml': `version: 1
tools:
  - { name: bash, group: shell, use: "toolgate/tools:bash" }
  - { name: present_files, group: shell, use: "./own.mjs:presentFiles" }
  - { name: grep, group: search, use: "toolgate/tools:grep" }
mcp_servers:
  shelf: ${scripted(offering('bash', 'find'), 'tool_name_prefix: false, group: web')}
agents:
  main: { groups: [shell] }
sandbox: { kind: none }
`,
  })
  const deerflow = ['--preset', 'deerflow']
  const outcome = (report: ToolsReport, id: string): string => {
    const decision = report.decisions.find((one) => one.id === id)
    return `${decision?.outcome} ${decision?.settledBy} ${decision?.code}`
  }

  it('has the order of the first seed, in the JSON form and in what `why` prints', async () => {
    const order = [
      'availability',
      'definition',
      'tool-groups',
      'host-shell',
      'model-capability',
      'mcp-switch',
      'unique-name',
      'skill-tools',
      'simple-mode',
      'permissions',
      'delegation',
      'provider-fit',
      'deferral',
    ]
    expect((await lab.tools(deerflow)).gates).toEqual(order)
    const { stdout } = await lab.run(['why', 'shelf/find', ...deerflow])
    expect([...stdout.matchAll(/^ {2}([a-z-]+) +(?:admit|abstain|defer|exclude) /gm)].map((match) => match[1])).toEqual(
      order,
    )
  })

  it('lets a configured tool shadow a built-in one, as the default does, and says so', async () => {
    const report = await lab.tools(deerflow)
    expect(outcome(report, 'config:present_files')).toBe('eager unique-name first-of-name')
    expect(outcome(report, 'builtin:present_files')).toBe('excluded unique-name duplicate-name')
  })

  it('lets groups touch configured tools only; the default lets them touch all', async () => {
    const report = await lab.tools(deerflow)
    expect(outcome(report, 'config:grep')).toBe('excluded tool-groups group-not-asked')
    expect(outcome(report, 'mcp:shelf/find')).toMatch(/^eager /)
    const find = report.decisions.find(({ id }) => id === 'mcp:shelf/find')
    expect(find?.steps.find(({ gate }) => gate === 'tool-groups')?.code).toBe('group-ignored')

    const strict = await lab.tools()
    expect(outcome(strict, 'mcp:shelf/find')).toBe('excluded tool-groups group-not-asked')
  })

  it('hands the name that host-shell freed to a server; the default keeps it', async () => {
    const report = await lab.tools(deerflow)
    expect(outcome(report, 'config:bash')).toBe('excluded host-shell host-shell-closed')
    const taker = report.decisions.find(({ id }) => id === 'mcp:shelf/bash')
    expect(taker).toMatchObject({ name: 'bash', outcome: 'eager' })
    expect(taker?.steps.find(({ gate }) => gate === 'unique-name')).toMatchObject({ code: 'name-taken-over' })

    lab.write('wide.yaml', lab.read('toolgate.yaml').replace('groups: [shell]', 'groups: [shell, web]'))
    const strict = await lab.tools(['--config', 'wide.yaml'])
    expect(outcome(strict, 'mcp:shelf/bash')).toBe('excluded unique-name reserved-name')
  })

  it('has all three flagged by `check`, the last as an error', async () => {
    const { code, stdout } = await lab.run(['check', ...deerflow, '--json'])
    expect(code).toBe(1)
    const { findings } = JSON.parse(stdout) as {
      findings: { code: string; severity: string; subject?: string; hint?: string }[]
    }
    const found = new Map(findings.map((one) => [one.code, one]))
    expect(found.get('shadows-builtin')).toMatchObject({ severity: 'warning', subject: 'present_files' })
    expect(found.get('group-ignored')).toMatchObject({ severity: 'warning', subject: 'server shelf' })
    expect(found.get('name-takeover')).toMatchObject({
      severity: 'error',
      subject: 'bash',
      hint: expect.stringContaining('default preset'),
    })
  })
})

interface ClawTools extends ToolsReport {
  readonly claw: ClawReport
}

// The inventory of test/fixtures/e2e/inventory.json, counted by hand. 40 entries:
//
//    3  BashTool, FileReadTool, FileEditTool: the simple ones
//    5  MCPTool, McpAuthTool, ListMcpResourcesTool, ReadMcpResourceTool, and ResourceBridge in services/mcp: of MCP,
//       with the letters in name or path; two of the names begin with them
//    2  SystemCpuTool, RamCpuMeter: the letters inside a word, nothing of MCP
//    1  TicketBridge: of MCP (it says so), without the letters
//    4  prompt, 2 NotesTool, 1 notestool: seven entries of two names, as names are compared
//   22  others
//
//   flags                          claw-code                         corrected
//   (none)                         40                                40 - 3 - 2 later of a name          = 35
//   --simple-mode                  3                                 3
//   --no-mcp                       40 - 5 - 2 in words = 33          40 - 5 - 1 TicketBridge - 5 later   = 29
//   --deny-prefix mcp              40 - 2 = 38                       40 - 2 - 5 later                    = 33
//   both                           33                                29
//   --deny-tool prompt             40 - 4 = 36                       40 - 4 - 2 later (of NotesTool)     = 34
//   --deny-tool notestool          40 - 3 = 37                       40 - 3 - 3 later (of prompt)        = 34
const counts = [
  { flags: [], claw: 40, corrected: 35, differences: 5 },
  { flags: ['--simple-mode'], claw: 3, corrected: 3, differences: 0 },
  { flags: ['--no-mcp'], claw: 33, corrected: 29, differences: 8 },
  { flags: ['--deny-prefix', 'mcp'], claw: 38, corrected: 33, differences: 5 },
  { flags: ['--no-mcp', '--deny-prefix', 'mcp'], claw: 33, corrected: 29, differences: 8 },
  { flags: ['--deny-tool', 'prompt'], claw: 36, corrected: 34, differences: 2 },
  { flags: ['--deny-tool', 'notestool'], claw: 37, corrected: 34, differences: 3 },
]

describe('the preset claw [G15, S6]', () => {
  const lab = project({ 'inventory.json': readFileSync(join(root, 'test/fixtures/e2e/inventory.json'), 'utf8') })
  const from = ['--snapshot', 'inventory.json']

  it.concurrent.each(counts)(
    'counts as claw-code does, and beside it as it should be: $flags',
    async ({ flags, claw, corrected, differences }) => {
      const report = await lab.json<ClawTools>(['tools', ...from, ...flags])
      expect(report.preset).toBe('claw')
      expect(report.totals).toMatchObject({ candidates: 40, eager: claw, deferred: 0, excluded: 40 - claw })
      expect(report.claw).toMatchObject({ entries: 40, claw, corrected, unreachable: 5 })
      expect(report.claw.differences).toHaveLength(differences)
      expect((await lab.json<ToolPool>(['tool-pool', ...from, ...flags])).count).toBe(claw)
      expect((await lab.tools([...from, ...flags, '--preset', 'default'])).totals.eager).toBe(corrected)
    },
  )

  it('explains each difference', async () => {
    const { claw } = await lab.json<ClawTools>(['tools', ...from, '--no-mcp'])
    expect(
      claw.differences.map(
        ({ name, claw: theirs, corrected, settledBy }) => `${name} ${theirs} ${corrected} ${settledBy}`,
      ),
    ).toEqual([
      'SystemCpuTool excluded eager mcp-switch',
      'RamCpuMeter excluded eager mcp-switch',
      'TicketBridge eager excluded mcp-switch',
      'prompt eager excluded unique-name',
      'prompt eager excluded unique-name',
      'prompt eager excluded unique-name',
      'NotesTool eager excluded unique-name',
      'notestool eager excluded unique-name',
    ])
    expect(claw.repeated).toEqual([
      { name: 'prompt', entries: 4 },
      { name: 'NotesTool', entries: 3 },
    ])
    const { stdout } = await lab.run(['tools', ...from, '--no-mcp'])
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /SystemCpuTool \(tools\/SystemCpuTool\/SystemCpuTool\.ts\): its name or path holds the letters "mcp"/,
    )
    expect(stdout).toContain('claw-code counts 33 of 40 entries; corrected, 29 ')
  })

  it('shows the first fifteen as Markdown, as the seed does, and how many more there are', async () => {
    const { stdout } = await lab.run(['tool-pool', ...from])
    expect(stdout).toMatch(/^# Tool Pool\n\nSimple mode: False\nInclude MCP: True\nTool count: 40\n/)
    expect(stdout.match(/^- \w+ — /gm)).toHaveLength(15)
    expect(stdout).toContain('- BashTool — tools/BashTool/BashTool.ts')
    expect(stdout).toContain('… and 25 more')
  })

  it('refuses what claw-code passes over in silence: a flag that matches nothing', async () => {
    const { code, stderr } = await lab.run(['tools', ...from, '--deny-tool', 'Bash'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--deny-tool Bash changes nothing on this run[\s\S]*"BashTool"/)
  })
})

/** The figures that users of claw-code know (reference: its own inventory of 184 entries). */
const known = [
  { flags: [], count: 184 },
  { flags: ['--simple-mode'], count: 3 },
  { flags: ['--no-mcp'], count: 173 },
  { flags: ['--deny-prefix', 'mcp'], count: 182 },
  { flags: ['--no-mcp', '--deny-prefix', 'mcp'], count: 173 },
  { flags: ['--deny-tool', 'prompt'], count: 148 },
]

/** 184 entries in the proportions of that inventory: three simple ones, eleven with the letters, 36 of one name. */
function ofTheSameProportions(): string {
  const entry = (name: string, source_hint: string) => ({
    name,
    source_hint,
    responsibility: `Mirrors ${source_hint}.`,
  })
  const times = (count: number, make: (index: number) => object) =>
    Array.from({ length: count }, (_, index) => make(index))
  return JSON.stringify([
    ...['BashTool', 'FileReadTool', 'FileEditTool'].map((name) => entry(name, `tools/${name}/${name}.tsx`)),
    ...['MCPTool', 'McpAuthTool'].map((name) => entry(name, `tools/${name}/${name}.ts`)),
    ...['ListMcpResourcesTool', 'ReadMcpResourceTool'].map((name) => entry(name, `tools/${name}/${name}.ts`)),
    ...times(7, (index) => entry(`helper${index}`, `tools/MCPTool/helper${index}.ts`)),
    ...times(36, (index) => entry('prompt', `tools/Tool${index}/prompt.ts`)),
    ...times(134, (index) => entry(`Tool${index}`, `tools/Tool${index}/Tool${index}.ts`)),
  ])
}

describe('the counts that users of claw-code know [G15]', () => {
  const lab = project({ 'inventory.json': ofTheSameProportions() })

  it.concurrent.each(known)(
    'come out of an inventory of the same proportions: $count with $flags',
    async ({ flags, count }) => {
      const pool = await lab.json<ToolPool>(['tool-pool', '--snapshot', 'inventory.json', ...flags])
      expect({ preset: pool.preset, count: pool.count, all: pool.count + pool.excluded }).toEqual({
        preset: 'claw',
        count,
        all: 184,
      })
    },
  )

  const own = join(root, '../shared/data/claw-code/tools_snapshot.json')
  if (existsSync(own)) {
    it.each(known)('come out of its own inventory: $count with $flags', async ({ flags, count }) => {
      expect((await lab.json<ToolPool>(['tool-pool', '--snapshot', own, ...flags])).count).toBe(count)
    })
  } else {
    it('are not tried on its own inventory (../shared/data/claw-code/tools_snapshot.json is absent)', () => {
      expect(known.map(({ count }) => count)).toEqual([184, 3, 173, 182, 173, 148])
    })
  }
})
