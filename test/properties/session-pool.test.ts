// The pool against everything at once: callers that come, leave and take their time, openings that fail or come too
// late, sessions that die, clocks that run, ends from outside; in orders that a scheduler picks. What must hold is
// looked at from the outside, by whoever opens and ends sessions.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CallFailure } from '../../src/sessions/call-failure.ts'
import { sessionPool } from '../../src/sessions/pool/session-pool.ts'
import { aServer, owner, type StageSession, settled, stageClock, stageSession } from '../sessions/pool-stage.ts'

const servers = [aServer('files'), aServer('web'), aServer('files', { args: ['edited'] })]
const threads = [owner('a'), owner('b'), owner('c')]
const max = 2

type OpenOutcome = 'gives' | 'fails' | 'gives although nobody waits'
/** The pool waits 10 s for an end, and for an opening that it called off; after that it goes on without them. */
const patienceMs = 9999
type WorkEnd = 'ok' | 'call-timed-out' | 'upstream-error'

/** A session as whoever opened it sees it. */
interface Watched {
  readonly key: string
  readonly session: StageSession
  /** Nothing of it is left. */
  over: boolean
  /** Works that run with it. */
  workers: number
  /** It died, or somebody outside asked for its end: it may be ended although it is in use. */
  excused: boolean
}

interface Use {
  readonly signal: AbortController
  settled: number
  worked: number
  result: string
}

/** The world around a pool, with the rules that it must keep. Rules are checked where something happens. */
function world(scheduler: fc.Scheduler, outcomes: readonly OpenOutcome[]) {
  const clock = stageClock()
  const watched: Watched[] = []
  const opening = new Map<string, number>()
  const uses: Use[] = []
  const works = new Set<(end: WorkEnd) => void>()
  const broken: string[] = []
  let closed = false
  let opened = 0

  const keyOf = (server: number, thread: number): string => `${server} ${thread}`
  const living = () => watched.filter(({ over }) => !over)
  const openingNow = (): number => [...opening.values()].reduce((sum, count) => sum + count, 0)
  const check = (): void => {
    if (openingNow() + living().length > max) broken.push(`${openingNow()} opening and ${living().length} living`)
    for (const key of new Set([...opening.keys(), ...living().map((one) => one.key)])) {
      const count = (opening.get(key) ?? 0) + living().filter((one) => one.key === key).length
      if (count > 1) broken.push(`${count} sessions of ${key}`)
    }
  }

  function watch(key: string, session: StageSession, over = false): StageSession {
    const watchedSession = {
      ...session,
      die: () => {
        one.excused = true
        session.die()
      },
      end: async () => {
        if (one.workers > 0 && !one.excused) broken.push(`a session of ${key} was ended while in use`)
        if (session.ends() > 0) broken.push(`a session of ${key} was ended twice`)
        const ended = session.end()
        clock.after(patienceMs, () => {
          one.over = true
        })
        await scheduler.schedule(Promise.resolve(), `end of ${key}`)
        one.over = true
        await ended
      },
    }
    const one: Watched = { key, session: watchedSession, over, workers: 0, excused: closed }
    watched.push(one)
    return watchedSession
  }

  const pool = sessionPool({
    max,
    idleMs: 3000,
    waitMs: 2000,
    clock,
    random: () => 0.5,
    open: async ({ server, owner: { thread }, signal }) => {
      if (closed) broken.push('something was opened after the end')
      const key = keyOf(
        servers.indexOf(server),
        threads.findIndex((one) => one.thread === thread),
      )
      opening.set(key, (opening.get(key) ?? 0) + 1)
      let abandoned = false
      const done = once(() => opening.set(key, (opening.get(key) ?? 0) - 1))
      signal.addEventListener('abort', () =>
        clock.after(patienceMs, () => {
          abandoned = true
          done()
        }),
      )
      check()
      const outcome = outcomes[opened % outcomes.length]
      opened += 1
      await scheduler.schedule(Promise.resolve(), `opening of ${key}`)
      done()
      if (outcome === 'fails' || (outcome === 'gives' && signal.aborted)) throw new Error('it did not start')
      const session = watch(key, stageSession(watched.length), abandoned)
      check()
      return session
    },
  })

  function use(server: number, thread: number, atOnce: boolean): void {
    const one: Use = { signal: new AbortController(), settled: 0, worked: 0, result: '' }
    uses.push(one)
    const wasClosed = closed
    const work = async (given: unknown): Promise<string> => {
      one.worked += 1
      const mine = watched.find(({ session }) => session === given)
      if (mine === undefined) return 'no session of ours'
      if (mine.key !== keyOf(server, thread)) broken.push(`a caller of ${keyOf(server, thread)} got ${mine.key}`)
      if (mine.session.ends() > 0) broken.push('a caller got a session that was ended')
      if (atOnce) return 'ok'
      mine.workers += 1
      try {
        return await new Promise<string>((resolve, reject) => {
          const end = (how: WorkEnd): void => {
            works.delete(end)
            if (how === 'ok') resolve(how)
            else reject(new CallFailure(how, 'as the plan says', { sent: true }))
          }
          works.add(end)
          void mine.session.closed.then(() => {
            works.delete(end)
            reject(new CallFailure('upstream-died', 'it ended', { sent: true }))
          })
        })
      } finally {
        mine.workers -= 1
      }
    }
    const settle = (result: string): void => {
      one.settled += 1
      one.result = result
      if (wasClosed && result !== 'pool-closed') broken.push(`a caller after the end got ${result}`)
    }
    pool
      .use(servers[server] ?? aServer(), threads[thread] ?? owner('x'), work, { signal: one.signal.signal })
      .then(settle, (error) => settle(error.code ?? String(error)))
  }

  const excuse = (isMeant: (one: Watched) => boolean): void => {
    for (const one of watched) if (isMeant(one)) one.excused = true
  }
  const picked = <T>(from: readonly T[], index: number): T | undefined => from[index % from.length]

  return {
    broken,
    check,
    act: {
      use,
      cancel: (index: number) => picked(uses, index)?.signal.abort(),
      endWork: (index: number, how: WorkEnd) => picked([...works], index)?.(how),
      die: (index: number) => picked(living(), index)?.session.die(),
      pass: (ms: number) => clock.pass(ms),
      adopt: (server: number, thread: number) => {
        // What is opened elsewhere counts once the pool has it.
        const session = stageSession(100 + watched.length)
        const key = keyOf(server, thread)
        const isFree = openingNow() + living().length < max && !living().some((one) => one.key === key)
        const given = isFree && (opening.get(key) ?? 0) === 0 ? watch(key, session) : session
        void pool.adopt(servers[server] ?? aServer(), threads[thread] ?? owner('x'), given)
      },
      endThread: (thread: number) => {
        excuse(({ key }) => key.endsWith(` ${thread}`))
        void pool.endThread(threads[thread] ?? owner('x'), 500)
      },
      endServer: (server: number) => {
        excuse(({ key }) => servers[Number(key.split(' ')[0])]?.name === servers[server]?.name)
        void pool.endServer(servers[server]?.name ?? '', 500)
      },
      close: () => {
        closed = true
        excuse(() => true)
        void pool.close(500)
      },
    },
    /** Everything comes to its end: what is still wrong then. */
    end: async (): Promise<readonly string[]> => {
      for (const end of [...works]) end('ok')
      await scheduler.waitIdle()
      await clock.pass(100_000)
      await scheduler.waitIdle()
      closed = true
      excuse(() => true)
      void pool.close()
      await scheduler.waitIdle()
      await clock.pass(100_000)
      for (const end of [...works]) end('ok')
      await settled()
      for (const { settled: times, worked } of uses) {
        if (times !== 1) broken.push(`a caller was answered ${times} times`)
        if (worked > 1) broken.push(`a work ran ${worked} times`)
      }
      for (const { key, session } of watched) {
        if (session.ends() !== 1) broken.push(`a session of ${key} was ended ${session.ends()} times`)
        if (session.listeners() !== 0) broken.push(`a session of ${key} is still listened to`)
      }
      if (clock.set() > 0) broken.push(`${clock.set()} timers are set`)
      if (pool.states().length > 0) broken.push(`left: ${JSON.stringify(pool.states())}`)
      return broken
    },
  }
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}

