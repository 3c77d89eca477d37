import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCases } from '../../scripts/hostile/case.ts'
import { kinds } from '../../scripts/hostile/kinds.ts'
import { runCase } from '../../scripts/hostile/run-cases.ts'

const dataDir = resolve(import.meta.dirname, '../fixtures/hostile')
const cases = readCases(dataDir)
/** CI has everything and allows no skip: what is missing there fails. */
const skips = process.env.TOOLGATE_NO_SKIP !== '1'

describe.each(kinds)('hostile inputs of kind $kind [Q3]', (kind) => {
  const own = cases.filter((one) => one.kind === kind.kind)

  it('has cases', () => {
    expect(own.length).toBeGreaterThan(0)
  })

  for (const one of own) {
    const missing = kind.needs?.(one)
    const name = missing === undefined || !skips ? one.id : `${one.id} (skipped: ${missing})`
    it.skipIf(skips && missing !== undefined)(name, async () => {
      expect(await runCase(kind, one, dataDir)).toEqual([])
    })
  }
})
