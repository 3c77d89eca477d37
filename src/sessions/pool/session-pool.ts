// The sessions of all threads: each opened once, shared by the calls of its thread, bounded in number, and ended.
//
//   use ─▶ seat ─┬─ it is open ──────────────────────────────▶ work ─▶ leave ─▶ rest ─▶ ended
//                ├─ it is starting: ask ───────────────────────▲
//                └─ there is none: ask ─▶ line ─▶ (room) start ┘
//
// INVARIANTS: one life a slot at a time. Never more lives than `max`, those that are ending included. A session that
// somebody uses is not ended for room or for idling. Whoever asks is answered once. Everything between two awaits is
// one step, so no lock is needed: what must hold together is changed together.

import type { McpServerConfig } from '../../config/config.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import { CallFailure } from '../call-failure.ts'
import type { OpenSession } from '../session.ts'
import { type Asker, newAsker } from './asker.ts'
import { onceABurst } from './once-a-burst.ts'
import type { PoolOptions, SessionPool } from './pool.ts'
import * as failures from './pool-failure.ts'
import { type Life, newSlot, phaseOf, type Seat, type Slot, stateOf } from './pool-slot.ts'
import { isForgotten, noFailures, waitMsOf } from './retry-policy.ts'
import { launchFingerprint, sessionKey } from './session-key.ts'
import { endOf, sessionLives } from './session-lives.ts'
import { systemClock } from './system-clock.ts'

const defaultWaitMs = 10_000
const defaultGraceMs = 5000
/** Sessions of one server that tell of a change within so long tell of the same one. */
const burstMs = 100
/** Keys of which only failures are remembered. */
const rememberedMax = 1000

