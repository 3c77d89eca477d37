// One bad part beside good ones: the error says what, where and what to do; everything else is as it was, decision by
// decision. What restricts and cannot be read fails closed instead.

import { beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/core/finding.ts'
import type { ToolsReport } from '../../src/report/tools-report.ts'
import { badParts, desk } from './bad-parts.ts'

/** The parts of a decision that another entry could have touched. */
const fixed = ({ decisions }: ToolsReport, ids?: ReadonlySet<string>): object[] =>
  decisions
    .filter(({ id }) => ids?.has(id) ?? true)
    .map(({ id, name, outcome, settledBy, code, approval, tokens, definitionHash, steps }) => ({
      id,
      name,
      outcome,
      settledBy,
      code,
      approval,
      tokens,
      definitionHash,
      steps: steps.map((step) => `${step.gate} ${step.code}`),
    }))

let good: ToolsReport
beforeAll(async () => {
  good = await desk().tools()
})

describe('one bad part beside good ones [S1, S4, G12]', () => {
  it('is compared with a project in which all is well', async () => {
    expect(good.findings).toEqual([])
    expect(good.totals).toMatchObject({ candidates: 11, excluded: 4 })
  })

  it.concurrent.each(badParts)('$what costs only itself, and is told', async (one) => {
    const lab = desk(one)
    const { code, stdout } = await lab.run(['check', '--json'])
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    const severity = one.severity ?? 'error'
    expect(code).toBe(severity === 'error' ? 1 : 0)
    const found = findings.find((other) => other.code === one.code)
    expect(found, JSON.stringify(findings)).toMatchObject({
      severity,
      message: expect.stringMatching(one.message),
      hint: expect.stringMatching(one.hint),
    })
    expect(found?.origin?.in).toBe(one.at.in)
    const line = lab.lineOf(one.at.in, one.at.line)
    expect(found?.origin).toMatchObject({
      line,
      ...(one.at.key === undefined ? {} : { key: expect.stringMatching(one.at.key) }),
    })

    const report = await lab.tools()
    expect(fixed(report, new Set(good.decisions.map(({ id }) => id)))).toEqual(fixed(good))
    const known = new Set(good.decisions.map(({ id }) => id))
    const extra = report.decisions.filter(({ id }) => !known.has(id))
    const { shown } = one
    if (shown === undefined) expect(extra).toEqual([])
    else expect(extra.find(({ id }) => shown.id.test(id))).toMatchObject({ outcome: 'excluded', code: shown.code })
  })
})

describe('what restricts and cannot be read', () => {
  it('counts against every tool when it is a deny rule, and says where it stands', async () => {
    const lab = desk({ instead: { of: 'deny: ["common/fetch"]', text: 'deny: ["common/fetch", "bash(rm"]' } })
    const checked = await lab.run(['check', '--json'])
    expect(checked.code).toBe(1)
    const { findings } = JSON.parse(checked.stdout) as { findings: Finding[] }
    const line = lab.lineOf('toolgate.yaml', 'bash(rm')
    expect(findings.find(({ code }) => code === 'rule-syntax')).toMatchObject({
      severity: 'error',
      hint: expect.any(String),
      origin: { in: 'toolgate.yaml', key: 'permissions.deny[1]', line },
    })
    const { decisions, totals } = await lab.tools()
    expect(totals).toMatchObject({ eager: 0, deferred: 0 })
    expect(decisions.filter(({ code }) => code === 'rule-unreadable').length).toBeGreaterThan(3)
  })

  it('makes the file unusable when it is another list or switch, with all that is wrong in it', async () => {
    const text = 'sandbox:\n  allow_host_bash: "true"\ndelegation:\n  max_depth: deep\n'
    const lab = desk({ below: { section: 'agents', text } })
    const { code, stdout, stderr } = await lab.run(['tools'])
    expect(code).toBe(3)
    expect(stdout).toBe('')
    for (const key of ['max_depth', 'allow_host_bash']) {
      const line = lab.lineOf('toolgate.yaml', `${key}:`)
      expect(stderr).toMatch(new RegExp(`toolgate.yaml:${line} .*${key}`))
    }
    expect(stderr.match(/^error config-type/gm)).toHaveLength(2)
    expect(stderr.match(/^ {2}do /gm)).toHaveLength(2)
  })
})
