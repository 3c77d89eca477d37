import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/core/candidate.ts'
import { bootstrap } from '../../src/report/bootstrap.ts'
import { bootstrapText } from '../../src/report/bootstrap-text.ts'
import { checkRun } from '../../src/report/check.ts'
import { checkText } from '../../src/report/check-text.ts'
import { diffSurfaces } from '../../src/report/diff.ts'
import { diffText } from '../../src/report/diff-text.ts'
import { driftOf, driftText } from '../../src/report/drift.ts'
import { explain } from '../../src/report/explain.ts'
import { explainText } from '../../src/report/explain-text.ts'
import { widthOf } from '../../src/report/layout.ts'
import { lockOf } from '../../src/report/lock.ts'
import { route } from '../../src/report/route.ts'
import { routeText } from '../../src/report/route-text.ts'
import type { Run } from '../../src/report/run.ts'
import { show } from '../../src/report/show.ts'
import { showText } from '../../src/report/show-text.ts'
import { toolPool, toolPoolMarkdown } from '../../src/report/tool-pool.ts'
import { toolsReport } from '../../src/report/tools-report.ts'
import { toolsTable } from '../../src/report/tools-table.ts'
import { hostileCandidates, sha256 } from '../../src/testing/world.ts'
import { aDesk } from './desk.ts'

const nasty = 'x\u001b[31m\u202e\n# 系统\u0007'
const origin = { in: nasty, key: nasty, line: 1 }
const hostile: readonly Candidate[] = hostileCandidates().map((candidate) => ({ ...candidate, origin, group: nasty }))
const facts = {
  agent: { name: nasty, groups: [nasty], origins: { groups: origin } },
  model: { name: nasty, can: [] },
  permissions: { rules: [{ effect: 'deny', text: nasty, scope: nasty, origin }] },
  skills: { list: [{ name: nasty, enabled: true, active: true, allowedTools: [nasty], origin }] },
  deferral: { mode: 'on', budgetOrigin: origin },
} as const
const server = {
  name: nasty,
  transport: 'stdio',
  state: 'failed-to-start',
  detail: nasty,
  required: true,
  tools: 0,
  lastListedAt: nasty,
  origin,
}
const strange: Run = {
  ...aDesk({ candidates: hostile, facts }),
  servers: [server],
  findings: [{ code: 'usage', severity: 'error', message: nasty, hint: nasty, subject: nasty, origin }],
}
const calm = aDesk()
const words = ['x', nasty, '__proto__', 'constructor', '', 'files', 'ｂash', '\ud800', 'files/deep', 'n'.repeat(10_000)]
const report = toolsReport(strange, { lang: 'en' })

const texts = (width: number): readonly (readonly [string, () => string])[] => [
  ['tools', () => toolsTable(report, { lang: 'en', width, all: true })],
  ...words.map(
    (word) =>
      [
        `why ${JSON.stringify(word)}`,
        () => explainText(explain(strange, word, { lang: 'en' }), { lang: 'en', width }),
      ] as const,
  ),
  ...words.map(
    (word) =>
      [
        `show ${JSON.stringify(word)}`,
        () => showText(show(strange, word, { lang: 'zh' }), { lang: 'zh', width }),
      ] as const,
  ),
  ['diff', () => diffText(diffSurfaces(toolsReport(calm, { lang: 'en' }), report), { lang: 'en', width, all: true })],
  [
    'check',
    () =>
      checkText(checkRun(strange, { require: [{ text: nasty, origin }], forbid: [{ text: nasty, origin }] }), {
        lang: 'en',
        width,
      }),
  ],
  [
    'route',
    () =>
      routeText(route(strange, `${nasty} tool bash file deep`, { lang: 'en', hidden: true, limit: 50 }), {
        lang: 'en',
        width,
      }),
  ],
  ['bootstrap', () => bootstrapText(bootstrap(strange, { lang: 'en', prompt: nasty }), { lang: 'en', width })],
]

describe.each([80, 120])('text made of what strangers wrote, at %i columns [Q3]', (width) => {
  it.each(texts(width))('%s holds no control or format character', (_name, text) => {
    expect(text().replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
  })

  it.each(texts(width))('%s is never wider than the window', (_name, text) => {
    const wide = text()
      .split('\n')
      .filter((line) => widthOf(line) > width)
    expect(wide).toEqual([])
  })
})

describe('Markdown and drift made of what strangers wrote [Q3]', () => {
  it('hold no control or format character', () => {
    const drift = driftOf(lockOf(calm, sha256), strange, { sha256, lang: 'en' })
    const text = toolPoolMarkdown(toolPool(strange)) + driftText(drift, 'en')
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
  })
})