/** Makes a pool. Throws a RangeError for options that make no sense. */
export function sessionPool(options: PoolOptions): SessionPool {
  const { open, max, idleMs, waitMs = defaultWaitMs, clock = systemClock, random = Math.random } = options
  check({ max, idleMs, waitMs })
  const slots = new Map<string, Slot>()
  /** Slots whose askers wait for room; the first is next. */
  const line = new Set<Slot>()
  const changes = onceABurst(clock, burstMs, (server) => quietly(() => options.onListChanged?.(server)))
  const lives = sessionLives({
    open,
    clock,
    random,
    idleMs,
    mark,
    failAskers,
    listChanged: changes.notice,
    peerOf: options.peerOf,
    onNotification: options.onNotification,
    roomMade: pump,
  })
  let closed = false

  // ── who asks ──

  async function use<T>(
    server: McpServerConfig,
    owner: ThreadOwner,
    work: (session: OpenSession) => Promise<T>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<T> {
    const { life, session } = await seat(server, owner, signal)
    try {
      if (signal?.aborted === true) throw failures.calledOff()
      const result = await work(session)
      life.answers += 1
      return result
    } catch (error) {
      if (isAnswer(error)) life.answers += 1
      throw error
    } finally {
      lives.leave(life)
    }
  }

  function seat(server: McpServerConfig, owner: ThreadOwner, signal: AbortSignal | undefined): Seat | Promise<Seat> {
    const fault = failures.idFault(owner)
    if (fault !== undefined) throw fault
    if (closed) throw failures.poolClosed()
    if (signal?.aborted === true) throw failures.calledOff()
    const slot = slotFor(server, owner)
    const { life } = slot
    if (life?.state === 'open' && life.session?.isOpen() === true) return lives.enter(life, life.session)
    const now = clock.now()
    const starting = life?.state === 'starting'
    if (!starting && slot.fault !== undefined && waitMsOf(slot.retry, now) > 0)
      throw failures.leftAlone(server.name, slot.fault, slot.retry, now)
    const asker = newAsker<Seat>({
      clock,
      signal,
      // A start has its own deadline.
      ...(starting ? {} : { waitMs }),
      gaveUp: (who, why) => gaveUp(slot, who, why),
    })
    slot.askers.add(asker)
    if (!starting) line.add(slot)
    pump()
    return asker.answer
  }

  function gaveUp(slot: Slot, asker: Asker<Seat>, why: 'called-off' | 'time-over'): void {
    slot.askers.delete(asker)
    if (why === 'called-off') asker.fail(failures.calledOff())
    else if (slot.life === undefined) asker.fail(failures.poolFull(max, waitMs))
    else asker.fail(failures.stillEnding(slot.server.name, waitMs))
    if (slot.askers.size > 0) return
    line.delete(slot)
    if (slot.life?.state === 'starting') lives.retire(slot.life, 0)
  }

  function failAskers(slot: Slot, failure: () => CallFailure): void {
    line.delete(slot)
    const askers = [...slot.askers]
    slot.askers.clear()
    for (const asker of askers) asker.fail(failure())
  }

  // ── room ──

  /** Starts who is next while there is room, and ends the longest idle sessions for those who are left in line. */
  function pump(): void {
    for (const slot of line) {
      if (lives.all.size >= max) break
      // One whose last session is still ending lets the next one pass.
      if (slot.life !== undefined) continue
      line.delete(slot)
      lives.start(slot)
    }
    let wanted = 0
    for (const slot of line) if (slot.life === undefined) wanted += 1
    for (const life of lives.all) if (life.state === 'closing' && life.users === 0 && !line.has(life.slot)) wanted -= 1
    for (; wanted > 0; wanted -= 1) {
      const idle = longestIdle()
      if (idle === undefined) return
      lives.retire(idle, 0)
    }
  }

  function longestIdle(): Life | undefined {
    let longest: Life | undefined
    for (const life of lives.all) {
      if (life.state !== 'open' || life.users > 0) continue
      if (longest === undefined || life.usedAt < longest.usedAt) longest = life
    }
    return longest
  }

  // ── slots ──

  function slotFor(server: McpServerConfig, owner: ThreadOwner): Slot {
    const { user, thread } = owner
    const key = sessionKey({ server: server.name, user, thread, launch: launchFingerprint(server) })
    const known = slots.get(key)
    if (known !== undefined) {
      known.server = server
      return known
    }
    forgetOld()
    const slot = newSlot(key, server, owner)
    slots.set(key, slot)
    return slot
  }

  /** Done with each new key: failures of long ago say nothing any more, and of too many keys the oldest go. */
  function forgetOld(): void {
    const now = clock.now()
    const idle = [...slots.values()].filter((slot) => slot.life === undefined && slot.askers.size === 0)
    for (const [index, slot] of idle.entries())
      if (isForgotten(slot.retry, now) || index < idle.length - rememberedMax) slots.delete(slot.key)
  }

  /** Notes the phase, and tells of it unless calls of tools are all that changed. */
  function mark(slot: Slot): void {
    const phase = phaseOf(slot)
    if (phase === slot.phase) return
    const before = slot.phase
    slot.phase = phase
    slot.since = Date.now()
    const isCallsOnly = (before === 'open' && phase === 'busy') || (before === 'busy' && phase === 'open')
    if (!isCallsOnly) quietly(() => options.onState?.(stateOf(slot, clock.now())))
  }

  // ── the ends ──

  async function end(ending: readonly Slot[], failure: () => CallFailure, graceMs: number): Promise<void> {
    const waits: Promise<void>[] = []
    for (const slot of ending) {
      failAskers(slot, failure)
      if (slot.life !== undefined) {
        waits.push(slot.life.over)
        lives.retire(slot.life, graceMs)
      }
      slot.retry = noFailures
      delete slot.fault
      mark(slot)
    }
    pump()
    await Promise.all(waits)
  }

  const slotsWhere = (isMeant: (slot: Slot) => boolean): readonly Slot[] => [...slots.values()].filter(isMeant)

  async function endThread(owner: ThreadOwner, graceMs = defaultGraceMs): Promise<void> {
    const fault = failures.idFault(owner)
    if (fault !== undefined) throw fault
    const own = slotsWhere((slot) => slot.owner.user === owner.user && slot.owner.thread === owner.thread)
    await end(own, () => failures.threadEnded(owner), graceMs)
  }

  const endServer = (server: string, graceMs = defaultGraceMs): Promise<void> =>
    end(
      slotsWhere((slot) => slot.server.name === server),
      () => failures.serverEnded(server),
      graceMs,
    )

  async function close(graceMs = defaultGraceMs): Promise<void> {
    closed = true
    changes.stop()
    await end([...slots.values()], failures.poolClosed, graceMs)
  }

  async function adopt(server: McpServerConfig, owner: ThreadOwner, session: OpenSession): Promise<boolean> {
    const fault = failures.idFault(owner)
    if (fault === undefined && !closed && session.isOpen()) {
      const slot = slotFor(server, owner)
      const isAnswered = options.peerOf?.(server, owner) !== undefined
      if (slot.life === undefined && lives.all.size < max && !isAnswered) {
        lives.adopt(slot, session)
        return true
      }
    }
    await endOf(session).catch(() => {})
    if (fault !== undefined) throw fault
    return false
  }

  function states() {
    const now = clock.now()
    return slotsWhere((slot) => phaseOf(slot) !== 'ended').map((slot) => stateOf(slot, now))
  }

  return { use, adopt, endThread, endServer, states, close }
}

function check(figures: { readonly max: number; readonly idleMs: number; readonly waitMs: number }): void {
  const { max, idleMs, waitMs } = figures
  if (!Number.isSafeInteger(max) || max < 1) throw new RangeError(`max is ${max}, and no whole number from 1`)
  for (const [name, ms] of Object.entries({ idleMs, waitMs }))
    if (!(ms >= 0)) throw new RangeError(`${name} is ${ms}, and no number of milliseconds from 0`)
}

/** Rejections that the server's own answer caused: it lives and serves. */
const isAnswer = (error: unknown): boolean =>
  error instanceof CallFailure &&
  (error.code === 'upstream-error' || error.code === 'result-malformed' || error.code === 'result-too-large')

/** A listener that fails must not leave a session half-way between two states. */
function quietly(tell: () => void): void {
  try {
    tell()
  } catch {
    // Its own fault; the pool has nobody to tell.
  }
}
