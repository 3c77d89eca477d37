import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Unavailable } from '../../src/sessions/unavailable.ts'
import { aServer, call, failureOf, owner, quickCall, settled, stage, stageSession } from './pool-stage.ts'

const files = aServer('files')
const web = aServer('web')
const a = owner('a')
const b = owner('b')
const c = owner('c')

describe('whose session it is [M1]', () => {
  it('is the same for one server, user and thread, and another for any other', async () => {
    const { pool, openings } = stage({ max: 9 })
    expect(await quickCall(pool, files, a)).toBe(1)
    expect(await quickCall(pool, files, { ...a })).toBe(1)
    expect(await quickCall(pool, web, a)).toBe(2)
    expect(await quickCall(pool, files, b)).toBe(3)
    expect(await quickCall(pool, files, owner('a', 'U'))).toBe(4)
    expect(openings.map(({ request }) => [request.server.name, request.owner])).toEqual([
      ['files', a],
      ['web', a],
      ['files', b],
      ['files', owner('a', 'U')],
    ])
  })

  it('is never one from before an edit of the server, and one from after a change of what is offered', async () => {
    const { pool, sessions } = stage()
    expect(await quickCall(pool, files, a)).toBe(1)
    expect(await quickCall(pool, aServer('files', { env: { TOKEN: 'new' } }), a)).toBe(2)
    expect(await quickCall(pool, aServer('files', { excludeTools: ['x'], callTimeoutMs: 1 }), a)).toBe(1)
    await pool.endServer('files')
    expect(sessions.map((session) => session.ends())).toEqual([1, 1])
  })

  it.each([
    ['user', { user: '../u2', thread: 't' }],
    ['user', { user: '', thread: 't' }],
    ['thread', { user: 'u', thread: 'a:b' }],
    ['thread', { user: 'u', thread: `${'x'.repeat(64)}y` }],
    ['user', { user: 'café', thread: 't' }],
    ['user', { user: 'u\n', thread: 't' }],
    ['thread', { user: 'u', thread: undefined as unknown as string }],
  ])('cannot be that of a %s with an id that is none: %o', async (which, strange) => {
    const { pool, openings } = stage()
    const session = stageSession(1)
    for (const asked of [
      quickCall(pool, files, strange),
      pool.adopt(files, strange, session),
      pool.endThread(strange),
    ]) {
      const { code, words } = await failureOf(asked)
      expect(code).toBe('invalid-id')
      expect(words).toContain(`the ${which} id`)
    }
    expect(session.ends()).toBe(1)
    expect(openings).toEqual([])
    expect(pool.states()).toEqual([])
  })
})

