import { describe, expect, it } from 'vitest'
import { bounds } from '../../src/config/bounds.ts'
import { originAt } from '../../src/config/place.ts'
import { readJson } from '../../src/config/read-json.ts'

const read = (text: string) => readJson(text, '.mcp.json')
const said = (text: string): string[] => {
  const reading = read(text)
  const findings = 'faults' in reading ? reading.faults : reading.warnings
  return findings.map(({ severity, code, message }) => `${severity} ${code} ${message}`)
}

describe('readJson', () => {
  it('reads values with their places', () => {
    const text = '{\n  "mcpServers": {\n    "docs": { "args": ["-y", 1.5, null, true] }\n  }\n}'
    const reading = read(text)
    if ('faults' in reading) throw new Error(JSON.stringify(reading.faults))
    expect(JSON.parse(JSON.stringify(reading.value))).toEqual(JSON.parse(text))
    expect(Object.getPrototypeOf(reading.value)).toBeNull()
    expect(reading.warnings).toEqual([])
    expect(originAt(reading.place, ['mcpServers', 'docs', 'args', 1])).toEqual({
      in: '.mcp.json',
      key: 'mcpServers.docs.args[1]',
      line: 3,
      column: 30,
    })
  })

  it('tolerates comments and trailing commas, each with one warning that names the first line [C-178]', () => {
    expect(said('{\n  // team\n  "a": [1,\n  ],\n  /* more */\n}')).toEqual([
      'warning config-syntax a comment (line 2) is no JSON; it was read all the same',
      'warning config-syntax a trailing comma (line 3) is no JSON; it was read all the same',
    ])
    expect(read('{"a": [1,],}')).toMatchObject({ value: { a: [1] } })
  })

  it.each([
    ['a scalar', '3', 3],
    ['an empty list', '[]', []],
    ['a text with escapes', '"\\u0041\\n"', 'A\n'],
  ])('reads %s as the root', (_, text, value) => {
    expect(read(text)).toMatchObject({ value })
  })

  it.each([
    [
      'a key twice',
      '{"a": 1,\n "b": 2, "a": 3}',
      'config-duplicate-key the key "a" occurs twice in one object, first on line 1 (line 2)',
    ],
    ['__proto__', '{"__proto__": {"a": 1}}', 'config-unknown-key'],
    ['an empty key', '{"": 1}', 'config-type'],
    ['an open bracket', '{"a": [1', 'config-syntax'],
    ['a missing comma', '{"a": 1 "b": 2}', 'config-syntax comma expected (line 1)'],
    ['words', 'nothing', 'config-syntax invalid symbol (line 1)'],
    ['a bad escape', '{"a": "\\x"}', 'config-syntax invalid escape character'],
    ['two values', '1 2', 'config-syntax'],
  ])('refuses %s', (_, text, words) => {
    expect(said(text)[0]).toContain(words)
    expect(read(text)).toHaveProperty('faults')
  })

  it.each([
    ['open brackets', '['.repeat(bounds.fileBytes), 'config-too-deep'],
    ['open objects', '{"a":'.repeat(200_000), 'config-too-deep'],
    ['closed brackets', ']'.repeat(bounds.fileBytes), 'config-too-big'],
    ['commas', `[${','.repeat(bounds.fileBytes)}`, 'config-too-big'],
    ['garbage', '@'.repeat(bounds.fileBytes), 'config-syntax'],
    ['quotes', '"'.repeat(bounds.fileBytes), 'config-'],
  ])('ends in time on a file full of %s', (_, text, code) => {
    const start = performance.now()
    expect(said(text)[0]).toContain(code)
    expect(performance.now() - start).toBeLessThan(3000)
  })

  it('keeps at most a few faults of garbage', () => {
    expect(said(`[${'1 2 '.repeat(1000)}]`).length).toBeLessThanOrEqual(20)
  })
})
