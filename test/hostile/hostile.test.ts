import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCases } from '../../scripts/hostile/case.ts'
import { kinds } from '../../scripts/hostile/kinds.ts'
import { runCase } from '../../scripts/hostile/run-cases.ts'

const dataDir = resolve(import.meta.dirname, '../fixtures/hostile')
const cases = readCases(dataDir)

describe.each(kinds)('hostile inputs of kind $kind [Q3]', (kind) => {
  const own = cases.filter((one) => one.kind === kind.kind)

  it('has cases', () => {
    expect(own.length).toBeGreaterThan(0)
  })

  it.each(own.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
    expect(await runCase(kind, one, dataDir)).toEqual([])
  })
})
