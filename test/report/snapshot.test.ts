import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/core/assemble.ts'
import { snapshotOf } from '../../src/report/snapshot.ts'
import { sha256 } from '../../src/testing/world.ts'
import { aDesk, deskGates } from './desk.ts'

describe('a stored inventory [S6]', () => {
  const run = aDesk()
  const document = snapshotOf(run, '2026-11-30T12:00:00.000Z')

  it('holds every candidate, excluded ones too, with facts, servers and findings', () => {
    expect(document).toMatchObject({ schema: 'toolgate.snapshot/1', preset: 'default', facts: run.surface.facts })
    expect(document.candidates).toHaveLength(9)
    expect([document.servers, document.findings]).toEqual([run.servers, run.findings])
  })

  it('gives the same surface when it is read back', () => {
    const { facts, candidates } = JSON.parse(JSON.stringify(document)) as typeof document
    expect(assemble(facts, candidates, deskGates, { sha256 }).hash).toBe(run.surface.hash)
  })
})
