import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUse } from '../../src/sources/use-spec.ts'

const trusted = ['@langchain/openai', 'some-tools', 'other/inner']

describe('a use value [S1]', () => {
  it.each([
    ['./tools/notes.mjs:searchNotes', { kind: 'file', module: './tools/notes.mjs', export: 'searchNotes' }],
    ['./a/../b.mjs:x', { kind: 'file', module: './b.mjs', export: 'x' }],
    ['./with:colon.mjs:x', { kind: 'file', module: './with:colon.mjs', export: 'x' }],
    ['./tool.mjs:default', { kind: 'file', module: './tool.mjs', export: 'default' }],
    ['./tool.mjs:größe', { kind: 'file', module: './tool.mjs', export: 'größe' }],
    ['toolgate/tools:readFile', { kind: 'own', module: 'toolgate/tools', export: 'readFile' }],
    ['@langchain/openai:ChatOpenAI', { kind: 'package', module: '@langchain/openai', export: 'ChatOpenAI' }],
    ['some-tools/deep/er:t', { kind: 'package', module: 'some-tools/deep/er', export: 't' }],
    ['other/inner:t', { kind: 'package', module: 'other/inner', export: 't' }],
  ])('%s names a module and an export', (use, spec) => {
    expect(parseUse(use, trusted)).toEqual(spec)
  })

  it.each([
    ['', 'use-format'],
    [7, 'use-format'],
    ['./a.mjs', 'use-format'],
    ['./a.mjs:', 'use-format'],
    ['./a.mjs:b.c', 'use-format'],
    ['./a.mjs:1b', 'use-format'],
    [':b', 'use-format'],
    ['./%2e%2e/a.mjs:b', 'use-format'],
    ['./a.mjs?again=1:b', 'use-format'],
    ['./a.mjs#x:b', 'use-format'],
    ['.\\a.mjs:b', 'use-format'],
    ['.hidden/a.mjs:b', 'use-format'],
    ['./a.mjs\u0000:b', 'use-format'],
    ['./a\u202e.mjs:b', 'use-format'],
    ['Upper:b', 'use-format'],
    ['some-tools/../x:b', 'use-format'],
    [`./${'a'.repeat(2000)}.mjs:b`, 'use-format'],
    ['../a.mjs:b', 'use-outside'],
    ['..:b', 'use-outside'],
    ['./a/../../b.mjs:c', 'use-outside'],
    ['/etc/passwd:b', 'use-outside'],
    ['node:fs:readFile', 'use-scheme'],
    ['fs:readFile', 'use-scheme'],
    ['fs/promises:readFile', 'use-scheme'],
    ['https://example.com/x.mjs:t', 'use-scheme'],
    ['https://example.com/x.mjs', 'use-scheme'],
    ['file:///etc/hosts:t', 'use-scheme'],
    ['data:text/javascript,export const t = 1:t', 'use-scheme'],
    ['C:\\tools\\a.mjs:t', 'use-scheme'],
    ['left-pad:t', 'use-not-trusted'],
    ['@langchain/core/tools:tool', 'use-not-trusted'],
    ['other:t', 'use-not-trusted'],
    ['some-tools-evil:t', 'use-not-trusted'],
  ])('%j is refused as %s', (use, code) => {
    expect(parseUse(use, trusted)).toMatchObject({ code, message: expect.stringMatching(/^[^\p{Cc}\p{Cf}]{5,300}$/u) })
  })

  it('opens a module of Node to nobody, trusted or not', () => {
    expect(parseUse('child_process:exec', ['child_process'])).toMatchObject({ code: 'use-scheme' })
  })

  it('gives an answer for every text, and never a path that leaves the folder', () => {
    const pieces = fc.constantFrom(
      '.',
      '..',
      '/',
      './',
      ':',
      '%2e',
      'a',
      '\\',
      '?',
      '\u0000',
      '@',
      'toolgate',
      'node',
      '.mjs',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
        ),
        (use) => {
          const result = parseUse(use, trusted)
          if ('code' in result) return result.message.length > 0
          return result.kind !== 'file' || (result.module.startsWith('./') && !result.module.split('/').includes('..'))
        },
      ),
      { numRuns: 10_000 },
    )
  })
})
