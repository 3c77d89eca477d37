import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/sessions/pool/system-clock.ts'
import { aServer, call, failureOf, owner, quickCall, settled, stage, stageSession } from './pool-stage.ts'

const files = aServer('files')
const web = aServer('web')
const a = owner('a')
const b = owner('b')
const c = owner('c')

describe('ending [M1]', () => {
  it('a thread ends its sessions and nobody else’s; the thread may go on later [R22]', async () => {
    const { pool, sessions } = stage({ max: 9 })
    for (const server of [files, web]) for (const thread of [a, b]) await quickCall(pool, server, thread)
    await quickCall(pool, files, owner('a', 'other'))
    await pool.endThread(a)
    expect(sessions.map((session) => session.ends())).toEqual([1, 0, 1, 0, 0])
    expect(await quickCall(pool, files, a)).toBe(6)
  })

  it('lets running calls end first, and ends the session when its time is over', async () => {
    const { pool, clock, sessions } = stage()
    const [short, long] = [call(pool, files, a), call(pool, files, b)]
    await settled()
    let over = false
    void pool.endServer('files', 1000).then(() => {
      over = true
    })
    await settled()
    expect(pool.states().map(({ phase, busy }) => [phase, busy])).toEqual([
      ['closing', 1],
      ['closing', 1],
    ])
    short?.end()
    await settled()
    expect(sessions.map((session) => session.ends())).toEqual([1, 0])
    await clock.pass(999)
    expect(over).toBe(false)
    await clock.pass(1)
    expect(sessions.map((session) => session.ends())).toEqual([1, 1])
    expect(over).toBe(true)
    long?.end()
    await settled()
    expect([short?.state(), long?.state()]).toEqual(['done', 'done'])
  })

  it('gives a session that is on its way out to nobody', async () => {
    const { pool } = stage()
    const running = call(pool, files, a)
    await settled()
    void pool.endThread(a)
    const next = call(pool, files, a)
    await settled()
    expect(next.state()).toBe('waiting')
    running.end()
    await settled()
    expect([running.state(), next.state()]).toEqual(['done', '2'])
  })

  it('calls off who still waits, and what is starting', async () => {
    const { pool, clock, openings } = stage({ max: 1, opener: 'waits' })
    const [starting, inLine] = [call(pool, files, a), call(pool, web, a)]
    await settled()
    const ended = pool.endThread(a)
    expect(openings[0]?.request.signal.aborted).toBe(true)
    openings[0]?.fail(new Error('called off'))
    await ended
    expect([starting?.state(), inLine?.state()]).toEqual(['call-cancelled', 'call-cancelled'])
    expect(pool.states()).toEqual([])
    expect(openings).toHaveLength(1)
    expect(clock.set()).toBe(0)
  })

  it('closes for good [M1]', async () => {
    const { pool, clock, openings, sessions } = stage({ max: 9 })
    const running = call(pool, files, a)
    await quickCall(pool, files, b)
    const lateComer = stageSession(9)
    await settled()
    const closed = pool.close(100)
    expect((await failureOf(quickCall(pool, files, a))).code).toBe('pool-closed')
    expect(await pool.adopt(web, c, lateComer)).toBe(false)
    await clock.pass(100)
    await closed
    running.end()
    await settled()
    expect([...sessions, lateComer].map((session) => session.ends())).toEqual([1, 1, 1])
    expect((await failureOf(quickCall(pool, web, c))).code).toBe('pool-closed')
    expect(openings).toHaveLength(2)
    expect(pool.states()).toEqual([])
    expect(clock.set()).toBe(0)
  })

  it('keeps the shorter of two times', async () => {
    const { pool, clock, sessions } = stage()
    call(pool, files, a)
    await settled()
    void pool.endThread(a, 100)
    void pool.endThread(a, 60_000)
    await clock.pass(100)
    expect(sessions[0]?.ends()).toBe(1)
  })

  it('closes faster when it is asked once more with less time', async () => {
    const { pool, clock, sessions } = stage()
    call(pool, files, a)
    await settled()
    const closed = pool.close(60_000)
    void pool.close(0)
    await clock.pass(0)
    await closed
    expect(sessions[0]?.ends()).toBe(1)
  })
})