describe('one start for all who ask [M1]', () => {
  it('opens once for fifty callers, and a cancelled first one fails nobody else', async () => {
    const { pool, openings } = stage({ opener: 'waits' })
    const first = new AbortController()
    const calls = [call(pool, files, a, { signal: first.signal })]
    for (let more = 1; more < 50; more += 1) calls.push(call(pool, files, a))
    first.abort()
    await settled()
    expect(openings).toHaveLength(1)
    expect(openings[0]?.request.signal.aborted).toBe(false)
    openings[0]?.give()
    await settled()
    expect(calls.map((one) => one.state())).toEqual(['call-cancelled', ...Array(49).fill('1')])
    for (const one of calls) one.end()
    await settled()
    expect(calls.slice(1).map((one) => one.state())).toEqual(Array(49).fill('done'))
  })

  it('calls the start off when all have gone, and ends a session that comes all the same', async () => {
    const { pool, openings, sessions } = stage({ opener: 'waits' })
    const [one, other] = [new AbortController(), new AbortController()]
    const calls = [call(pool, files, a, { signal: one.signal }), call(pool, files, a, { signal: other.signal })]
    one.abort()
    expect(openings[0]?.request.signal.aborted).toBe(false)
    other.abort()
    expect(openings[0]?.request.signal.aborted).toBe(true)
    openings[0]?.give()
    await settled()
    expect(calls.map((each) => each.state())).toEqual(['call-cancelled', 'call-cancelled'])
    expect(sessions[0]?.ends()).toBe(1)
    expect(pool.states()).toEqual([])
  })

  it('begins no second start of a key while the first, called off, is still ending', async () => {
    const { pool, openings } = stage({ opener: 'waits' })
    const first = new AbortController()
    call(pool, files, a, { signal: first.signal })
    first.abort()
    const next = call(pool, files, a)
    await settled()
    expect(openings).toHaveLength(1)
    openings[0]?.fail(new Error('called off'))
    await settled()
    expect(openings).toHaveLength(2)
    openings[1]?.give()
    await settled()
    expect(next.state()).toBe('1')
  })

  it('fails all who wait once when the start fails, with state and words, and keeps nothing half-open [R3]', async () => {
    const { pool, openings, told } = stage({ opener: 'waits' })
    const calls = [1, 2, 3].map(() => call(pool, files, a))
    const failures = Promise.all(calls.map((one) => failureOf(one.result)))
    openings[0]?.fail(new Unavailable('timed-out', 'no answer to initialize within 20 s'))
    for (const { code, words } of await failures) {
      expect(code).toBe('server-unavailable')
      expect(words).toBe('server "files" is not available (timed-out): no answer to initialize within 20 s')
    }
    expect(told).toEqual(['files u/a starting', 'files u/a waiting'])
    expect(pool.states().map(({ phase, busy }) => [phase, busy])).toEqual([['waiting', 0]])
  })

  it('does not wait for ever for an opener that forgets its deadline [R3]', async () => {
    const { pool, clock, openings, sessions } = stage({ opener: 'waits' })
    const asked = call(pool, aServer('slow', { startTimeoutMs: 1000 }), a)
    await clock.pass(2999)
    expect(asked.state()).toBe('waiting')
    await clock.pass(1)
    expect(asked.state()).toBe('server-unavailable')
    expect(openings[0]?.request.signal.aborted).toBe(true)
    await clock.pass(20_000)
    expect(pool.states().map(({ phase }) => phase)).toEqual(['waiting'])
    openings[0]?.give()
    await settled()
    expect(sessions[0]?.ends()).toBe(1)
  })

  it('gives a start the time it needs, whoever joins it and however short callers wait for room', async () => {
    const { pool, clock, openings } = stage({ opener: 'waits', waitMs: 100, idleMs: 1000 })
    const calls = [call(pool, files, a), call(pool, files, a)]
    await clock.pass(15_000)
    expect(calls.map((one) => one.state())).toEqual(['waiting', 'waiting'])
    openings[0]?.give()
    await settled()
    expect(calls.map((one) => one.state())).toEqual(['1', '1'])
    for (const one of calls) one.end()
    await clock.pass(50_000)
    expect(openings).toHaveLength(1)
  })

  it('opens nothing for a caller that has left before it asks', async () => {
    const { pool, openings } = stage()
    expect(call(pool, files, a, { signal: AbortSignal.abort() }).state()).toBe('waiting')
    await settled()
    expect(openings).toEqual([])
  })

  it('runs no work for a caller that left in the moment in which its session came', async () => {
    const { pool, openings } = stage({ opener: 'waits' })
    const signal = new AbortController()
    const asked = call(pool, files, a, { signal: signal.signal })
    openings[0]?.give()
    await Promise.resolve()
    signal.abort()
    await settled()
    expect([asked.session(), asked.state()]).toEqual([undefined, 'call-cancelled'])
    expect(pool.states()[0]?.phase).toBe('open')
  })
})

