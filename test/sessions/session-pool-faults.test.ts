import { describe, expect, it } from 'vitest'
import { CallFailure } from '../../src/sessions/call-failure.ts'
import { Unavailable } from '../../src/sessions/unavailable.ts'
import { aServer, call, failureOf, owner, quickCall, settled, stage, stageSession } from './pool-stage.ts'

const files = aServer('files')
const web = aServer('web')
const a = owner('a')
const b = owner('b')

describe('a session that dies [M1, Q4]', () => {
  const died = new CallFailure('upstream-died', 'it exited with code 1', { sent: true })

  it('is replaced by the next call at once when it had served, and the lost call is not repeated [R1]', async () => {
    const { pool, sessions } = stage()
    await quickCall(pool, files, a)
    const lost = call(pool, files, a)
    const elsewhere = call(pool, files, b)
    await settled()
    sessions[0]?.die()
    lost.fail(died)
    expect((await failureOf(lost.result)).code).toBe('upstream-died')
    expect(await quickCall(pool, files, a)).toBe(3)
    expect(elsewhere.state()).toBe('2')
    expect(sessions.map((session) => session.ends())).toEqual([1, 0, 0])
  })

  it('takes nothing from its successor, however late its calls end [R1]', async () => {
    const { pool, clock, sessions } = stage({ idleMs: 1000 })
    await quickCall(pool, files, a)
    const late = call(pool, files, a)
    await settled()
    sessions[0]?.die()
    await settled()
    const next = call(pool, files, a)
    await settled()
    late.fail(died)
    await settled()
    sessions[0]?.die('once more')
    await clock.pass(5000)
    expect(next.state()).toBe('2')
    expect(sessions.map((session) => session.ends())).toEqual([1, 0])
    expect(pool.states()).toMatchObject([{ phase: 'busy', busy: 1, starts: 2, pid: 10_002 }])
  })

  it('is not given to a caller in the moment between its death and the news of it', async () => {
    const { pool, sessions } = stage()
    await quickCall(pool, files, a)
    sessions[0]?.die()
    expect(await quickCall(pool, files, a)).toBe(2)
  })

  it('does not hold up others when its end hangs', async () => {
    const { pool, clock, sessions } = stage({ max: 1, waitMs: 60_000 })
    await quickCall(pool, files, a)
    sessions[0]?.clingToLife()
    const next = call(pool, files, b)
    await clock.pass(9999)
    expect(next.state()).toBe('waiting')
    await clock.pass(1)
    expect(next.state()).toBe('2')
  })

  it('does not touch its successor when its end comes late after all', async () => {
    const { pool, clock, sessions } = stage({ waitMs: 60_000 })
    await quickCall(pool, files, a)
    sessions[0]?.clingToLife()
    void pool.endServer('files')
    const next = call(pool, files, a)
    await clock.pass(10_000)
    expect(next.state()).toBe('2')
    sessions[0]?.die()
    await settled()
    expect(pool.states()).toMatchObject([{ phase: 'busy', pid: 10_002 }])
    expect(await quickCall(pool, files, a)).toBe(2)
    next.end()
  })

  it('leaves nobody waiting who came in the moment of its death, when it must not be tried yet', async () => {
    const { pool } = stage()
    const listed = stageSession(7)
    await pool.adopt(files, a, listed)
    listed.die()
    const asked = call(pool, files, a)
    await settled()
    expect(asked.state()).toBe('server-unavailable')
    expect((await failureOf(asked.result)).words).toContain('(ended): exited with code 1; it failed once')
  })

  it('has served when it answered with an error', async () => {
    const { pool, sessions } = stage()
    const refused = call(pool, files, a)
    await settled()
    refused.fail(new CallFailure('upstream-error', 'no such tool', { sent: true }))
    await settled()
    sessions[0]?.die()
    await settled()
    expect(await quickCall(pool, files, a)).toBe(2)
  })

  it('tells a caller when the old one does not end in time', async () => {
    const { pool, clock, sessions } = stage({ waitMs: 100 })
    await quickCall(pool, files, a)
    sessions[0]?.clingToLife()
    void pool.endServer('files')
    const next = call(pool, files, a)
    await clock.pass(100)
    const { code, words } = await failureOf(next.result)
    expect(code).toBe('server-unavailable')
    expect(words).toContain('the last session of server "files" has not ended within 0.1 s')
  })
})

