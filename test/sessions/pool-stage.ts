// What the tests of the pool play with: a clock that stands still until it is told to go on, sessions that do what the
// test says, and an opener that gives them when the test says so.

import type { McpServerConfig } from '../../src/config/config.ts'
import type { Clock, OpenRequest, PoolOptions, SessionPool, SessionState } from '../../src/sessions/pool/pool.ts'
import { sessionPool } from '../../src/sessions/pool/session-pool.ts'
import type { OpenSession } from '../../src/sessions/session.ts'
import type { ThreadOwner } from '../../src/workspace/workspace.ts'
import { serverConfig } from '../sources/server-entry.ts'

/** Everything that can happen without the passing of time has happened. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export interface StageClock extends Clock {
  /** Lets so much time pass, timer by timer. */
  readonly pass: (ms: number) => Promise<void>
  /** Timers that are set. */
  readonly set: () => number
}

export function stageClock(): StageClock {
  let now = 1000
  const timers = new Set<{ readonly at: number; readonly work: () => void }>()
  const due = (until: number) =>
    [...timers].filter((timer) => timer.at <= until).sort((one, other) => one.at - other.at)[0]
  return {
    now: () => now,
    after: (ms, work) => {
      const timer = { at: now + ms, work }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    pass: async (ms) => {
      const until = now + ms
      await settled()
      for (let next = due(until); next !== undefined; next = due(until)) {
        timers.delete(next)
        now = Math.max(now, next.at)
        next.work()
        await settled()
      }
      now = until
    },
    set: () => timers.size,
  }
}

export interface StageSession extends OpenSession {
  readonly number: number
  /** How often its end was asked for. */
  readonly ends: () => number
  /** It ends by itself. */
  readonly die: (words?: string) => void
  readonly changeList: () => void
  readonly listeners: () => number
  /** Its end, and that alone, waits until `die` is called. */
  readonly clingToLife: () => void
}

export function stageSession(number: number): StageSession {
  let alive = true
  let ends = 0
  let clings = false
  const listeners = new Set<() => void>()
  let close: (words: string) => void = () => {}
  const closed = new Promise<string>((resolve) => {
    close = resolve
  })
  const die = (words = 'exited with code 1'): void => {
    alive = false
    close(words)
  }
  return {
    number,
    era: 'legacy',
    protocolVersion: '2025-11-25',
    hasTools: true,
    capabilities: {},
    request: async () => ({}),
    notify: async () => {},
    onNotification: () => () => {},
    pid: 10_000 + number,
    page: async () => ({ tools: [] }),
    call: async () => ({}),
    ping: async () => alive,
    onListChanged: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    closed,
    isOpen: () => alive,
    findings: () => [],
    received: () => 0,
    end: async () => {
      ends += 1
      if (!clings) die('was ended')
      await closed
    },
    ends: () => ends,
    die,
    changeList: () => {
      for (const listener of listeners) listener()
    },
    listeners: () => listeners.size,
    clingToLife: () => {
      clings = true
    },
  }
}

export interface Opening {
  readonly request: OpenRequest
  readonly give: () => StageSession
  readonly fail: (error: unknown) => void
}

export interface Stage {
  readonly clock: StageClock
  readonly pool: SessionPool
  /** Every opening that was asked for, in order. */
  readonly openings: Opening[]
  readonly sessions: StageSession[]
  /** Every state that was told, as `server user/thread phase`. */
  readonly told: string[]
  readonly states: SessionState[]
  readonly listsChanged: string[]
}

export interface StageOptions extends Partial<Omit<PoolOptions, 'open' | 'clock'>> {
  /** What an opening does by itself. Absent: it gives a session at once. */
  readonly opener?: 'gives' | 'waits' | ((opening: Opening) => void)
}

export function stage({ opener = 'gives', ...options }: StageOptions = {}): Stage {
  const clock = stageClock()
  const openings: Opening[] = []
  const sessions: StageSession[] = []
  const told: string[] = []
  const states: SessionState[] = []
  const listsChanged: string[] = []
  const pool = sessionPool({
    max: 4,
    idleMs: 60_000,
    random: () => 1,
    onState: (state) => {
      states.push(state)
      told.push(`${state.server} ${state.owner.user}/${state.owner.thread} ${state.phase}`)
    },
    onListChanged: (server) => listsChanged.push(server),
    ...options,
    clock,
    open: (request) =>
      new Promise((resolve, reject) => {
        const opening: Opening = {
          request,
          give: () => {
            const session = stageSession(sessions.length + 1)
            sessions.push(session)
            resolve(session)
            return session
          },
          fail: reject,
        }
        openings.push(opening)
        if (opener === 'gives') opening.give()
        else if (opener !== 'waits') opener(opening)
      }),
  })
  return { clock, pool, openings, sessions, told, states, listsChanged }
}

/** A call that runs until it is told to end. */
export interface RunningCall {
  /** The number of the session, once it is there. */
  readonly session: () => number | undefined
  readonly end: () => void
  readonly fail: (error: unknown) => void
  readonly result: Promise<string>
  /** `waiting`, the number of its session, `done`, or the code it failed with. */
  readonly state: () => string
}

export function call(
  pool: SessionPool,
  server: McpServerConfig,
  owner: ThreadOwner,
  options: { readonly signal?: AbortSignal } = {},
): RunningCall {
  let session: number | undefined
  let state = 'waiting'
  let end: () => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const worked = new Promise<string>((resolve, reject) => {
    end = () => resolve('done')
    fail = reject
  })
  worked.catch(() => {})
  const result = pool.use(
    server,
    owner,
    (given) => {
      session = (given as StageSession).number
      state = String(session)
      return worked
    },
    options,
  )
  result.then(
    (value) => {
      state = value
    },
    (error) => {
      state = error.code ?? String(error)
    },
  )
  return { session: () => session, end, fail, result, state: () => state }
}

/** A call that is answered at once. Gives the number of its session. */
export const quickCall = (pool: SessionPool, server: McpServerConfig, owner: ThreadOwner): Promise<number> =>
  pool.use(server, owner, async (session) => (session as StageSession).number)

/** The code and the words of a call that must fail. */
export async function failureOf(promise: Promise<unknown>): Promise<{ readonly code: string; readonly words: string }> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: String(error.code), words: error.message }
    throw error
  }
  throw new Error('the call did not fail')
}

export const owner = (thread: string, user = 'u'): ThreadOwner => ({ user, thread })

/** A server entry with nothing remarkable about it. */
export const aServer = (name = 'files', more: Partial<McpServerConfig> = {}): McpServerConfig =>
  serverConfig(name, more)
