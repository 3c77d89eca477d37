// Why a server gave no tools, told truthfully: which step failed, and what the server itself said.

import { ProtocolError, SdkError, SdkErrorCode, UnauthorizedError } from '@modelcontextprotocol/client'
import type { UnavailableState } from '../core/candidate.ts'
import { printable } from '../core/printable.ts'
import type { Ending } from './open-connection.ts'
import { DeadlinePassed } from './open-deadline.ts'
import { StartFailure } from './processes/server-process.ts'

/** A server cannot be had: the state, and one printable line of detail as the message. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly state: UnavailableState
  constructor(state: UnavailableState, detail: string) {
    super(printable(detail, 400))
    this.state = state
  }
}

/** What was being waited for when something failed. */
export type Phase = 'start' | 'initialize'

export interface FailureContext {
  /** Its name in the configuration. */
  readonly server: string
  readonly phase: Phase
  /** Where the server is, for HTTP: the URL without its query. */
  readonly place: string | undefined
  /** For HTTP: the status that the last request was refused with. */
  readonly status: number | undefined
  /** For HTTP: why the last request reached nobody. */
  readonly unreachable: string | undefined
  /** How the connection ended, when it has. */
  readonly ending: Ending | undefined
  /** The last line of standard error. */
  readonly lastWords: string | undefined
  readonly deadlineMs: number
  /** True when the run was stopped before the deadline. */
  readonly stopped: boolean
}

/** Any error of starting and connecting, in words and as a state. */
export function unavailableFor(error: unknown, context: FailureContext): Unavailable {
  if (error instanceof Unavailable) return error
  if (error instanceof StartFailure) return new Unavailable('failed-to-start', error.message)
  const { server, phase, place, status, unreachable, ending } = context
  if (error instanceof DeadlinePassed || isCode(error, SdkErrorCode.RequestTimeout)) {
    const waited = `to ${phase === 'start' ? 'its start' : 'initialize'}`
    return timedOut(waited, context)
  }
  if (status === 401 || status === 403) return new Unavailable('login-needed', loginWords(place, status, server))
  if (error instanceof UnauthorizedError) return new Unavailable('login-needed', loginWords(place, 401, server))
  if (ending !== undefined)
    return new Unavailable('failed-to-start', `it ${ending.how} before it answered${saidBy(ending.said)}`)
  if (unreachable !== undefined)
    return new Unavailable('failed-to-start', `${place} could not be reached (${unreachable})`)
  const told = error instanceof ProtocolError ? `error ${error.code}: ${error.message}` : messageOf(error)
  return new Unavailable(
    'handshake-failed',
    `the handshake failed: ${told}${status === undefined ? '' : ` (HTTP ${status})`}`,
  )
}

/** An answer that was waited for in vain; `waited` is such as `to tools/list (page 2)`. */
export function timedOut(
  waited: string,
  { deadlineMs, stopped, lastWords }: Pick<FailureContext, 'deadlineMs' | 'stopped' | 'lastWords'>,
): Unavailable {
  if (stopped) return new Unavailable('timed-out', `the run was stopped before it gave an answer ${waited}`)
  return new Unavailable('timed-out', `no answer ${waited} within ${deadlineMs / 1000} s${saidBy(lastWords)}`)
}

/** What a refusal for want of a login means, and what helps. */
export const loginWords = (place: string | undefined, status: number, server: string): string =>
  `${place ?? 'it'} wants a login (HTTP ${status}); run \`toolgate login ${server}\``

const saidBy = (lastWords: string | undefined): string =>
  lastWords === undefined || lastWords === '' ? '' : `; it said: ${lastWords}`

const isCode = (error: unknown, code: SdkErrorCode): boolean => error instanceof SdkError && error.code === code

/** SDK messages of schema faults are long lists: the first line is enough. */
const messageOf = (error: unknown): string =>
  printable((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '', 240)
