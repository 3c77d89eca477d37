import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorDocs } from '../../scripts/error-docs.ts'
import { errorCodes } from '../../src/errors.ts'

const root = resolve(import.meta.dirname, '../..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'errors.ts')
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n')

describe('the catalogue of codes', () => {
  it('is what docs/errors.md says', () => {
    expect(readFileSync(join(root, 'docs/errors.md'), 'utf8')).toBe(errorDocs())
  })

  it.each(Object.keys(errorCodes))('has no code that nothing uses: %s', (code) => {
    expect(sources.includes(`'${code}'`)).toBe(true)
  })
})
