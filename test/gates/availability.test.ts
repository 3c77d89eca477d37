import { expect, test } from 'vitest'
import { unavailableStates } from '../../src/core/candidate.ts'
import { availability } from '../../src/gates/availability.ts'
import { aCandidate } from '../../src/testing/index.ts'
import { availabilityCases } from './cases/availability.ts'
import { stepOf } from './gate-case.ts'
import { runCases } from './run-cases.ts'

runCases('availability [G13]', availability, availabilityCases)

test('has a code for every state a tool can be in [G13]', () => {
  expect(Object.keys(availability.reasons).sort()).toEqual(['available', 'not-started', ...unavailableStates].sort())
})

test('says whose fault it is, what happened and when the tool was last seen (C-015)', () => {
  const candidate = aCandidate({
    server: 'mail',
    availability: { state: 'login-needed', detail: 'HTTP 401', lastListedAt: '2026-10-01T08:00:00Z' },
  })
  const { evidence } = stepOf(availability, { name: '', candidate, code: '' })
  const reason = availability.reasons['login-needed']
  expect(reason.say.en(evidence as never, candidate)).toBe(
    'server "mail" wants a login first (HTTP 401), last listed at 2026-10-01T08:00:00Z',
  )
  expect(reason.hint?.en(evidence as never, candidate)).toBe(
    'log in to server "mail" with `toolgate login`, then run again',
  )
})