describe('a session that was opened for something else [M1]', () => {
  it('becomes the session of its owner when there is room and none exists', async () => {
    const { pool, clock, openings, sessions } = stage({ idleMs: 1000 })
    const listed = stageSession(7)
    expect(await pool.adopt(files, a, listed)).toBe(true)
    expect(await quickCall(pool, files, a)).toBe(7)
    expect([openings.length, sessions.length]).toEqual([0, 0])
    await clock.pass(1000)
    expect(listed.ends()).toBe(1)
  })

  it.each([
    ['when one exists', files, a, 9],
    ['when there is no room', web, a, 1],
  ])('is ended %s', async (_when, server, thread, max) => {
    const { pool } = stage({ max })
    const listed = stageSession(7)
    await quickCall(pool, files, a)
    expect(await pool.adopt(server, thread, listed)).toBe(false)
    expect(listed.ends()).toBe(1)
    expect(await quickCall(pool, files, a)).toBe(1)
  })

  it('is ended when it is over already', async () => {
    const { pool } = stage()
    const listed = stageSession(7)
    listed.die()
    expect(await pool.adopt(files, a, listed)).toBe(false)
    expect(listed.ends()).toBe(1)
    expect(pool.states()).toEqual([])
  })
})

describe('what the pool tells', () => {
  it('passes a change of the list on once for a burst, from all sessions of a server together', async () => {
    const { pool, clock, sessions, listsChanged } = stage()
    for (const thread of [a, b]) await quickCall(pool, files, thread)
    await quickCall(pool, web, a)
    for (let times = 0; times < 20; times += 1) for (const session of sessions) session.changeList()
    await clock.pass(1000)
    expect(listsChanged.sort()).toEqual(['files', 'web'])
    sessions[0]?.changeList()
    await clock.pass(1000)
    expect(listsChanged.filter((name) => name === 'files')).toHaveLength(2)
  })

  it('tells of no change any more once it closes', async () => {
    const { pool, clock, sessions, listsChanged } = stage()
    const running = call(pool, files, a)
    await quickCall(pool, web, a)
    sessions[1]?.changeList()
    const closed = pool.close(1000)
    sessions[0]?.changeList()
    await clock.pass(500)
    running.end()
    await closed
    expect(listsChanged).toEqual([])
    expect(sessions.map((session) => session.listeners())).toEqual([0, 0])
    expect(clock.set()).toBe(0)
  })

  it('tells states as they are, calls counted', async () => {
    const { pool } = stage()
    const running = [call(pool, files, a), call(pool, files, a)]
    await quickCall(pool, web, b)
    await settled()
    expect(pool.states()).toMatchObject([
      { server: 'files', owner: a, phase: 'busy', pid: 10_001, busy: 2, starts: 1, failures: 0 },
      { server: 'web', owner: b, phase: 'open', pid: 10_002, busy: 0, starts: 1, failures: 0 },
    ])
    for (const one of running) one.end()
  })

  it('is not disturbed by a listener that throws', async () => {
    const { pool } = stage({
      onState: () => {
        throw new Error('a fault of the listener')
      },
    })
    expect(await quickCall(pool, files, a)).toBe(1)
    await pool.close()
  })
})

it('leaves no timer and no listener behind', async () => {
  const { pool, clock } = stage({ max: 1 })
  const signal = new AbortController()
  const added = vi.spyOn(signal.signal, 'addEventListener')
  const removed = vi.spyOn(signal.signal, 'removeEventListener')
  for (const thread of [a, b, c]) await pool.use(files, thread, async () => {}, { signal: signal.signal })
  expect(added.mock.calls.length).toBe(3)
  expect(removed.mock.calls.length).toBe(3)
  await pool.close()
  expect(clock.set()).toBe(0)
})

it('has a clock of its own that keeps no process alive and takes no time for too long', async () => {
  const keeps = process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length
  let fired = false
  const callOff = systemClock.after(Number.POSITIVE_INFINITY, () => {
    fired = true
  })
  expect(process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length).toBe(keeps)
  const before = systemClock.now()
  await new Promise<void>((resolve) => {
    systemClock.after(5, resolve)
    setTimeout(resolve, 10_000).unref()
  })
  expect(systemClock.now()).toBeGreaterThan(before)
  expect(fired).toBe(false)
  callOff()
})
