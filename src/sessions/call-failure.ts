// Why a call gave no result. The words are for the model and for people alike: one printable line.

import { printable } from '../core/printable.ts'
import type { ErrorCode } from '../errors.ts'
import type { RpcError } from './session.ts'

export type CallFailureCode = Extract<
  ErrorCode,
  | 'upstream-died'
  | 'call-timed-out'
  | 'call-cancelled'
  | 'result-too-large'
  | 'upstream-error'
  | 'result-malformed'
  | 'server-unavailable'
  | 'pool-full'
  | 'pool-closed'
  | 'invalid-id'
>

export interface CallFailureOptions {
  readonly sent: boolean
  readonly cause?: unknown
  readonly rpc?: RpcError | undefined
}

/**
 * A call or another request that gave no result. `sent` says whether the server may have carried it out all the same;
 * `rpc` is the error that it was answered with, as received.
 */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: CallFailureCode
  readonly sent: boolean
  readonly rpc?: RpcError

  constructor(code: CallFailureCode, what: string, { sent, cause, rpc }: CallFailureOptions) {
    super(printable(what, 600), cause === undefined ? {} : { cause })
    this.code = code
    this.sent = sent
    if (rpc !== undefined) this.rpc = rpc
  }
}
