import { describe, expect, it } from 'vitest'
import { abstains, defineGate } from '../../src/core/gate.ts'
import { toolGroupsOfConfig } from '../../src/gates/tool-groups-of-config.ts'
import { uniqueNameWithTakeover } from '../../src/gates/unique-name-with-takeover.ts'
import { type CheckOptions, checkRun } from '../../src/report/check.ts'
import { checkText } from '../../src/report/check-text.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { aDesk, type DeskOptions, deskCandidates, deskGates } from './desk.ts'

const anyone = { name: 'main', origins: {} }
const codes = (options: DeskOptions, check: CheckOptions = {}) =>
  checkRun(aDesk(options), check).map(({ code, subject }) => [code, subject])
const only = (code: string, options: DeskOptions, check: CheckOptions = {}) =>
  checkRun(aDesk(options), check).filter((found) => found.code === code)

describe('check [D5]', () => {
  it('carries along what reading and listing found, each finding once', () => {
    const run = aDesk()
    const twice = { ...run, findings: [...run.findings, ...run.findings] }
    expect(checkRun(twice).filter(({ code }) => code === 'server-unavailable')).toHaveLength(1)
  })

  it('reports a group to which nothing belongs, with the nearest and its place', () => {
    const origins = { groups: { in: 'toolgate.yaml', key: 'agents.main.groups', line: 40 } }
    expect(only('group-unknown', { facts: { agent: { name: 'main', groups: ['mails', 'mail'], origins } } })).toEqual([
      {
        code: 'group-unknown',
        severity: 'warning',
        subject: 'mails',
        message: 'agent "main" asks for group "mails", to which nothing belongs',
        hint: 'nearest: "mail"',
        origin: origins.groups,
      },
    ])
  })

  it('reports a server that is not there', () => {
    expect(only('unknown-name', { facts: { agent: { ...anyone, servers: ['mails', 'lab'] } } })).toMatchObject([
      { subject: 'mails', hint: 'nearest: "mail"' },
    ])
  })

  it('reports words in lists of tools that name nothing', () => {
    const facts = {
      agent: { ...anyone, tools: ['read_fill', 'read_file'] },
      delegation: { allow: ['mail/*', 'nobody/*'] },
    }
    expect(only('rule-matches-nothing', { facts }).map(({ subject }) => subject)).toEqual(['nobody/*', 'read_fill'])
  })

  it('reports what a skill allows and nobody offers, and apart from it what is only not on this surface', () => {
    const skill = { name: 'site', enabled: true, active: true, origin: { in: 'site/SKILL.md', line: 4 } }
    const list = [
      { ...skill, allowedTools: ['read_file', 'read_fille', 'files__move_file'] },
      { ...skill, name: 'off', enabled: false, allowedTools: ['nothing'] },
      { ...skill, name: 'broken', malformed: 'no list', allowedTools: ['nothing'] },
    ]
    expect(only('tool-not-offered', { facts: { skills: { list } } })).toMatchObject([
      {
        severity: 'warning',
        message: 'skill "site" allows "read_fille", which names no tool',
        hint: 'nearest: "read_file"',
      },
      {
        severity: 'info',
        message: 'skill "site" allows "files__move_file", which is not on this surface: tool-groups (group-not-asked)',
      },
    ])
  })

  it('reports one finding for a name and all who lost it', () => {
    const candidates = [
      ...deskCandidates(),
      aCandidate({ server: 'mail', originalName: 'read_file', name: 'Read_File' }),
    ]
    expect(only('duplicate-name', { candidates, facts: { agent: anyone, permissions: { rules: [] } } })).toMatchObject([
      { subject: 'bash', message: 'the name "bash" goes to builtin:bash; without it: mcp:files/bash' },
      {
        subject: 'read_file',
        message: 'the name "read_file" goes to config:read_file; without it: mcp:files/read_file, mcp:mail/read_file',
      },
    ])
  })

  it('reports a configured tool in the place of a built-in one', () => {
    const candidates = [
      aCandidate({ name: 'bash', origin: { in: 'toolgate.yaml', line: 3 } }),
      aCandidate({ source: 'builtin', name: 'bash' }),
    ]
    expect(only('shadows-builtin', { candidates, facts: { permissions: { rules: [] } } })).toMatchObject([
      { severity: 'warning', subject: 'bash', origin: { line: 3 } },
    ])
    expect(only('duplicate-name', { candidates, facts: { permissions: { rules: [] } } })).toEqual([])
  })

  it('reports a name that a safety gate took away and another source took over [G15]', () => {
    const gates = deskGates.map((gate) => (gate.id === 'unique-name' ? uniqueNameWithTakeover : gate))
    const rules = [{ effect: 'deny', text: 'bash', scope: 'config', origin: { in: 'toolgate.yaml' } }] as const
    const candidates = [
      aCandidate({ source: 'builtin', name: 'bash' }),
      aCandidate({ server: 'files', originalName: 'bash', name: 'Bash' }),
    ]
    const facts = { permissions: { rules } }
    expect(only('name-takeover', { gates, candidates, facts })).toMatchObject([
      {
        severity: 'error',
        subject: 'Bash',
        message: '"Bash" is mcp:files/bash now, because permissions took it from builtin:bash',
      },
    ])
    expect(codes({ candidates, facts })).not.toContainEqual(['name-takeover', 'Bash'])
  })

  it('reports tools that groups do not touch, a server in one line [G15]', () => {
    const gates = deskGates.map((gate) => (gate.id === 'tool-groups' ? toolGroupsOfConfig : gate))
    const found = only('group-ignored', { gates, facts: { permissions: { rules: [] } } })
    expect(found).toMatchObject([
      {
        subject: 'server files',
        message: "the agent's groups do not touch server files: files__move_file",
        origin: { line: 40 },
      },
    ])
  })

  it('reports unknown effects, a server in one line', () => {
    expect(only('effect-unknown', {})).toMatchObject([
      {
        severity: 'info',
        subject: 'server mail',
        message: expect.stringContaining('mail__send_invoice, mail__search_mail'),
      },
    ])
  })

  it('reports a gate that failed, once, with its error', () => {
    const broken = defineGate({
      id: 'broken',
      asks: { en: 'Well?', zh: '如何？' },
      reasons: { fine: abstains({ say: { en: () => 'fine', zh: () => '好' } }) },
      open: () => {
        throw new Error('no such luck')
      },
    })
    expect(only('gate-failed', { gates: [...deskGates, broken] })).toMatchObject([
      {
        severity: 'error',
        subject: 'broken',
        message: expect.stringMatching(/^gate broken failed \(no such luck\), so these stay out: read_file, /),
      },
    ])
  })

  it('reports definitions that were adapted to the target', () => {
    const adapting = defineGate({
      id: 'adapting',
      asks: { en: 'Well?', zh: '如何？' },
      reasons: { adapted: abstains({ say: { en: () => 'adapted', zh: () => '已适配' } }) },
      open:
        (_facts, _standing, because) =>
        ({ definition }) =>
          because('adapted', {}, { amends: { definition: { ...definition } } }),
    })
    expect(
      only('schema-adapted', { gates: [...deskGates, adapting] }).map(({ subject, severity }) => [subject, severity]),
    ).toEqual([
      ['source builtin', 'info'],
      ['source config', 'info'],
      ['server mail', 'info'],
    ])
  })

  it('reports a required server that is not there, unless listing did', () => {
    const run = aDesk()
    const servers = run.servers.map((server) => ({ ...server, required: true }))
    const missing = checkRun({ ...run, servers }).filter(({ code }) => code === 'required-server-missing')
    expect(missing).toMatchObject([{ severity: 'error', subject: 'lab' }])
    expect(
      checkRun({ ...run, servers, findings: missing }).filter(({ code }) => code === 'required-server-missing'),
    ).toEqual(missing)
  })

  it('warns when more tools are sent than models handle well, and names the heaviest server', () => {
    const candidates = Array.from({ length: 41 }, (_, at) => aCandidate({ server: 'erp', originalName: `tool_${at}` }))
    const facts = { agent: anyone, deferral: { mode: 'off' as const } }
    const [found] = only('over-soft-budget', { candidates, facts })
    expect(found?.message).toMatch(
      /^41 tools are sent with every request, and models choose worse above some 40; without server erp: 41 tools and about [\d,]+ tokens less$/,
    )
    expect(only('over-soft-budget', { candidates, facts }, { eagerMax: 41 })).toEqual([])
  })

  it('warns when tools that cannot be deferred cost more than was meant', () => {
    const facts = { deferral: { mode: 'auto' as const, budgetTokens: 5 } }
    expect(only('over-soft-budget', { facts })[0]?.message).toMatch(
      /^every request carries about \d+ tokens of tools, and 5 were meant/,
    )
    expect(only('over-soft-budget', { facts: { deferral: { mode: 'on', budgetTokens: 5 } } })).toEqual([])
  })

  it('tries the rules of the run, unless that was done already', () => {
    const rules = [{ effect: 'deny', text: 'nobody', scope: 'config', origin: { in: 'a.yaml', line: 2 } }] as const
    const facts = { permissions: { rules } }
    expect(only('rule-matches-nothing', { facts })).toMatchObject([{ origin: { line: 2 } }])
    expect(only('rule-matches-nothing', { facts }, { ruleFindings: [] })).toEqual([])
  })

  it('gives the rule tester’s findings a place among the others', () => {
    const found = {
      code: 'rule-matches-nothing',
      severity: 'warning',
      subject: 'foo',
      message: 'rule "deny foo" matches no tool',
      origin: { in: 'a.yaml', line: 2 },
    } as const
    expect(checkRun(aDesk(), { ruleFindings: [found] })[0]).toEqual(found)
  })

  it('is sorted by severity, file, line, code', () => {
    const rank = { error: 0, warning: 1, info: 2 }
    const found = checkRun(aDesk(), { require: [{ text: 'nothing', origin: { in: 'z.yaml', line: 1 } }] })
    const keys = found.map(({ severity, origin }) => [rank[severity], origin?.in ?? '', origin?.line ?? 0])
    expect(keys).toEqual([...keys].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)))
    expect(found[0]?.code).toBe('requirement-missing')
  })
})

