import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterDeath,
  afterFailure,
  isBroken,
  isForgotten,
  noFailures,
  type RetryState,
  waitMsOf,
  whileOpen,
} from '../../src/sessions/pool/retry-policy.ts'

const now = 50_000
const failed = (times: number, random = 1): RetryState => {
  let state = noFailures
  for (let time = 0; time < times; time += 1) state = afterFailure(state, now, random)
  return state
}
const waits = (state: RetryState): number => Math.round(waitMsOf(state, now))

describe('how long a server that failed is left alone [Q4]', () => {
  it('doubles from a tenth of a second, and half a minute from the fifth failure on', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((times) => waits(failed(times)))).toEqual([0, 100, 200, 400, 800, 30_000, 30_000])
    expect([4, 5, 6].map((times) => isBroken(failed(times)))).toEqual([false, true, true])
  })

  it('is spread between the half and the whole, but for one that is broken', () => {
    expect([0, 0.5, 1].map((random) => waits(failed(3, random)))).toEqual([200, 300, 400])
    expect([0, 1].map((random) => waits(failed(5, random)))).toEqual([30_000, 30_000])
  })

  it('runs out as time passes', () => {
    const state = failed(1)
    expect([0, 60, 100, 5000].map((later) => waitMsOf(state, now + later))).toEqual([100, 40, 0, 0])
  })
})

describe('a death [Q4]', () => {
  it.each<[string, RetryState, { livedMs: number; served: boolean }, { failures: number; waits: number }]>([
    ['after it served, the first', noFailures, { livedMs: 10, served: true }, { failures: 1, waits: 0 }],
    ['after it served, the second', failed(1), { livedMs: 10, served: true }, { failures: 2, waits: 200 }],
    ['before it served', noFailures, { livedMs: 10, served: false }, { failures: 1, waits: 100 }],
    ['of one that was steady', failed(4), { livedMs: 5000, served: true }, { failures: 0, waits: 0 }],
    ['of one that was there and did nothing', failed(4), { livedMs: 5000, served: false }, { failures: 4, waits: 0 }],
    ['of one on its last try', failed(5), { livedMs: 4999, served: true }, { failures: 6, waits: 30_000 }],
  ])('%s', (_what, before, life, wanted) => {
    const after = afterDeath(before, life, now, 1)
    expect({ failures: after.failures, waits: waits(after) }).toEqual(wanted)
  })

  it('is not held against a session that is steady now', () => {
    expect(whileOpen(failed(3), { livedMs: 5000, served: true }).failures).toBe(0)
    expect(whileOpen(failed(3), { livedMs: 4999, served: true }).failures).toBe(3)
    expect(whileOpen(failed(3), { livedMs: 5000, served: false }).failures).toBe(3)
  })
})

it('forgets failures that nobody asked about for five minutes', () => {
  const state = failed(5)
  expect([0, 330_000, 330_001].map((later) => isForgotten(state, now + later))).toEqual([false, false, true])
  expect(isForgotten(noFailures, now)).toBe(true)
})

describe('in any half minute of asking, a server is started at most 12 times [R7]', () => {
  interface Life {
    readonly starts: boolean
    readonly livedMs: number
    readonly served: boolean
    readonly random: number
  }
  const expectFewStarts = (lives: readonly Life[]): void => {
    const startedAt: number[] = []
    let state = noFailures
    let time = 0
    for (const { starts, livedMs, served, random } of lives) {
      time += waitMsOf(state, time)
      startedAt.push(time)
      if (starts) time += livedMs
      state = starts ? afterDeath(state, { livedMs, served }, time, random) : afterFailure(state, time, random)
    }
    for (const at of startedAt)
      expect(startedAt.filter((other) => other >= at && other < at + 30_000).length).toBeLessThanOrEqual(12)
  }
  const random = fc.double({ min: 0, max: 1, noNaN: true })

  it('whatever it does short of serving for 5 s', () => {
    const short = fc.record({ starts: fc.boolean(), livedMs: fc.nat(4999), served: fc.boolean(), random })
    const useless = fc.record({
      starts: fc.constant(true),
      livedMs: fc.integer({ min: 5000, max: 9000 }),
      served: fc.constant(false),
      random,
    })
    const lives = fc.array(fc.oneof(short, useless), { minLength: 13, maxLength: 40 })
    fc.assert(fc.property(lives, expectFewStarts), { numRuns: 2000 })
  })

  it('at whatever pace it dies', () => {
    const pace = fc.record({ starts: fc.constant(true), livedMs: fc.nat(20_000), served: fc.boolean(), random })
    fc.assert(
      fc.property(pace, (life) => expectFewStarts(Array(40).fill(life))),
      { numRuns: 2000 },
    )
  })
})
