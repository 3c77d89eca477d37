// Why a server gave no tools, told truthfully: which step failed, and what the server itself said.

import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import type { UnavailableState } from '../core/candidate.ts'
import { printable } from '../core/printable.ts'
import { StartFailure } from './server-process.ts'

/** A server cannot be had: the state, and one printable line of detail as the message. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly state: UnavailableState
  constructor(state: UnavailableState, detail: string) {
    super(printable(detail, 400))
    this.state = state
  }
}

/** The deadline passed, or nobody waits any more. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** What was being waited for when something failed. */
export type Phase = { readonly step: 'start' | 'initialize' } | { readonly step: 'tools/list'; readonly page: number }

export interface FailureContext {
  readonly phase: Phase
  /** Where the server is, for HTTP: the URL without its query. */
  readonly place?: string | undefined
  /** For HTTP: the status that the last request was refused with. */
  readonly status?: number | undefined
  /** For HTTP: why the last request reached nobody. */
  readonly unreachable?: string | undefined
  /** `exited with code 3`, when a process is gone. */
  readonly gone?: string | undefined
  /** The last line of standard error. */
  readonly lastWords?: string | undefined
  readonly deadlineMs: number
  /** True when the run was stopped before the deadline. */
  readonly stopped: boolean
}

/** Any error of starting, connecting or listing, in words and as a state. */
export function unavailableFor(error: unknown, context: FailureContext): Unavailable {
  if (error instanceof Unavailable) return error
  if (error instanceof StartFailure) return new Unavailable('failed-to-start', error.message)
  const { phase, place, status, unreachable } = context
  if (error instanceof DeadlinePassed || isCode(error, SdkErrorCode.RequestTimeout)) return timedOut(context)
  if (status === 401 || status === 403)
    return new Unavailable('login-needed', `${place} wants a login (HTTP ${status})`)
  if (context.gone !== undefined) {
    const when = phase.step === 'tools/list' ? 'while it listed its tools' : 'before it answered'
    const state = phase.step === 'tools/list' ? 'listing-failed' : 'failed-to-start'
    return new Unavailable(state, `it ${context.gone} ${when}${said(context)}`)
  }
  if (unreachable !== undefined)
    return new Unavailable('failed-to-start', `${place} could not be reached (${unreachable})`)
  const told = error instanceof ProtocolError ? `error ${error.code}: ${error.message}` : messageOf(error)
  if (phase.step === 'tools/list') return new Unavailable('listing-failed', `tools/list failed: ${told}`)
  return new Unavailable(
    'handshake-failed',
    `the handshake failed: ${told}${status === undefined ? '' : ` (HTTP ${status})`}`,
  )
}

function timedOut(context: FailureContext): Unavailable {
  const { phase, deadlineMs, stopped } = context
  const waited =
    phase.step === 'tools/list'
      ? `to tools/list (page ${phase.page})`
      : phase.step === 'start'
        ? 'to its start'
        : 'to initialize'
  if (stopped) return new Unavailable('timed-out', `the run was stopped before it gave an answer ${waited}`)
  return new Unavailable('timed-out', `no answer ${waited} within ${deadlineMs / 1000} s${said(context)}`)
}

const said = ({ lastWords }: FailureContext): string =>
  lastWords === undefined || lastWords === '' ? '' : `; it said: ${lastWords}`

const isCode = (error: unknown, code: SdkErrorCode): boolean => error instanceof SdkError && error.code === code

/** SDK messages of schema faults are long lists: the first line is enough. */
const messageOf = (error: unknown): string =>
  printable((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '', 240)
