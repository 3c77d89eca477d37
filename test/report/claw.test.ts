import { describe, expect, it } from 'vitest'
import { clawReport, clawText } from '../../src/report/claw.ts'
import { aCandidate } from '../../src/testing/world.ts'
import { aDesk, deskGates } from './desk.ts'

const entry = (name: string, hint: string) =>
  aCandidate({
    source: 'snapshot',
    name,
    id: `snapshot:${hint}`,
    meta: { source_hint: hint },
    origin: { in: 'inventory.json' },
  })

/** An inventory in the form of claw-code, with its traps: one name for many files, one of them spelled otherwise. */
const candidates = [
  entry('BashTool', 'tools/BashTool/BashTool.ts'),
  entry('prompt', 'tools/BashTool/prompt.ts'),
  entry('prompt', 'tools/FileReadTool/prompt.ts'),
  entry('Prompt', 'tools/GlobTool/prompt.ts'),
  entry('UI', 'tools/BashTool/UI.tsx'),
  entry('UI', 'tools/GlobTool/UI.tsx'),
  entry('SystemCpuTool', 'tools/SystemCpuTool/SystemCpuTool.ts'),
]
const claw = aDesk({ candidates, gates: deskGates.filter(({ id }) => id === 'permissions') })
const corrected = aDesk({ candidates })
const report = clawReport(claw, corrected, 'en')

describe('claw-code’s count beside the corrected one [G15]', () => {
  it('gives both counts', () => {
    expect(report).toMatchObject({ schema: 'toolgate.claw/1', entries: 7, claw: 7, corrected: 4 })
  })

  it('explains each difference by the gate that makes it', () => {
    expect(report.differences).toEqual([
      expect.objectContaining({
        name: 'prompt',
        hint: 'tools/FileReadTool/prompt.ts',
        claw: 'eager',
        corrected: 'excluded',
        settledBy: 'unique-name',
        reason: 'snapshot:tools/BashTool/prompt.ts came first to the name',
      }),
      expect.objectContaining({ name: 'Prompt', hint: 'tools/GlobTool/prompt.ts' }),
      expect.objectContaining({ name: 'UI', hint: 'tools/GlobTool/UI.tsx' }),
    ])
    expect(report.claw - report.corrected).toBe(report.differences.length)
  })

  it('explains what is left out by its filters alone from that side', () => {
    const rules = [{ effect: 'deny', text: 'SystemCpuTool', scope: 'config', origin: { in: 'x' } }] as const
    const strict = aDesk({ candidates, gates: claw.gates, facts: { permissions: { rules } } })
    const found = clawReport(strict, corrected, 'en').differences.find(({ name }) => name === 'SystemCpuTool')
    expect(found).toMatchObject({ claw: 'excluded', corrected: 'eager', settledBy: 'permissions' })
  })

  it('counts the entries that can never be reached by name, whatever the flags', () => {
    expect(report.unreachable).toBe(3)
    expect(report.repeated).toEqual([
      { name: 'prompt', entries: 3 },
      { name: 'UI', entries: 2 },
    ])
  })

  it('reads so', () => {
    expect(clawText(report, { lang: 'en', width: 100 })).toMatchInlineSnapshot(`
      "claw-code counts 7 of 7 entries; corrected, 4 are tools that can be reached

      3 entries differ
        unique-name 3
          - prompt (tools/FileReadTool/prompt.ts): snapshot:tools/BashTool/prompt.ts came first to the
            name
          - Prompt (tools/GlobTool/prompt.ts): snapshot:tools/BashTool/prompt.ts came first to the name
          - UI (tools/GlobTool/UI.tsx): snapshot:tools/BashTool/UI.tsx came first to the name

      3 entries can never be reached by name, because an earlier one bears it: prompt ×3, UI ×2"
    `)
    expect(clawText(clawReport(claw, claw, 'zh'), { lang: 'zh', width: 100 })).toMatchInlineSnapshot(`
      "claw-code 计得 7 个条目中的 7 个；修正后，可到达的工具为 7 个

      3 个条目永远无法按名称到达，因为名称已被更早的条目占用：prompt ×3, UI ×2"
    `)
  })
})
