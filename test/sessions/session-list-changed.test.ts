import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listChangedBurst } from '../../src/sessions/session-list-changed.ts'
import { listedTool } from '../sources/scripted.ts'
import { call, opened, until, wires } from './session-wires.ts'

describe('notices that a list changed [M4, R8]', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const told = () => {
    const at: number[] = []
    const start = performance.now()
    const burst = listChangedBurst(() => at.push(Math.round(performance.now() - start)))
    return { at, burst }
  }

  it('are told soon when there is one', () => {
    const { at, burst } = told()
    burst.note()
    vi.advanceTimersByTime(60_000)
    expect(at).toEqual([100])
  })

  it('are one when five hundred come at once', () => {
    const { at, burst } = told()
    for (let left = 500; left > 0; left -= 1) burst.note()
    vi.advanceTimersByTime(60_000)
    expect(at).toEqual([100])
  })

  it('are two when they come for twenty seconds: at its beginning and when it is over', () => {
    const { at, burst } = told()
    for (let left = 60; left > 0; left -= 1) {
      burst.note()
      vi.advanceTimersByTime(333)
    }
    vi.advanceTimersByTime(60_000)
    expect(at).toHaveLength(2)
    expect(at[1]).toBeGreaterThan(20_000)
  })

  it('are told every half minute when they do not end', () => {
    const { at, burst } = told()
    for (let left = 600; left > 0; left -= 1) {
      burst.note()
      vi.advanceTimersByTime(500)
    }
    expect(at.length).toBeGreaterThan(8)
    expect(at.length).toBeLessThan(12)
  })

  it('are told anew after a pause', () => {
    const { at, burst } = told()
    burst.note()
    vi.advanceTimersByTime(5000)
    burst.note()
    vi.advanceTimersByTime(5000)
    expect(at).toEqual([100, 5100])
  })

  it('are told no more at the end', () => {
    const { at, burst } = told()
    burst.note()
    burst.end()
    burst.note()
    vi.advanceTimersByTime(60_000)
    expect(at).toEqual([])
  })
})

describe.each(wires)('a changed list over $wire in the $era era [M4]', (wire) => {
  it('reaches whoever listens, once for a storm in a call and with the new list', async () => {
    const plan = {
      pages: [{ tools: [listedTool('old')] }],
      lists: [[listedTool('new')]],
      calls: { storm: { listChanged: { times: 500, everyMs: 0 }, list: 0 } },
    }
    const { session, received } = await opened(wire, plan)
    let times = 0
    const lists: unknown[] = []
    const listened = new Promise<void>((resolve) => {
      session.onListChanged(async () => {
        times += 1
        lists.push(await session.page(undefined))
        resolve()
      })
    })
    if (wire.era === 'modern') await until(() => received().some(({ method }) => method === 'subscriptions/listen'))
    if (wire.wire === 'http' && wire.era === 'legacy') await until(() => received().some(({ verb }) => verb === 'GET'))
    await call(session, 'storm')
    await listened
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(times).toBeLessThanOrEqual(2)
    expect(lists.at(-1)).toMatchObject({ tools: [{ name: 'new' }] })
    expect(received().filter(({ method }) => method === 'tools/list').length).toBe(times)
  })

  it('is nobody’s matter once the subscription has ended', async () => {
    const { session } = await opened(wire, { calls: { look: { listChanged: { times: 1, everyMs: 0 } } } })
    let times = 0
    session.onListChanged(() => {
      times += 1
    })()
    await call(session, 'look')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(times).toBe(0)
  })
})
