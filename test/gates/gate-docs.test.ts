import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { gateDocs } from '../../scripts/gate-docs.ts'

test('docs/gates.md is what the tables say; `npm run docs` makes it', () => {
  expect(readFileSync(resolve(import.meta.dirname, '../../docs/gates.md'), 'utf8')).toBe(gateDocs())
})
