// The lives of sessions from start to end, without the question of who may begin one: that is the pool's.
//
//   start ─▶ opened ─▶ open ◀─ enter, leave ─▶ retire ─▶ finish ─▶ over
//      └─ it failed ──────────── died ─────────────────────▲────────▲
//
// INVARIANT: a session that was given is ended exactly once, also when it comes after everybody has left.

import type { McpServerConfig } from '../../config/config.ts'
import type { CallFailure } from '../call-failure.ts'
import type { OpenSession } from '../session.ts'
import type { Clock, PoolOptions } from './pool.ts'
import * as failures from './pool-failure.ts'
import { type Life, lifeSoFar, newLife, type Seat, type Slot } from './pool-slot.ts'
import { afterDeath, afterFailure, noFailures, waitMsOf } from './retry-policy.ts'

/** Whoever opens keeps the start deadline of the server; if that fails, the wait ends so much later. */
const startSlackMs = 2000
/** An end that takes longer does not hold up others any more. */
const endMsMax = 10_000

export interface LivesOptions {
  readonly open: PoolOptions['open']
  readonly clock: Clock
  readonly random: () => number
  readonly idleMs: number
  readonly listChanged: (server: string) => void
  readonly peerOf: PoolOptions['peerOf']
  readonly onNotification: PoolOptions['onNotification']
  /** Something changed that may be another phase. */
  readonly mark: (slot: Slot) => void
  /** Takes all who wait out of the line and fails each with a failure of its own. */
  readonly failAskers: (slot: Slot, failure: () => CallFailure) => void
  /** Called when a session began to rest or is over: somebody else may have its room. */
  readonly roomMade: () => void
}

export interface Lives {
  /** Everything that is opening, open or ending. */
  readonly all: ReadonlySet<Life>
  /** Opens a session for those who ask at the slot. */
  readonly start: (slot: Slot) => void
  /** Takes over an open session. */
  readonly adopt: (slot: Slot, session: OpenSession) => void
  readonly enter: (life: Life, session: OpenSession) => Seat
  readonly leave: (life: Life) => void
  /** No new caller gets it. It is ended when its calls are over, at the latest after `graceMs`. */
  readonly retire: (life: Life, graceMs: number) => void
}

export function sessionLives(options: LivesOptions): Lives {
  const { clock, random, idleMs, mark, failAskers, roomMade } = options
  const all = new Set<Life>()

  function begin(slot: Slot): Life {
    for (const asker of slot.askers) asker.stopClock()
    const life = newLife(slot, clock.now())
    slot.life = life
    slot.starts += 1
    all.add(life)
    return life
  }

  function start(slot: Slot): void {
    const life = begin(slot)
    mark(slot)
    life.stopClock = clock.after(slot.server.startTimeoutMs + startSlackMs, () => startTookTooLong(life))
    void opened(life, slot.server)
  }

  async function opened(life: Life, server: McpServerConfig): Promise<void> {
    let session: OpenSession
    try {
      const { owner } = life.slot
      const peer = options.peerOf?.(server, owner)
      const request = { server, owner, signal: life.opening.signal }
      session = await options.open(peer === undefined ? request : { ...request, peer })
    } catch (error) {
      if (life.state === 'starting') didNotStart(life, failures.faultOf(error))
      over(life)
      return
    }
    if (life.state === 'starting') open(life, session)
    else {
      // Nobody wants it any more.
      life.session = session
      finish(life)
    }
  }

  function open(life: Life, session: OpenSession): void {
    const { slot } = life
    const now = clock.now()
    life.stopClock()
    Object.assign(life, { state: 'open', session, openedAt: now, usedAt: now })
    const ended = (words: unknown): void => died(life, String(words))
    session.closed.then(ended, ended)
    life.stopListening = listening(session, slot)
    for (const asker of slot.askers) asker.admit(enter(life, session))
    slot.askers.clear()
    if (life.users === 0) rest(life)
  }

  function listening(session: OpenSession, { server, owner }: Slot): () => void {
    const { listChanged, onNotification } = options
    const stopChanges = session.onListChanged(() => listChanged(server.name))
    if (onNotification === undefined) return stopChanges
    const stop = session.onNotification((method, params) => onNotification(server.name, owner, method, params))
    return () => {
      stopChanges()
      stop()
    }
  }

  function didNotStart({ slot }: Life, fault: failures.SessionFault): void {
    slot.fault = fault
    slot.retry = afterFailure(slot.retry, clock.now(), random())
    failAskers(slot, () => failures.didNotStart(slot.server.name, fault))
  }

  function startTookTooLong(life: Life): void {
    const seconds = (life.slot.server.startTimeoutMs + startSlackMs) / 1000
    didNotStart(life, { state: 'timed-out', words: `it did not start within ${seconds} s` })
    retire(life, 0)
  }

  function enter(life: Life, session: OpenSession): Seat {
    life.users += 1
    life.stopClock()
    mark(life.slot)
    return { life, session }
  }

  function leave(life: Life): void {
    life.users -= 1
    life.usedAt = clock.now()
    if (life.users > 0) return
    if (life.state === 'closing') finish(life)
    else rest(life)
  }

  /** Nobody uses it: it is ended after a while, unless somebody comes. */
  function rest(life: Life): void {
    life.stopClock()
    life.stopClock = clock.after(idleMs, () => retire(life, 0))
    mark(life.slot)
    roomMade()
  }

  function died(life: Life, words: string): void {
    if (life.state !== 'open') return
    const { slot } = life
    const now = clock.now()
    const fault = { state: 'ended', words }
    slot.fault = fault
    slot.retry = afterDeath(slot.retry, lifeSoFar(life, now), now, random())
    if (waitMsOf(slot.retry, now) > 0)
      failAskers(slot, () => failures.leftAlone(slot.server.name, fault, slot.retry, now))
    life.state = 'closing'
    mark(slot)
    finish(life)
  }

  function retire(life: Life, graceMs: number): void {
    if (life.state === 'starting') life.opening.abort()
    // Whoever ends it cuts a life short that was going well.
    if (life.state === 'open' && life.answers > 0) life.slot.retry = noFailures
    life.state = 'closing'
    mark(life.slot)
    if (life.session !== undefined && life.users === 0) finish(life)
    if (life.finishing) return
    const now = clock.now()
    const graceEnds = now + (life.session === undefined ? endMsMax : graceMs)
    if (graceEnds >= life.graceEnds) return
    life.graceEnds = graceEnds
    life.stopClock()
    life.stopClock = clock.after(graceEnds - now, () => (life.session === undefined ? over(life) : finish(life)))
  }

  function finish(life: Life): void {
    if (life.finishing) return
    life.finishing = true
    life.stopClock()
    life.stopListening()
    life.stopClock = clock.after(endMsMax, () => over(life))
    // An end that fails leaves nothing that could be ended once more.
    const ended = (): void => over(life)
    endOf(life.session).then(ended, ended)
  }

  function over(life: Life): void {
    life.stopClock()
    if (!all.delete(life)) return
    delete life.slot.life
    life.settleOver()
    mark(life.slot)
    roomMade()
  }

  const adopt = (slot: Slot, session: OpenSession): void => open(begin(slot), session)
  return { all, start, adopt, enter, leave, retire }
}

/** Rejects when the end does, and never throws. */
export async function endOf(session: OpenSession | undefined): Promise<void> {
  await session?.end()
}
