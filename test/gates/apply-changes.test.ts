import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/core/gate.ts'
import { deepFreeze } from '../../src/core/json.ts'
import { applyChanges } from '../../src/gates/apply-changes.ts'
import { aCandidate, someFacts } from '../../src/testing/index.ts'
import { aSkill } from './cases/skill-tools.ts'

const first = aCandidate({ originalName: 'first' })
const second = aCandidate({ originalName: 'second', faults: [{ code: 'invalid-name', detail: 'x' }] })
const world = deepFreeze({
  facts: someFacts({
    agent: { groups: ['web'] },
    skills: { list: [aSkill('one'), aSkill('two', { allowedTools: ['a'] })] },
  }),
  candidates: [first, second],
})
const on = (op: Change['op'], path: string, value?: Change['value']): Change => ({
  on: 'facts',
  op,
  path: path.split('.'),
  ...(value === undefined ? {} : { value }),
})
const changed = (...changes: readonly Change[]) => applyChanges(world, second.id, changes).facts

describe('changes of the facts [D3]', () => {
  test('set and unset', () => {
    expect(changed(on('set', 'simpleMode.on', true)).simpleMode.on).toBe(true)
    expect('groups' in changed(on('unset', 'agent.groups')).agent).toBe(false)
  })

  test('add to a list and remove from it, by value, once', () => {
    expect(changed(on('add', 'agent.groups', 'file')).agent.groups).toEqual(['web', 'file'])
    expect(changed(on('add', 'agent.groups', 'web')).agent.groups).toEqual(['web'])
    expect(changed(on('remove', 'agent.groups', 'web')).agent.groups).toEqual([])
    const { origin: _, ...rest } = aSkill('one')
    const list = changed(on('remove', 'skills.list', { origin: { ...aSkill('one').origin }, ...rest })).skills.list
    expect(list.map(({ name }) => name)).toEqual(['two'])
  })

  test('go into a list by place', () => {
    expect(changed(on('add', 'skills.list.1.allowedTools', 'b')).skills.list[1]?.allowedTools).toEqual(['a', 'b'])
  })

  test('make a list that was not there, and go one after the other', () => {
    const pin = { id: 'x', definitionHash: 'y', approvedAt: 'now' }
    expect(changed(on('add', 'pins', pin), on('add', 'pins', { ...pin, id: 'z' })).pins?.map(({ id }) => id)).toEqual([
      'x',
      'z',
    ])
  })

  test('refuse a path that leads nowhere', () => {
    expect(() => changed(on('set', 'skills.list.9.name', 'x'))).toThrow(RangeError)
    expect(() => changed(on('set', 'agent.name.first', 'x'))).toThrow(RangeError)
  })

  test('reach no prototype', () => {
    changed(on('set', '__proto__.polluted', true), on('set', 'agent.__proto__.polluted', true))
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined()
  })
})

test('changes of the candidate go to the one with that id, and nothing else is touched [D3]', () => {
  const { candidates, facts } = applyChanges(world, second.id, [{ on: 'candidate', op: 'unset', path: ['faults'] }])
  expect(candidates[0]).toBe(first)
  expect('faults' in (candidates[1] ?? {})).toBe(false)
  expect(facts).toBe(world.facts)
  expect(second.faults?.length).toBe(1)
})