describe('what a run must have, and must not [D9]', () => {
  const at = { in: 'toolgate.yaml', key: 'require[0]', line: 70 }
  const required = (text: string) => only('requirement-missing', {}, { require: [{ text, origin: at }] })
  const forbidden = (text: string) => only('requirement-forbidden', {}, { forbid: [{ text, origin: at }] })

  it.each(['read_file', 'mail/send_invoice', 'mail/*', 'mail__search_mail'])('has %s', (text) => {
    expect(required(text)).toEqual([])
  })

  it.each([
    [
      'files/move_file',
      'required "files/move_file" is not on the surface: tool-groups: the agent does not ask for group "web"',
    ],
    ['lab__measure', 'required "lab__measure" is not on the surface: nothing offers it'],
  ])('misses %s, and says why', (text, message) => {
    expect(required(text)).toMatchObject([{ severity: 'error', message, origin: at }])
  })

  it('is not fulfilled by a look-alike', () => {
    expect(required('READ_FILE')).toHaveLength(1)
  })

  it('offers the nearest name', () => {
    expect(required('reed_file')[0]?.hint).toBe('nearest: "read_file"')
  })

  it.each(['read_file', 'READ_FILE', 'mail__*', 'group:mail', 'effect:write'])('forbids %s, read widely', (text) => {
    expect(forbidden(text)).toHaveLength(1)
  })

  it.each(['bash', 'files/*'])('lets %s be forbidden that is not there', (text) => {
    expect(forbidden(text)).toEqual([])
  })

  it('reports a requirement that cannot be read', () => {
    const found = checkRun(aDesk(), { require: [{ text: '*', origin: at }] }).filter(({ origin }) => origin === at)
    expect(found).toMatchObject([{ code: 'rule-allow-too-wide', severity: 'error' }])
  })
})

