import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Requirement {
  readonly id: string
  readonly title: string
  readonly done: boolean
}

const root = resolve(import.meta.dirname, '../..')
const requirements = JSON.parse(readFileSync(join(root, 'docs/requirements.json'), 'utf8')) as Requirement[]

/** All test files but this folder's own, so that the list cannot cite itself. */
const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('house'))
  .map((file) => readFileSync(join(root, 'test', file), 'utf8'))
  .join('\n')

describe('the list of requirements', () => {
  it('has unique ids', () => {
    const ids = requirements.map((requirement) => requirement.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(requirements.filter((requirement) => requirement.done))('$id is cited by a test: $title', ({ id }) => {
    expect(new RegExp(`\\[[^\\]\\n]*\\b${id}\\b[^\\]\\n]*\\]`).test(tests)).toBe(true)
  })
})
