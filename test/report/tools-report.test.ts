import { describe, expect, it } from 'vitest'
import { toolsReport } from '../../src/report/tools-report.ts'
import { aDesk } from './desk.ts'

const run = aDesk()
const report = toolsReport(run, { lang: 'en' })
const sum = (counts: { readonly [key: string]: number }): number =>
  Object.values(counts).reduce((all, some) => all + some, 0)

describe('the tools document [D1, D2, D7]', () => {
  it('has a versioned schema and these keys', () => {
    expect(report.schema).toBe('toolgate.tools/1')
    expect(Object.keys(report)).toEqual([
      'schema',
      'preset',
      'gates',
      'surface',
      'facts',
      'totals',
      'servers',
      'findings',
      'decisions',
    ])
    expect(Object.keys(report.totals)).toEqual([
      'candidates',
      'eager',
      'deferred',
      'excluded',
      'byGate',
      'bySource',
      'byServer',
      'tokens',
      'estimated',
    ])
    expect(Object.keys(report.totals.tokens)).toEqual([
      'eager',
      'searchTool',
      'deferredNames',
      'ifAllEager',
      'savedByDeferral',
      'savedShare',
      'bySource',
      'byServer',
    ])
  })

  it('tells a decision whole', () => {
    expect(report.decisions.find(({ id }) => id === 'mcp:files/move_file')).toEqual({
      name: 'files__move_file',
      id: 'mcp:files/move_file',
      source: 'mcp',
      server: 'files',
      originalName: 'move_file',
      group: 'web',
      availability: 'available',
      outcome: 'excluded',
      settledBy: 'tool-groups',
      code: 'group-not-asked',
      why: 'the agent does not ask for group "web"',
      hint: 'add "web" to the agent\'s groups',
      approval: 'free',
      conditions: [],
      steps: [
        { gate: 'availability', effect: 'admit', code: 'available', evidence: {}, say: 'it can be had' },
        {
          gate: 'tool-groups',
          effect: 'exclude',
          code: 'group-not-asked',
          evidence: { group: 'web' },
          say: 'the agent does not ask for group "web"',
          origin: { in: 'toolgate.yaml', key: 'agents.main.groups', line: 40 },
        },
      ],
      origin: { in: 'toolgate.yaml', key: 'mcp_servers.files', line: 14 },
      tokens: 68,
      definitionChars: 285,
      definitionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      adapted: false,
    })
  })

  it('adds up: outcomes to candidates, codes to excluded, sources to all', () => {
    const { candidates, eager, deferred, excluded, byGate, bySource } = report.totals
    expect(eager + deferred + excluded).toBe(candidates)
    expect(Object.values(byGate).reduce((all, codes) => all + sum(codes), 0)).toBe(excluded)
    expect(Object.values(bySource).reduce((all, counts) => all + counts.candidates, 0)).toBe(candidates)
    expect(byGate).toEqual({
      permissions: { 'rule-denies': 2 },
      'tool-groups': { 'group-not-asked': 2 },
      availability: { 'failed-to-start': 1 },
    })
  })

  it('is the same text for the same run', () => {
    expect(JSON.stringify(toolsReport(aDesk(), { lang: 'en' }))).toBe(JSON.stringify(report))
  })

  it('says that tokens are estimated, unless they were counted', () => {
    expect(report.totals.estimated).toBe(true)
    expect(toolsReport(run, { lang: 'en', count: (text) => text.length }).totals.estimated).toBe(false)
  })

  it('carries approval, conditions and the label', () => {
    const invoice = report.decisions.find(({ name }) => name === 'mail__send_invoice')
    expect(invoice).toMatchObject({ approval: 'ask', conditions: ['deny mail/send_invoice(to:*@example.org)'] })
    expect(report.decisions[0]).toMatchObject({ name: 'read_file', declaredName: 'reader' })
  })
})
