// What the pool knows of one key, from the first time that somebody asked until nothing is worth remembering: who
// waits, the one session that lives, and how often it failed. A slot has one life at a time; a new one begins when
// the one before it is over, so nothing that happens late to an old session can reach its successor.

import type { McpServerConfig } from '../../config/config.ts'
import { printable } from '../../core/printable.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import type { OpenSession } from '../session.ts'
import { type Asker, deferred } from './asker.ts'
import type { SessionPhase, SessionState } from './pool.ts'
import type { SessionFault } from './pool-failure.ts'
import { isBroken, noFailures, type RetryState, waitMsOf, whileOpen } from './retry-policy.ts'

/** One session from its start to its end. */
export interface Life {
  readonly slot: Slot
  /** Calls off the opening. */
  readonly opening: AbortController
  /** Settles when nothing of it is left. */
  readonly over: Promise<void>
  readonly settleOver: () => void
  state: 'starting' | 'open' | 'closing'
  /** Absent until it is open. */
  session?: OpenSession
  /** Calls that are running. INVARIANT: while it is above 0, nobody ends the session to make room. */
  users: number
  /** Calls that were answered. */
  answers: number
  openedAt: number
  usedAt: number
  /** Its end has begun and cannot be put off. */
  finishing: boolean
  /** When it is ended although calls are running. */
  graceEnds: number
  /** Calls off the timer that is set: for idling, or for the grace. */
  stopClock: () => void
  stopListening: () => void
}

/** A life that is open, as a caller holds it. */
export interface Seat {
  readonly life: Life
  readonly session: OpenSession
}

export interface Slot {
  readonly key: string
  readonly owner: ThreadOwner
  /** As it was asked for the last time. */
  server: McpServerConfig
  /** First come, first served. */
  readonly askers: Set<Asker<Seat>>
  life?: Life
  retry: RetryState
  starts: number
  fault?: SessionFault
  phase: SessionPhase
  /** Wall time, for people only. */
  since: number
}

export const newSlot = (key: string, server: McpServerConfig, { user, thread }: ThreadOwner): Slot => ({
  key,
  owner: { user, thread },
  server,
  askers: new Set(),
  retry: noFailures,
  starts: 0,
  phase: 'ended',
  since: Date.now(),
})

export function newLife(slot: Slot, now: number): Life {
  const over = deferred<void>()
  return {
    slot,
    opening: new AbortController(),
    over: over.promise,
    settleOver: () => over.resolve(),
    state: 'starting',
    users: 0,
    answers: 0,
    openedAt: now,
    usedAt: now,
    finishing: false,
    graceEnds: Number.POSITIVE_INFINITY,
    stopClock: () => {},
    stopListening: () => {},
  }
}

export function phaseOf({ life, retry }: Slot): SessionPhase {
  if (life?.state === 'open') return life.users > 0 ? 'busy' : 'open'
  if (life !== undefined) return life.state === 'starting' ? 'starting' : 'closing'
  if (isBroken(retry)) return 'broken'
  return retry.failures > 0 ? 'waiting' : 'ended'
}

export const lifeSoFar = ({ openedAt, answers }: Life, now: number) => ({
  livedMs: now - openedAt,
  served: answers > 0,
})

/** What people see of it. */
export function stateOf(slot: Slot, now: number): SessionState {
  const { server, owner, life, starts, fault } = slot
  const phase = phaseOf(slot)
  const retry = life?.state === 'open' ? whileOpen(slot.retry, lifeSoFar(life, now)) : slot.retry
  const pid = life?.session?.pid
  return {
    server: server.name,
    owner,
    phase,
    since: new Date(slot.since).toISOString(),
    ...(pid === undefined ? {} : { pid }),
    busy: life?.users ?? 0,
    starts,
    failures: retry.failures,
    ...(fault === undefined ? {} : { lastError: printable(fault.words, 500) }),
    ...(phase === 'waiting' || phase === 'broken' ? { retryInMs: Math.ceil(waitMsOf(slot.retry, now)) } : {}),
  }
}