describe('a server that fails again and again [Q4]', () => {
  const refusing = {
    opener: ({ fail }: { readonly fail: (error: unknown) => void }) => fail(new Error('no such program')),
  }

  it('is left alone for longer and longer, and says when it may be tried', async () => {
    const { pool, clock, openings } = stage(refusing)
    const waits: number[] = []
    for (let tries = 0; tries < 4; tries += 1) {
      await failureOf(quickCall(pool, files, a))
      const { code, words } = await failureOf(quickCall(pool, files, a))
      expect(code).toBe('server-unavailable')
      expect(words).toMatch(
        /^server "files" is not available \(failed-to-start\): no such program; it failed .* and may be tried again in 0\.\d s$/,
      )
      const { retryInMs = 0 } = pool.states()[0] ?? {}
      waits.push(retryInMs)
      await clock.pass(retryInMs)
    }
    expect(waits).toEqual([100, 200, 400, 800])
    expect(openings).toHaveLength(4)
  })

  it('is broken after five failures in a row; after half a minute one try decides', async () => {
    const { pool, clock, openings, told } = stage(refusing)
    const tryAgain = async () => {
      await clock.pass(pool.states()[0]?.retryInMs ?? 0)
      await failureOf(quickCall(pool, files, a))
    }
    for (let tries = 0; tries < 5; tries += 1) await tryAgain()
    expect(pool.states()).toMatchObject([{ phase: 'broken', failures: 5, retryInMs: 30_000 }])
    expect((await failureOf(quickCall(pool, files, a))).words).toContain(
      'it failed 5 times in a row and is left alone, and may be tried again in 30 s',
    )
    await tryAgain()
    expect(openings).toHaveLength(6)
    expect(pool.states()).toMatchObject([{ phase: 'broken', failures: 6, retryInMs: 30_000 }])
    expect(told.filter((line) => line.endsWith('broken'))).toHaveLength(2)
  })

  it('keeps the error it failed with for those who ask too early', async () => {
    const why = new Unavailable('login-needed', 'https://x.test wants a login (HTTP 401)')
    const { pool } = stage({ opener: ({ fail }) => fail(why) })
    for (let times = 0; times < 2; times += 1) {
      const error = await quickCall(pool, files, a).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(CallFailure)
      expect((error as CallFailure).cause).toBe(why)
      expect((error as CallFailure).message).toContain('(login-needed)')
    }
  })

  it('is no concern of other threads and servers', async () => {
    const { pool } = stage({
      opener: ({ request, give, fail }) =>
        request.server.name === 'files' && request.owner.thread === 'a' ? fail(new Error('no')) : give(),
    })
    for (let tries = 0; tries < 3; tries += 1) await failureOf(quickCall(pool, files, a))
    expect(await quickCall(pool, files, b)).toBe(1)
    expect(await quickCall(pool, web, a)).toBe(2)
  })

  it('that dies every 300 ms is started at most 12 times in 30 s of asking, with a line for each change alone [R7]', async () => {
    const { pool, clock, openings, sessions, states } = stage()
    const until = clock.now() + 30_000
    let answered = 0
    let dies = Number.POSITIVE_INFINITY
    while (clock.now() < until) {
      const before = sessions.length
      await quickCall(pool, files, a).then(
        () => {
          answered += 1
        },
        () => {},
      )
      if (sessions.length > before) dies = clock.now() + 300
      await clock.pass(10)
      if (clock.now() >= dies) {
        sessions.at(-1)?.die()
        dies = Number.POSITIVE_INFINITY
      }
    }
    expect(openings.length).toBeGreaterThan(3)
    expect(openings.length).toBeLessThanOrEqual(12)
    expect(answered).toBeGreaterThan(100)
    expect(states.length).toBeLessThanOrEqual(openings.length * 5)
    for (const [index, state] of states.entries()) expect(state.phase).not.toBe(states[index + 1]?.phase)
  })

  it('is as good as new once it lived for a while and served', async () => {
    const { pool, clock, sessions } = stage()
    for (let deaths = 0; deaths < 3; deaths += 1) {
      await quickCall(pool, files, a)
      sessions.at(-1)?.die()
      await settled()
      await clock.pass(pool.states()[0]?.retryInMs ?? 0)
    }
    expect(pool.states()[0]?.failures).toBe(3)
    await quickCall(pool, files, a)
    await clock.pass(5000)
    expect(pool.states()[0]?.failures).toBe(0)
    sessions.at(-1)?.die()
    await settled()
    expect(await quickCall(pool, files, a)).toBe(5)
  })

  it('has no failures any more once it served and was ended for idling', async () => {
    let fails = true
    const { pool, clock } = stage({
      idleMs: 1000,
      opener: ({ give, fail }) => (fails ? fail(new Error('no')) : give()),
    })
    await failureOf(quickCall(pool, files, a))
    fails = false
    await clock.pass(100)
    await quickCall(pool, files, a)
    await clock.pass(1000)
    expect(pool.states()).toEqual([])
  })

  it('is forgotten when its sessions are ended by name, as after a login', async () => {
    const { pool, openings } = stage({ opener: 'waits' })
    const asked = call(pool, files, a)
    openings[0]?.fail(new Unavailable('login-needed', 'it wants a login'))
    await failureOf(asked.result)
    await pool.endServer('files')
    expect(pool.states()).toEqual([])
    call(pool, files, a)
    expect(openings).toHaveLength(2)
  })

  it.each([
    ['EMFILE', 'as many files open as it may'],
    ['EAGAIN', 'starts no more processes'],
  ])('for want of what the system gives is told so by name (%s), and open sessions go on [R17]', async (code, what) => {
    const spawn = Object.assign(new Error(`spawn node ${code}`), { code })
    let short = false
    const { pool, clock } = stage({ opener: ({ give, fail }) => (short ? fail(spawn) : give()) })
    await quickCall(pool, files, a)
    short = true
    const { words } = await failureOf(quickCall(pool, files, b))
    expect(words).toContain(`${code}: `)
    expect(words).toContain(what)
    expect(await quickCall(pool, files, a)).toBe(1)
    short = false
    await clock.pass(100)
    expect(await quickCall(pool, files, b)).toBe(2)
  })

  it('is remembered for a bounded number of keys and a bounded time', async () => {
    const { pool, clock } = stage(refusing)
    for (let thread = 0; thread < 1200; thread += 1) await failureOf(quickCall(pool, files, owner(`t${thread}`)))
    expect(pool.states().length).toBeLessThanOrEqual(1001)
    await clock.pass(301_000)
    await failureOf(quickCall(pool, files, a))
    expect(pool.states()).toHaveLength(1)
  })
})