describe('check, for people [D5]', () => {
  const require = [{ text: 'files/move_file', origin: { in: 'toolgate.yaml', key: 'require[0]', line: 70 } }]

  it('reads so at 80 columns', () => {
    expect(checkText(checkRun(aDesk(), { require }), { lang: 'en', width: 80 })).toMatchInlineSnapshot(`
      "errors (1)
        requirement-missing  toolgate.yaml:70 require[0]
          required "files/move_file" is not on the surface: tool-groups: the agent
          does not ask for group "web"
          → see toolgate why files__move_file

      warnings (1)
        server-unavailable  toolgate.yaml:32 mcp_servers.lab.command
          server "lab" gave no tools: the program "labd" was not found
          → install it, or correct \`command\`

      notes (1)
        effect-unknown  toolgate.yaml:22 mcp_servers.mail
          nobody said what server mail may do, so every effect is assumed:
          mail__send_invoice, mail__search_mail
          → declare \`effects\`, or set \`trust_annotations\` if you believe the server's
            own

      1 error, 1 warning, 1 note"
    `)
  })

  it('reads so in Chinese [U5]', () => {
    expect(checkText(checkRun(aDesk()), { lang: 'zh', width: 100 })).toMatchInlineSnapshot(`
      "警告 (1)
        server-unavailable  toolgate.yaml:32 mcp_servers.lab.command
          server "lab" gave no tools: the program "labd" was not found
          → install it, or correct \`command\`

      提示 (1)
        effect-unknown  toolgate.yaml:22 mcp_servers.mail
          nobody said what server mail may do, so every effect is assumed: mail__send_invoice,
          mail__search_mail
          → declare \`effects\`, or set \`trust_annotations\` if you believe the server's own

      1 个警告，1 个提示"
    `)
  })

  it('is one line when there is nothing', () => {
    expect(checkText([], { lang: 'en' })).toBe('nothing to report')
  })
})
