import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Rule } from '../../src/core/run-facts.ts'
import { mcpBySubstringMark } from '../../src/gates/mcp-switch-by-substring.ts'
import { gateOrder, type PresetName } from '../../src/gates/order.ts'
import { simpleByNameMark } from '../../src/gates/simple-mode-by-name.ts'
import { aCandidate, type FactsOverrides, sha256, someFacts } from '../../src/testing/index.ts'

const outcomes = (preset: PresetName, facts: FactsOverrides, candidates: readonly Candidate[]) =>
  assemble(someFacts(facts), candidates, gateOrder[preset], { sha256 }).decisions.map(
    ({ candidate, outcome, settledBy, code, steps }) => ({ id: candidate.id, outcome, settledBy, code, steps }),
  )

describe('the three surprises of the first seed [G15]', () => {
  test('a configured tool shadows a built-in', () => {
    const candidates = [
      aCandidate({ originalName: 'ask_clarification' }),
      aCandidate({ source: 'builtin', originalName: 'ask_clarification' }),
    ]
    expect(outcomes('deerflow', {}, candidates)).toMatchObject([
      { outcome: 'eager', settledBy: 'unique-name', code: 'first-of-name' },
      { outcome: 'excluded', settledBy: 'unique-name', code: 'duplicate-name' },
    ])
  })

  test('groups touch configured tools only', () => {
    const candidates = [
      aCandidate({ originalName: 'fetch', group: 'web' }),
      aCandidate({ server: 'files', originalName: 'move_file', group: 'web' }),
    ]
    const facts = { agent: { groups: ['file'] } }
    expect(outcomes('deerflow', facts, candidates).map(({ outcome }) => outcome)).toEqual(['excluded', 'eager'])
    expect(outcomes('deerflow', facts, candidates)[1]?.steps[2]).toMatchObject({
      gate: 'tool-groups',
      code: 'group-ignored',
    })
    expect(outcomes('default', facts, candidates).map(({ outcome }) => outcome)).toEqual(['excluded', 'excluded'])
  })

  test('a name that the host-shell gate freed is taken over, and that is shown', () => {
    const candidates = [
      aCandidate({ originalName: 'bash', needs: ['host-shell'] }),
      aCandidate({ server: 'evil', originalName: 'bash', name: 'bash' }),
    ]
    expect(outcomes('deerflow', {}, candidates)).toMatchObject([
      { outcome: 'excluded', settledBy: 'host-shell' },
      { outcome: 'eager', settledBy: 'deferral' },
    ])
    expect(outcomes('deerflow', {}, candidates)[1]?.steps.find(({ gate }) => gate === 'unique-name')).toMatchObject({
      code: 'name-taken-over',
      evidence: { holder: 'config:bash', gate: 'host-shell' },
    })
    expect(outcomes('default', {}, candidates)[1]).toMatchObject({ outcome: 'excluded', code: 'reserved-name' })
  })

  test('a denied tool keeps its name from one that is allowed, because twins go before policy', () => {
    const candidates = [
      aCandidate({ server: 'a', originalName: 'search', name: 'search' }),
      aCandidate({ server: 'b', originalName: 'search', name: 'search' }),
    ]
    const rule: Rule = { effect: 'deny', text: 'a/*', scope: 'config', origin: { in: 'toolgate.yaml' } }
    const facts = { permissions: { rules: [rule] } }
    expect(outcomes('deerflow', facts, candidates).map(({ code }) => code)).toEqual(['denied', 'duplicate-name'])
    expect(outcomes('default', facts, candidates).map(({ outcome }) => outcome)).toEqual(['excluded', 'eager'])
  })
})

describe('the filters of the second seed [G15]', () => {
  // Made for this test, with the traps of such inventories: repeated names, the letters inside a word, and a
  // tool that came over MCP without having them.
  const entry = (originalName: string, path: string, given: Partial<Candidate> = {}): Candidate =>
    aCandidate({ source: 'snapshot', id: `snapshot:${path}`, originalName, ...given })
  const mcp = { marks: [mcpBySubstringMark] }
  const simple = { marks: [simpleByNameMark] }
  const inventory = [
    entry('BashTool', 'tools/BashTool/BashTool', { ...simple, role: 'shell' }),
    entry('prompt', 'tools/BashTool/prompt'),
    entry('FileReadTool', 'tools/FileReadTool/FileReadTool', { ...simple, role: 'file-read' }),
    entry('prompt', 'tools/FileReadTool/prompt'),
    entry('MCPTool', 'tools/MCPTool/MCPTool', { ...mcp, protocol: 'mcp' }),
    entry('prompt', 'tools/MCPTool/prompt', mcp),
    entry('SystemCpuTool', 'tools/SystemCpuTool', mcp),
    entry('RemoteIssueTool', 'tools/RemoteIssueTool', { protocol: 'mcp' }),
    entry('NotebookEditTool', 'tools/NotebookEditTool', { role: 'file-edit' }),
  ]
  const deny = (text: string): FactsOverrides => ({
    permissions: { rules: [{ effect: 'deny', text, scope: 'command line', origin: { in: 'command line' } }] },
  })
  const count = (facts: FactsOverrides): number =>
    outcomes('claw', facts, inventory).filter(({ outcome }) => outcome !== 'excluded').length

  test.each<readonly [string, FactsOverrides, number]>([
    ['everything, twins too', {}, 9],
    ['simple mode', { simpleMode: { on: true } }, 2],
    ['without MCP', { mcp: { on: false } }, 6],
    ['a denied prefix', deny('mcp*'), 8],
    ['a denied name that three entries bear', deny('PROMPT'), 6],
  ])('count %s as claw-code does', (_name, facts, expected) => expect(count(facts)).toBe(expected))

  test('say where the declared facts disagree', () => {
    const codes = (facts: FactsOverrides) =>
      outcomes('claw', facts, inventory).map(({ steps, code }) => [code, ...steps.map((s) => s.code)])
    const noMcp = codes({ mcp: { on: false } }).flat()
    expect(noMcp.filter((code) => code === 'mcp-missed').length).toBeGreaterThan(0)
    expect(noMcp.filter((code) => code === 'mcp-by-substring').length).toBeGreaterThan(0)
    expect(codes({ simpleMode: { on: true } }).flat()).toContain('role-without-the-name')
  })
})