type World = ReturnType<typeof world>

/** One thing that happens, with its name for a counterexample. */
const step = (name: string, act: (acts: World['act']) => unknown): fc.AsyncCommand<object, World> => ({
  check: () => true,
  toString: () => name,
  run: async (_model, real) => {
    await act(real.act)
    real.check()
  },
})

const server = fc.nat(servers.length - 1)
const thread = fc.nat(threads.length - 1)
const index = fc.nat(9)
const uses = fc
  .tuple(server, thread, fc.boolean())
  .map(([one, other, atOnce]) => step(`use ${one} ${other} ${atOnce}`, (act) => act.use(one, other, atOnce)))

const steps = [
  uses,
  uses,
  uses,
  uses,
  index.map((one) => step(`cancel ${one}`, (act) => act.cancel(one))),
  fc
    .tuple(index, fc.constantFrom<WorkEnd>('ok', 'ok', 'call-timed-out', 'upstream-error'))
    .map(([one, how]) => step(`end work ${one} ${how}`, (act) => act.endWork(one, how))),
  index.map((one) => step(`die ${one}`, (act) => act.die(one))),
  fc.constantFrom(1, 100, 1000, 2500, 40_000).map((ms) => step(`pass ${ms}`, (act) => act.pass(ms))),
  fc.tuple(server, thread).map(([one, other]) => step(`adopt ${one} ${other}`, (act) => act.adopt(one, other))),
  thread.map((one) => step(`end thread ${one}`, (act) => act.endThread(one))),
  server.map((one) => step(`end server ${one}`, (act) => act.endServer(one))),
]
const close = fc.constant(step('close', (act) => act.close()))

const outcomes = fc.array(
  fc.constantFrom<OpenOutcome>('gives', 'gives', 'gives', 'fails', 'gives although nobody waits'),
  { minLength: 1, maxLength: 6 },
)

it('[P26] a pool keeps one session a key, its bound, whoever is busy, every caller and every session', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.commands([...steps, ...steps, ...steps, ...steps, close], { maxCommands: 40, size: '+1' }),
      outcomes,
      async (scheduler, commands, opens) => {
        const real = world(scheduler, opens)
        await fc.scheduledModelRun(scheduler, () => ({ model: {}, real }), commands)
        expect(await real.end()).toEqual([])
      },
    ),
    { numRuns: 1000 },
  )
})
