import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Candidate, EffectClass, ToolRole } from '../../src/core/candidate.ts'
import { compileRules } from '../../src/permissions/compile-rules.ts'
import { judgeCall } from '../../src/permissions/conditions.ts'
import { aCandidate } from '../../src/testing/index.ts'
import { aRule } from './a-rule.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/rules.md'), 'utf8')

/** Rows of every table with these headings, cells without backticks and without the escape of a bar. */
function rows(...headings: string[]): string[][] {
  const head = `| ${headings.join(' | ')} |`
  const found: string[][] = []
  let inside = false
  for (const line of page.split('\n')) {
    if (line === head) inside = true
    else if (!line.startsWith('|')) inside = false
    else if (inside && !line.startsWith('|---'))
      found.push(
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim()),
      )
  }
  return found
}

const code = (cell: string): string => cell.replace(/^`|`$/g, '')
const codes = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

const tools = new Map(
  rows('tool', 'server', 'surface name', 'group', 'effects', 'role').map(
    ([tool = '', server = '', name = '', group = '', effects = '', role = '']): [string, Candidate] => [
      code(name),
      aCandidate({
        originalName: code(tool),
        name: code(name),
        effects: effects.split(', ') as EffectClass[],
        ...(server === '' ? {} : { server: code(server) }),
        ...(group === '' ? {} : { group: code(group) }),
        ...(role === '' ? {} : { role: role as ToolRole }),
      }),
    ],
  ),
)
const kindOf = (list: string) => (list === 'allow' ? 'exact' : 'wide')

describe('docs/rules.md [G6]', () => {
  it('has tools and rows to run', () => {
    expect(tools.size).toBe(5)
    expect(rows('list', 'rule', 'means', 'does not mean').length).toBeGreaterThan(25)
    expect(rows('list', 'refused').length).toBeGreaterThan(8)
    expect(rows('list', 'rule', 'call', 'answer').length).toBeGreaterThan(25)
  })

  it.each(rows('list', 'rule', 'means', 'does not mean'))('%s %s means %s and not %s', (list, rule, means, not) => {
    const matcher = compileRules([{ text: code(rule ?? '') }], kindOf(list ?? ''))
    expect(matcher.faults).toEqual([])
    const met = [...tools].filter(([, tool]) => matcher.match(tool).length > 0).map(([name]) => name)
    expect(met).toEqual(expect.arrayContaining(codes(means ?? '')))
    for (const name of codes(not ?? '')) {
      expect(tools.has(name)).toBe(true)
      expect(met).not.toContain(name)
    }
  })

  it.each(rows('list', 'refused'))('%s %s is refused', (list, rule) => {
    const { faults, rules } = compileRules([{ text: code(rule ?? '') }], kindOf(list ?? ''))
    expect(rules).toEqual([])
    expect(faults.map(({ fault }) => fault.code)).toEqual([list === 'allow' ? 'rule-allow-too-wide' : 'rule-syntax'])
  })

  it.each(rows('list', 'rule', 'call', 'answer'))('%s %s on %s: %s', (list, rule, call, answer) => {
    const effect = list === 'allow' ? 'allow' : 'deny'
    const judged = judgeCall([aRule(effect, code(rule ?? ''))], JSON.parse(code(call ?? '')), { otherwise: 'allow' })
    expect(judged.effect).toBe(answer === 'meant' ? effect : 'none')
  })
})
