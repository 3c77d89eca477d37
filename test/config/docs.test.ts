import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bounds } from '../../src/config/bounds.ts'
import { configJsonSchema } from '../../src/config/json-schema.ts'
import { given, usable } from './given-config.ts'

const page = readFileSync('docs/config.md', 'utf8')

/** Every key that the schema names, with the path it has there. */
function keysOf(node: unknown, path = ''): string[] {
  if (node === null || typeof node !== 'object') return []
  const { properties, items, additionalProperties } = node as Record<string, unknown>
  const own = Object.entries(properties ?? {}).flatMap(([key, inner]) => [
    `${path}.${key}`,
    ...keysOf(inner, `${path}.${key}`),
  ])
  return [...own, ...keysOf(items, `${path}[]`), ...keysOf(additionalProperties, `${path}.NAME`)]
}

describe('docs/config.md', () => {
  const keys = keysOf(configJsonSchema())

  it('has every key of the schema', () => {
    expect(keys.length).toBeGreaterThan(80)
    const named = new Set([...page.matchAll(/`([a-z_.]+)`/g)].flatMap(([, name = '']) => [name, ...name.split('.')]))
    expect(keys.filter((key) => !named.has(key.split('.').at(-1) ?? ''))).toEqual([])
  })

  it('has no key in its tables that the schema does not have', () => {
    const known = new Set(keys.flatMap((key) => key.split('.')))
    const rows = [...page.matchAll(/^\| `([a-z_.]+)` \|/gm)].flatMap(([, name = '']) => name.split('.'))
    expect(rows.length).toBeGreaterThan(60)
    expect(rows.filter((name) => !known.has(name))).toEqual([])
  })

  it('says what absent, empty and filled mean for every list', () => {
    const rows = page.split('\n').filter((line) => /^\| `[a-z_.]+` \| list/.test(line))
    expect(rows.length).toBeGreaterThan(25)
    for (const row of rows) {
      const [, absent = '', empty = '', filled = ''] = row.split(' | ').slice(1)
      const inWords = /absent or empty.*filled/.test(row)
      if (!inWords)
        for (const cell of [absent, empty, filled]) expect(cell.replace('|', '').trim(), row).not.toMatch(/^–?$/)
    }
  })

  it('shows a configuration that is read without a finding', async () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    const environment = { OPENAI_API_KEY: 'sk-1234567', TICKETS_TOKEN: 'token-1' }
    const { config, findings } = await given(example, { environment })
    expect(config?.agents.map(({ name }) => name)).toEqual(['main'])
    // The shared file is not beside it, so its two names lead nowhere; nothing else is wrong.
    expect(findings.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      'config-not-found .mcp.json',
      'unknown-name docs',
    ])
  })

  it('gives the defaults and bounds that hold', async () => {
    const config = await usable('version: 1')
    const number = (value: number) => value.toLocaleString('en-US')
    for (const value of [config.limits.resultBytes, config.limits.callTimeoutMs, config.limits.startTimeoutMs])
      expect(page).toContain(`| ${number(value)} |`)
    expect(page).toContain(`\`${config.state.url}\``)
    expect(page).toContain(`${bounds.depth} levels`)
    expect(page).toContain(`${number(bounds.tokens)} tokens`)
    expect(page).toContain(`${number(bounds.aliases)} aliases`)
    expect(page).toContain(`${number(bounds.aliasedValues)} values through aliases`)
  })
})