describe('a bound on sessions [M1]', () => {
  it('ends the session that was idle for longest to make room', async () => {
    const { pool, clock, sessions } = stage({ max: 3 })
    for (const thread of [a, b, c]) {
      await quickCall(pool, files, thread)
      await clock.pass(10)
    }
    await quickCall(pool, files, a)
    expect(await quickCall(pool, files, owner('d'))).toBe(4)
    expect(sessions.map((session) => session.ends())).toEqual([0, 1, 0, 0])
  })

  it('ends one for one who waits, however many ask for it', async () => {
    const { pool, openings, sessions } = stage({ max: 2 })
    for (const thread of [a, b]) await quickCall(pool, files, thread)
    sessions[0]?.clingToLife()
    const calls = [call(pool, files, c), call(pool, files, c)]
    await settled()
    expect(sessions.map((session) => session.ends())).toEqual([1, 0])
    sessions[0]?.die()
    await settled()
    expect(openings.map(({ request }) => request.owner.thread)).toEqual(['a', 'b', 'c'])
    for (const one of calls) one.end()
  })

  it('does not count on the room of one that is on its way out and busy', async () => {
    const { pool, sessions } = stage({ max: 2 })
    const busy = call(pool, files, a)
    await quickCall(pool, web, b)
    void pool.endServer('files', 60_000)
    const next = call(pool, files, c)
    await settled()
    expect(sessions.map((session) => session.ends())).toEqual([0, 1, 0])
    expect(next.state()).toBe('3')
    busy.end()
  })

  it('waits until the session that makes room is gone', async () => {
    const { pool, openings, sessions } = stage({ max: 1 })
    await quickCall(pool, files, a)
    sessions[0]?.clingToLife()
    const next = call(pool, files, b)
    await settled()
    expect(sessions[0]?.ends()).toBe(1)
    expect(openings).toHaveLength(1)
    sessions[0]?.die()
    await settled()
    expect(next.state()).toBe('2')
  })

  it('never ends one that is in use: the ninth of eight waits, then is told that the pool is full [R20]', async () => {
    const { pool, clock, sessions } = stage({ max: 8 })
    const busy = Array.from({ length: 8 }, (_, index) => call(pool, files, owner(`t${index}`)))
    await settled()
    const ninth = call(pool, files, owner('t8'))
    await clock.pass(9999)
    expect(ninth.state()).toBe('waiting')
    await clock.pass(1)
    const { code, words } = await failureOf(ninth.result)
    expect(code).toBe('pool-full')
    expect(words).toContain('all 8 sessions that may be open are busy, and 10 s of waiting made no room')
    expect(sessions.map((session) => session.ends())).toEqual(Array(8).fill(0))
    for (const one of busy) one.end()
    await settled()
    expect(busy.map((one) => one.state())).toEqual(Array(8).fill('done'))
  })

  it('lets those who wait in as they came, one key after another', async () => {
    const { pool, sessions } = stage({ max: 1 })
    const running = call(pool, files, a)
    const order: string[] = []
    const wait = (thread: string) =>
      pool.use(files, owner(thread), async () => {
        order.push(thread)
      })
    const waiting = ['b', 'b', 'c', 'b', 'd', 'c'].map(wait)
    await settled()
    running.end()
    await Promise.all(waiting)
    expect(order).toEqual(['b', 'b', 'b', 'c', 'c', 'd'])
    expect(sessions).toHaveLength(4)
  })

  it('gives room to who waits, not to the one who had it and asks again', async () => {
    const { pool } = stage({ max: 1 })
    const first = call(pool, files, a)
    const waiting = call(pool, files, b)
    await settled()
    first.end()
    await first.result
    const again = call(pool, files, a)
    await settled()
    expect([waiting.state(), again.state()]).toEqual(['2', 'waiting'])
    waiting.end()
    await settled()
    expect(again.state()).toBe('3')
  })

  it('keeps the place of a key for those who stay when its first caller leaves', async () => {
    const { pool } = stage({ max: 1 })
    const running = call(pool, files, a)
    const leaves = new AbortController()
    const [first, second, other] = [
      call(pool, files, b, { signal: leaves.signal }),
      call(pool, files, b),
      call(pool, files, c),
    ]
    await settled()
    leaves.abort()
    running.end()
    await settled()
    expect([first?.state(), second?.state(), other?.state()]).toEqual(['call-cancelled', '2', 'waiting'])
  })

  it('counts what is starting', async () => {
    const { pool, openings } = stage({ max: 2, opener: 'waits' })
    for (const thread of [a, b, c]) call(pool, files, thread)
    await settled()
    expect(openings).toHaveLength(2)
    openings[0]?.fail(new Error('no'))
    await settled()
    expect(openings.map(({ request }) => request.owner.thread)).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['max', { max: 0 }],
    ['max', { max: 1.5 }],
    ['idleMs', { idleMs: -1 }],
    ['waitMs', { waitMs: Number.NaN }],
  ])('refuses a %s that makes no sense when it is made', (name, options) => {
    expect(() => stage(options)).toThrow(name)
  })
})

describe('an idle session [M1]', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is ended after its time, and not before', async () => {
    const { pool, clock, sessions, told } = stage({ idleMs: 1000 })
    await quickCall(pool, files, a)
    await clock.pass(999)
    await quickCall(pool, files, a)
    await clock.pass(999)
    expect(sessions[0]?.ends()).toBe(0)
    await clock.pass(1)
    expect(sessions[0]?.ends()).toBe(1)
    expect(told.map((line) => line.split(' ')[2])).toEqual(['starting', 'busy', 'closing', 'ended'])
    expect(pool.states()).toEqual([])
  })

  it('is not idle while a call runs, however long', async () => {
    const { pool, clock, sessions } = stage({ idleMs: 1000 })
    await quickCall(pool, files, a)
    const long = call(pool, files, a)
    await quickCall(pool, files, a)
    await clock.pass(50_000)
    expect(sessions[0]?.ends()).toBe(0)
    long.end()
    await clock.pass(1000)
    expect(sessions[0]?.ends()).toBe(1)
  })

  it('lives by the monotonic clock: a jump of the time of day changes nothing but what people read [R16]', async () => {
    const { pool, clock, sessions } = stage({ idleMs: 1000 })
    vi.setSystemTime('2026-05-01T12:00:00Z')
    await quickCall(pool, files, a)
    vi.setSystemTime('2026-05-01T13:00:00Z')
    await clock.pass(500)
    expect(pool.states()[0]).toMatchObject({ phase: 'open', since: '2026-05-01T12:00:00.000Z' })
    vi.setSystemTime('2026-05-01T11:00:00Z')
    await clock.pass(499)
    expect(sessions[0]?.ends()).toBe(0)
    await clock.pass(1)
    expect(sessions[0]?.ends()).toBe(1)
  })
})
