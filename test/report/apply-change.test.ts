import { describe, expect, it } from 'vitest'
import { canonicalJson, type Json } from '../../src/core/json.ts'
import { applyChange } from '../../src/report/apply-change.ts'
import { whatIf } from '../../src/report/what-if.ts'
import { aCandidate, sha256, someFacts } from '../../src/testing/world.ts'
import { aDesk, deskGates } from './desk.ts'

const text = (value: unknown): string => canonicalJson(value as Json)

describe('applyChange [D6]', () => {
  const facts = someFacts({ agent: { name: 'main', groups: ['web'] } })
  const candidate = aCandidate({ name: 'one' })

  it('changes the facts, and leaves the candidate', () => {
    const after = applyChange({ on: 'facts', op: 'add', path: ['agent', 'groups'], value: 'mail' }, facts, candidate)
    expect(after.facts.agent.groups).toEqual(['web', 'mail'])
    expect(after.candidate).toBe(candidate)
  })

  it('changes the candidate, and leaves the facts', () => {
    const after = applyChange({ on: 'candidate', op: 'set', path: ['group'], value: 'mail' }, facts, candidate)
    expect(after.candidate.group).toBe('mail')
    expect(after.facts).toBe(facts)
  })

  it('leaves what it was given as it was', () => {
    const before = [text(facts), text(candidate)]
    applyChange({ on: 'facts', op: 'remove', path: ['agent', 'groups'], value: 'web' }, facts, candidate)
    applyChange({ on: 'candidate', op: 'unset', path: ['definition', 'description'] }, facts, candidate)
    expect([text(facts), text(candidate)]).toEqual(before)
  })
})

describe('whatIf [D6]', () => {
  const { surface } = aDesk()

  it('gives another surface under changed facts, and leaves the first', () => {
    const { hash } = surface
    const changes = [{ on: 'facts', op: 'add', path: ['agent', 'groups'], value: 'web' }] as const
    const after = whatIf(surface, { gates: deskGates, changes, sha256 })
    expect(after.find('files__move_file')?.outcome).toBe('deferred')
    expect(surface.find('files__move_file')).toBeUndefined()
    expect([surface.hash, after.hash === hash]).toEqual([hash, false])
  })

  it('gives the same surface for no change', () => {
    expect(whatIf(surface, { gates: deskGates, changes: [], sha256 }).hash).toBe(surface.hash)
  })

  it('makes a change on a candidate only to the one that is named', () => {
    const changes = [{ on: 'candidate', op: 'set', path: ['availability'], value: { state: 'available' } }] as const
    const none = whatIf(surface, { gates: deskGates, changes, sha256 })
    expect(none.hash).toBe(surface.hash)
    const one = whatIf(surface, { gates: deskGates, changes, candidateId: 'mcp:lab/*', sha256 })
    expect(one.named('lab')[0]?.settledBy).toBe('deferral')
  })
})
