// Why the pool gave no session, in words for the model and for people. None of these calls was sent.

import { unavailableStates } from '../../core/candidate.ts'
import { printable } from '../../core/printable.ts'
import type { ThreadOwner } from '../../workspace/workspace.ts'
import { CallFailure } from '../call-failure.ts'
import { isBroken, type RetryState, waitMsOf } from './retry-policy.ts'

/** Why a session did not start, or ended by itself. */
export interface SessionFault {
  /** A state of an unavailable server, or `ended`. */
  readonly state: string
  /** One printable line. */
  readonly words: string
  /** The error that it came from, for callers who know its kind. */
  readonly cause?: unknown
}

const notSent = { sent: false } as const
const quoted = (name: string): string => `"${printable(name, 80)}"`

/** The first fault of the two ids; undefined when both are good. Ids are names of folders. */
export function idFault({ user, thread }: ThreadOwner): CallFailure | undefined {
  for (const [which, id] of [
    ['user', user],
    ['thread', thread],
  ] as const) {
    if (typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id)) continue
    const told = typeof id === 'string' ? quoted(id) : `of type ${typeof id}`
    return new CallFailure('invalid-id', `the ${which} id ${told} is not 1 to 64 letters, digits, _ and -`, notSent)
  }
  return undefined
}

export const poolClosed = (): CallFailure =>
  new CallFailure('pool-closed', 'the program is ending, and starts no calls any more', notSent)

export const calledOff = (): CallFailure =>
  new CallFailure('call-cancelled', 'the call was called off before it was sent', notSent)

export const threadEnded = ({ thread }: ThreadOwner): CallFailure =>
  new CallFailure('call-cancelled', `thread ${quoted(thread)} was ended before the call was sent`, notSent)

export const serverEnded = (server: string): CallFailure =>
  new CallFailure(
    'server-unavailable',
    `the sessions of server ${quoted(server)} were ended before the call was sent; call again`,
    notSent,
  )

export const poolFull = (max: number, waitMs: number): CallFailure =>
  new CallFailure(
    'pool-full',
    `${max === 1 ? 'the one session that may be open is' : `all ${max} sessions that may be open are`} busy, and ${seconds(waitMs)} of waiting made no room; try again later`,
    notSent,
  )

export const stillEnding = (server: string, waitMs: number): CallFailure =>
  new CallFailure(
    'server-unavailable',
    `the last session of server ${quoted(server)} has not ended within ${seconds(waitMs)}; try again later`,
    notSent,
  )

/** The server did not start just now. */
export const didNotStart = (server: string, fault: SessionFault): CallFailure =>
  unavailable(`server ${quoted(server)} is not available ${told(fault)}`, fault)

/** The server failed before, and must not be tried again yet. */
export function leftAlone(server: string, fault: SessionFault, retry: RetryState, now: number): CallFailure {
  const often = retry.failures === 1 ? 'once' : `${retry.failures} times in a row`
  const rest = isBroken(retry) ? 'is left alone, and may be tried again in' : 'may be tried again in'
  const wait = seconds(waitMsOf(retry, now))
  return unavailable(
    `server ${quoted(server)} is not available ${told(fault)}; it failed ${often} and ${rest} ${wait}`,
    fault,
  )
}

const unavailable = (what: string, { cause }: SessionFault): CallFailure =>
  new CallFailure('server-unavailable', what, cause === undefined ? notSent : { ...notSent, cause })

const told = ({ state, words }: SessionFault): string => `(${state}): ${words}`

/** To the tenth, and never 0. */
const seconds = (ms: number): string => `${Math.max(1, Math.ceil(ms / 100)) / 10} s`

/** What the system lacks, by its own name for it. */
const shortages: readonly (readonly [name: string, what: string])[] = [
  ['EMFILE', 'this program has as many files open as it may'],
  ['ENFILE', 'the system has as many files open as it may'],
  ['EAGAIN', 'the system starts no more processes for this user'],
  ['ENOMEM', 'the system has no memory left'],
]

/** Any error of opening a session, as a state and words. A shortage of the system is told by its name. */
export function faultOf(error: unknown): SessionFault {
  const text = error instanceof Error ? error.message : String(error)
  const code = propertyOf(error, 'code')
  const state = propertyOf(error, 'state')
  const shortage = shortages.find(([name]) => code === name || text.includes(name))
  const words = [
    printable(text, 400),
    ...(shortage === undefined ? [] : [`${shortage[0]}: ${shortage[1]}; sessions that are open go on`]),
  ].join(' - ')
  return { state: unavailableStates.find((known) => known === state) ?? 'failed-to-start', words, cause: error }
}

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as { readonly [key: string]: unknown })[name]
    : undefined
